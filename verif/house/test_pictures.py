"""Pictures of the documentation: what is committed is what is drawn, and all words are on the card."""

import re
from xml.etree import ElementTree

import pytest

from rlcores.base import paths
from rlcores_lab import pictures

WIDE = {"small": 6.4, None: 8.0}  # pixels of a letter, at most on average


@pytest.mark.parametrize(("path", "text"), [pytest.param(*one, id=one[0].stem) for one in pictures.outputs().items()])
def test_a_picture_is_up_to_date_and_its_words_are_on_it(path, text) -> None:
    assert (paths.root() / path).read_text() == text, f"{path} is out of date: run `rlcores generate`"
    picture = ElementTree.fromstring(text)
    width, height = map(float, picture.attrib["viewBox"].split()[2:])
    words = list(picture.iter("{http://www.w3.org/2000/svg}text"))
    assert picture.attrib["aria-label"] and len(words) >= 8
    for one in words:
        x, y, size = float(one.attrib["x"]), float(one.attrib["y"]), len(one.text or "")
        wide = size * WIDE.get(one.attrib["class"], WIDE[None])
        left = {"start": x, "middle": x - wide / 2, "end": x - wide}[one.attrib["text-anchor"]]
        assert left >= 0 and left + wide <= width and 10 <= y <= height - 4, one.text
    shown = {page.name for page in (paths.root() / "docs").glob("*.md") if f"({path.name})" in page.read_text()}
    assert shown, f"no page shows {path}"


def test_the_steps_show_the_cores_numbers() -> None:
    gae, tree = (pictures.DRAWN[name]().svg() for name in ("gae_steps", "sumtree_steps"))
    assert re.findall(r">(-?\d\.\d\d)<", gae)[-4:] == ["0.84", "0.60", "1.48", "1.40"]
    assert "9 &lt; 10: left" in tree and "slot 3, priority 2, drawn 2 times in 20" in tree


def test_no_page_has_a_diagram_of_characters_that_a_phone_cuts_off() -> None:
    for page in (paths.root() / "docs").glob("*.md"):
        for block in re.findall(r"^```\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL):
            arrows, corners = "►" in block or "▼" in block or "◄" in block, "┌" in block or "└─►" in block
            assert not (arrows and corners and max(map(len, block.splitlines())) > 50), f"{page.name}: {block}"
