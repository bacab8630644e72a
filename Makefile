# Every command of the project. `make help` lists them; each sets up what it needs.

PYTHON ?= python3
PORT   ?= 8000
BENCH  ?= $(notdir $(basename $(wildcard benchmarks/*.py)))
# Where the first set-up has torch from; empty: pip's own index, or PyTorch's CPU builds where CUDA would come for nothing.
export TORCH_INDEX ?=

VENV  := .venv
BIN   := $(VENV)/bin
READY := $(VENV)/ready
BIOME_VERSION := 2.6.6
BIOME := .cache/biome/$(BIOME_VERSION)/node_modules/.bin/biome
TYPESCRIPT_VERSION := 7.0.2
TSC := .cache/typescript/$(TYPESCRIPT_VERSION)/node_modules/.bin/tsc
export PATH := $(CURDIR)/$(BIN):$(PATH)

.DEFAULT_GOAL := help
.PHONY: help setup serve book test test-matrix quick figure lab lint format bench clean distclean browser biome

help:  ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(READY)  ## create .venv with everything pinned in requirements-dev.txt

$(READY): requirements.txt requirements-dev.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and f"setup: Python 3.11 or newer is needed, {sys.version.split()[0]} was found; try make PYTHON=python3.11")'
	@echo "setup: filling $(VENV) (the first time takes some minutes)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m web.builder.environment
	@touch $@

book: $(READY)  ## build the site into _build/html
	@python -m web.builder

serve: book  ## build the site and serve it on http://localhost:8000, built anew on every save (PORT=8001 for another)
	@python -m web.builder.server.serve --port $(PORT)

browser: $(READY)  ## install the browsers that the tests drive
	@python tests/browsers/packages.py

PYTEST := OMP_NUM_THREADS=1 python -m pytest -n logical --dist loadgroup --no-loadscope-reorder

test: book browser  ## run the tests, those in a real browser included, 10 minutes on two idle cores
	@echo "test: Python, JavaScript, pages in three browsers, JupyterLab, on every core"
	@$(PYTEST) -m "not matrix" $(ARGS)

test-matrix: book browser  ## run what repeats: older processors, every figure in each browser, every notebook
	@echo "test-matrix: older processors, every figure in Firefox and WebKit, every notebook in JupyterLab"
	@$(PYTEST) -m matrix $(ARGS)

quick: $(READY)  ## run the tests that need neither a site nor a browser, a minute on idle cores
	@OMP_NUM_THREADS=1 python -m pytest -n logical $(foreach part,core exercises plot widgets,attn/$(part) tests/$(part)) tests/js $(ARGS)

figure: $(READY)  ## show one figure from its sources, light or dark, reloaded on save (NAME=HeadSplitter)
	@python -m web.builder.server.figure_page "$(NAME)" --port $(PORT)

lab: $(READY)  ## open the chapters in JupyterLab
	@jupyter lab book/index.md

bench: $(READY)  ## measure, side by side; prints ratios (BENCH=chapters for one script)
	@for name in $(BENCH); do echo "bench: $$name"; PYTHONPATH=tests python -m benchmarks.$$name $(ARGS) || exit 1; done

lint: $(READY) $(BIOME) $(TSC)  ## check style, spelling, types and who imports whom
	@ruff check . && ruff format --check . && $(BIOME) check --error-on-warnings && $(TSC) && codespell && mypy && lint-imports

format: $(READY) biome  ## put the code in the project's style
	@ruff check --fix . && ruff format .

biome: $(BIOME)
	@$(BIOME) check --write

# One binary for JavaScript and CSS, kept in the download cache.
$(BIOME): | $(READY)
	@echo "lint: fetching Biome $(BIOME_VERSION)"
	@npm install --silent --no-audit --no-fund --prefix .cache/biome/$(BIOME_VERSION) @biomejs/biome@$(BIOME_VERSION)

# Reads the types in the comments of the JavaScript that tsconfig.json lists; it writes nothing.
$(TSC): | $(READY)
	@echo "lint: fetching TypeScript $(TYPESCRIPT_VERSION)"
	@npm install --silent --no-audit --no-fund --prefix .cache/typescript/$(TYPESCRIPT_VERSION) typescript@$(TYPESCRIPT_VERSION)

clean:  ## remove what a build made (the download cache stays)
	rm -rf _build build dist *.egg-info .cache/execution .pytest_cache .hypothesis .ruff_cache .mypy_cache .import_linter_cache

distclean: clean  ## remove the environment and the download cache too
	rm -rf $(VENV) .cache
