"""mkdocs' hooks of `make docs`: the READMEs of the boards, which stand beside their constraints, are pages as well."""

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]


def on_files(files: Files, config: Any) -> Files:
    """Add boards/NAME.md for every constraints/NAME/README.md."""
    for file in sorted((ROOT / "constraints").glob("*/README.md")):
        text = re.sub(r"\]\(\.\./\.\./docs/", "](../", file.read_text())
        text = re.sub(r"\]\(\.\./(\w+)/README\.md", r"](\1.md", text)
        files.append(File.generated(config, f"boards/{file.parent.name}.md", content=text))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Links to those READMEs lead to their pages."""
    return re.sub(r"\]\(\.\./constraints/(\w+)/README\.md", r"](boards/\1.md", markdown)


def on_config(config: Any) -> Any:
    """Fences of WaveDrom become pictures."""
    fence = {"name": "wavedrom", "class": "wavedrom", "format": _waves}
    config["mdx_configs"].setdefault("pymdownx.superfences", {})["custom_fences"] = [fence]
    return config


def _waves(source: str, *_: Any, **__: Any) -> str:
    import wavedrom

    return f'<div class="wavedrom">{wavedrom.render(source).tostring()}</div>'
