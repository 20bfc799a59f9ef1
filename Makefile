# `make` alone lists the targets. `make run` needs the runtime packages only; everything else needs the pipeline's too.
PYTHON ?= python3
RUN := .venv/bin/python
DEV := .venv-dev/bin/python
INSTALL := -m pip install --quiet --disable-pip-version-check
# The lock files name every package and its hash: first what installs the others, then the others.
LOCKED := $(INSTALL) --require-hashes --no-build-isolation --requirement
# Quieter still: setuptools warns of editable installations as such.
OURS := $(INSTALL) --quiet --no-deps --no-build-isolation --editable .
SUDO = $(shell [ "$$(id -u)" = 0 ] || command -v sudo)
NPM := $(shell command -v npm)

.DEFAULT_GOAL := help
.PHONY: help run test test-fast lint format chromium postgresql bench soak build lock

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: .venv/installed ## Start the bot: on Telegram with TELEGRAM_TOKEN, otherwise as a chat in your browser
	@$(RUN) -m bot

test: lint chromium postgresql .venv/installed ## Check everything; installs .venv, .venv-dev (2 GB) and, with apt-get, Chromium and PostgreSQL if they are missing
	$(DEV) -m pytest -q

test-fast: .venv-dev/installed .venv/installed ## Run the tests that need neither a browser nor patience
	$(DEV) -m pytest -q -m "not browser and not slow"

lint: .venv-dev/installed $(if $(NPM),node_modules/installed) ## Check style and types, and the page's JavaScript where npm is there
	$(DEV) -m ruff check .
	$(DEV) -m ruff format --check .
	$(DEV) -m mypy
	$(if $(NPM),npm run --silent lint,@echo "npm is missing, so the page's JavaScript was not checked.")

format: .venv-dev/installed $(if $(NPM),node_modules/installed) ## Bring every file into the agreed form
	$(DEV) -m ruff check --fix .
	$(DEV) -m ruff format .
	$(if $(NPM),npm run --silent format,@echo "npm is missing, so the page's JavaScript was left as it is.")

# The browser tests read the page, so it needs fonts with Cyrillic letters and emoji.
chromium: ## Install Chromium and two fonts with apt-get, unless there is a browser
	@command -v chromium || command -v chromium-browser || command -v google-chrome || { \
	echo "Installing Chromium and two fonts with apt-get, for the browser tests. make test-fast needs none."; \
	$(SUDO) apt-get update && $(SUDO) apt-get install --yes --no-install-recommends \
	chromium fonts-noto-color-emoji fonts-dejavu-core; } || \
	echo "The tests need Chromium: install it, or run .venv-dev/bin/playwright install chromium"

# Debian's package also starts a server of its own, which the tests do not use, unless it is told not to.
postgresql: ## Install PostgreSQL with apt-get, unless it is there
	@command -v postgres || ls /usr/lib/postgresql/*/bin/postgres 2>/dev/null || { \
	echo "Installing PostgreSQL with apt-get, for the tests of the state in a database; without it they are skipped."; \
	$(SUDO) apt-get update && $(SUDO) apt-get install --yes --no-install-recommends postgresql-common && \
	$(SUDO) sed -i 's/^#\?create_main_cluster.*/create_main_cluster = false/' /etc/postgresql-common/createcluster.conf && \
	$(SUDO) apt-get install --yes --no-install-recommends postgresql; } || \
	echo "The tests of the state in PostgreSQL are skipped: install it, to run them."

bench: .venv-dev/installed .venv/installed ## Time encoding, searching and the bot under load
	OPENBLAS_NUM_THREADS=1 $(DEV) -m pipeline.bench
	PYTHONPATH=.:tests $(DEV) tests/tools/load.py

soak: .venv-dev/installed .venv/installed ## Let 500 people do 100,000 things while Telegram fails and the bot is killed (half an hour)
	PYTHONPATH=.:tests $(DEV) tests/tools/soak.py $(ARGS)

build: .venv-dev/installed ## Build the artifacts; options go into ARGS="--corpus mine.tsv --out my-artifacts"
	$(DEV) -m pipeline.build $(ARGS)

lock: .cache/lock/installed ## Write requirements/ anew from pyproject.toml; ARGS=--upgrade takes the newest versions
	.cache/lock/bin/python requirements/lock.py $(ARGS)

.venv/installed: pyproject.toml requirements/installer.txt requirements/runtime.txt
	@echo "Installing the bot's packages into .venv (0.3 GB)."
	$(PYTHON) -m venv .venv
	$(RUN) $(LOCKED) requirements/installer.txt
	$(RUN) $(LOCKED) requirements/runtime.txt
	$(RUN) $(OURS)
	@touch $@

.venv-dev/installed: pyproject.toml $(addprefix requirements/,installer.txt torch-cpu.txt test.txt cuda.txt)
	@echo "Installing the packages for building and testing into .venv-dev (2 GB)."
	$(PYTHON) -m venv .venv-dev
	$(DEV) $(LOCKED) requirements/installer.txt
	@$(DEV) $(LOCKED) requirements/torch-cpu.txt --no-deps 2>/dev/null || \
	echo "No index here has torch without CUDA: taking PyPI's, which on Linux brings 4 GB of CUDA."
	$(DEV) $(LOCKED) requirements/test.txt --constraint requirements/cuda.txt
	$(DEV) $(OURS)
	@touch $@

.cache/lock/installed: Makefile
	$(PYTHON) -m venv .cache/lock
	.cache/lock/bin/python $(INSTALL) 'uv>=0.9'
	@touch $@

node_modules/installed: package.json package-lock.json
	@echo "Installing the checkers of the page's JavaScript into node_modules."
	npm ci --silent --no-audit --no-fund
	@touch $@
