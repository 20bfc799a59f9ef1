# `make run` needs the runtime packages only; `make test` and `make build` need the pipeline's too.
PYTHON ?= python3
RUN := .venv/bin/python
DEV := .venv-dev/bin/python
INSTALL := -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: run test lint bench build

run: .venv/installed
	@$(RUN) -m bot

test: lint .venv/installed
	$(DEV) -m pytest -q

lint: .venv-dev/installed
	$(DEV) -m ruff check .
	$(DEV) -m ruff format --check .
	$(DEV) -m mypy

bench: .venv-dev/installed
	OPENBLAS_NUM_THREADS=1 $(DEV) -m pipeline.bench
	$(DEV) -m tests.load

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
