# Everything a newcomer types. Each target makes .venv from uv.lock first when it is missing or stale.
# Needs: Python >= 3.11, g++, make, perl.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.rlcores-stamp

# What uv.lock says, into .venv; an extra may follow. uv comes from PATH, or as a wheel.
SYNC = if command -v uv >/dev/null 2>&1; then uv=uv; else uv=$(BIN)/uv; \
	  [ -x $$uv ] || { $(PYTHON) -m venv $(VENV) && $(BIN)/python -m pip install -q uv; }; fi && \
	UV_PROJECT_ENVIRONMENT=$(VENV) $$uv sync --frozen --inexact --extra lab --quiet --python "$$($(PYTHON) -c 'import sys; print(sys.executable)')"

.PHONY: help venv demo test lint tidy sanitize regress docs ulx3s ulx3s-learns colorlight-i9 clean needs

help:
	@echo "make venv     the environment .venv, which the other targets make when they need it"
	@echo "make demo     a chip learns CartPole, simulated from power-on: its curve while it learns, and a picture"
	@echo "make test     lint, and all tests but the slow"
	@echo "make lint     ruff, types of the public interface, slang and Verilator on every core"
	@echo "make tidy     what clang-tidy finds in the engine's C++"
	@echo "make sanitize the engine's tests under the detectors of memory errors, undefined behaviour and races"
	@echo "make regress  the slow tests, and the UVM regression: configurations x seeds x simulators, build/regress/report.html"
	@echo "make docs     the documentation as a site, in build/docs; a broken link fails"
	@echo "make ulx3s    the bitstream of the ULX3S, placed and routed: a quarter of an hour"
	@echo "make ulx3s-learns  the bitstream that learns CartPole by itself"
	@echo "make colorlight-i9  the bitstream of a replay server behind gigabit Ethernet; brings LiteEth into .venv"
	@echo "make clean    remove what was built (build/); .venv stays"

venv: $(STAMP)
	@echo "use it with: export PATH=$$PWD/$(BIN):\$$PATH"

demo: $(STAMP)
	@$(BIN)/rlcores demo

# Three at once on two cores: tests of the server and of runs on it wait more than they compute.
test: lint
	@$(BIN)/pytest -n 3 -m "not slow"

lint: $(STAMP)
	@if [ "$$(clang-format --version 2>/dev/null | grep -o 'version [0-9]*')" = "version 14" ]; then \
	  git ls-files '*.cpp' '*.hpp' '*.h' | xargs clang-format --dry-run -Werror; \
	else echo "the layout of C++ is not checked: that needs clang-format 14, the system package 'clang-format'"; fi
	@$(BIN)/ruff check .
	@said=$$($(BIN)/lint-imports --no-logo --no-cache) || { echo "$$said"; exit 1; }
	@$(BIN)/mypy --no-error-summary
	@said=$$($(BIN)/pyright) || { echo "$$said"; exit 1; }
	@$(BIN)/rlcores lint

# What clang-tidy finds in the engine, by .clang-tidy; needs the system packages clang and clang-tidy.
tidy: $(STAMP)
	@CXX=clang++ $(BIN)/cmake -S tools/rlcores/native -B build/tidy -G Ninja -D CMAKE_MAKE_PROGRAM=$$PWD/$(BIN)/ninja \
	  -D RLCORES_PYTHON=OFF -D CMAKE_UNITY_BUILD=OFF -D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON -D CMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null
	@printf '%s\n' tools/rlcores/native/engine/*.cpp | xargs -P 2 -n 4 clang-tidy -p build/tidy --quiet

# The tests' calls of the engine again, under the detectors of memory errors, undefined behaviour and races.
sanitize: $(STAMP)
	@$(BIN)/pytest -q -m slow verif/native/test_native_machines.py verif/native/test_native_stress.py -k "detectors or races or memory"

regress: $(STAMP)
	@$(BIN)/rlcores lint --whole
	@$(BIN)/pytest -n 2 -m slow
	@$(BIN)/rlcores regress --structural

docs: $(STAMP)
	@$(SYNC) --extra docs
	@said=$$(NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict 2>&1) || { echo "$$said"; exit 1; }
	@echo "written: build/docs/index.html"

ulx3s: $(STAMP)
	@$(BIN)/fusesoc run --target ulx3s rlcores:system:serial

ulx3s-learns: $(STAMP)
	@$(BIN)/fusesoc run --target ulx3s rlcores:system:learns

# FuseSoC runs LiteEth with the python3 of PATH.
colorlight-i9: $(STAMP)
	@$(SYNC) --extra liteeth
	@PATH="$$PWD/$(BIN):$$PATH" fusesoc run --target colorlight_i9 rlcores:constraints:colorlight_i9

clean:
	rm -rf build

# What no wheel can bring. One sentence each, before anything is built.
needs:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo "rlcores needs Python 3.11 or newer as '$(PYTHON)'; give another one with: make PYTHON=python3.12" >&2; exit 1; }
	@for tool in g++ make perl; do command -v $$tool >/dev/null 2>&1 || \
	  { echo "rlcores needs the system package '$$tool', which is not installed" >&2; exit 1; }; done

# What the native engine is built from.
NATIVE := $(shell find tools/rlcores/native tools/rlcores/net/include -name '*.?pp' -o -name CMakeLists.txt)

# `needs` is order-only, so that it is checked each time and never makes the environment stale.
$(STAMP): uv.lock pyproject.toml lab/pyproject.toml $(NATIVE) | needs
	@$(SYNC)
	@mkdir -p build && touch build/FUSESOC_IGNORE $(VENV)/FUSESOC_IGNORE $@
