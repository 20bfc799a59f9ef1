# `make run` needs the runtime packages only; `make test` and `make build` need the pipeline's too.
PYTHON ?= python3
RUN := .venv/bin/python
DEV := .venv-dev/bin/python
INSTALL := -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: run test lint chromium bench build

run: .venv/installed
	@$(RUN) -m bot

test: lint chromium .venv/installed
	$(DEV) -m pytest -q

lint: .venv-dev/installed
	$(DEV) -m ruff check .
	$(DEV) -m ruff format --check .
	$(DEV) -m mypy

# The tests look at the page, with fonts that have Cyrillic letters and emoji.
chromium: SUDO = $(shell [ "$$(id -u)" = 0 ] || command -v sudo)
chromium:
	@command -v chromium || command -v chromium-browser || command -v google-chrome || { \
	$(SUDO) apt-get update && $(SUDO) apt-get install --yes --no-install-recommends \
	chromium fonts-noto-color-emoji fonts-dejavu-core; } || \
	echo "The tests need Chromium: install it, or run .venv-dev/bin/playwright install chromium"

bench: .venv-dev/installed
	OPENBLAS_NUM_THREADS=1 $(DEV) -m pipeline.bench
	OPENBLAS_NUM_THREADS=1 $(DEV) tests/tools/load.py

build: .venv-dev/installed
	$(DEV) -m pipeline.build $(ARGS)

.venv/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(RUN) $(INSTALL) --editable .
	@touch $@

.venv-dev/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv-dev
	$(DEV) $(INSTALL) --editable '.[pipeline,test]'
	@touch $@
