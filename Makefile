# Nothing is needed beforehand but Python 3.11 or newer, make and git. `make help` lists the commands.
PYTHON ?= python3
BIN := $(CURDIR)/.venv/bin
export PATH := $(BIN):$(PATH)
# Servers and cells start in half the time once their modules are compiled.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup run test lint bench fuzz screenshots reference lock

help: ## list the commands
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1	\2/' | expand -t 18

setup: ## make .venv and the web build; does nothing when both are up to date
	@$(PYTHON) scripts/setup.py

run: setup ## start the app with an example notebook and open it in a browser
	@$(BIN)/trailbook

test: setup ## run every test: unit, property, integration and browser
	@$(BIN)/python scripts/test_needs.py
	@$(BIN)/pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder

lint: setup ## check style, types and layers, of the Python and the web code
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo
	@npm --prefix web run --silent lint
	@npm --prefix web run --silent typecheck

bench: setup ## run the benchmarks one after the other; each ends with a line of JSON
	@$(BIN)/python scripts/bench.py

fuzz: setup ## hold caveats against possible worlds until stopped, or with OF=schedules cells against a serial run; SEED=n CASES=n
	@$(BIN)/python -m scripts.fuzz

screenshots: setup ## take the pictures of docs/ anew
	@$(BIN)/python -m scripts.screenshots

reference: setup ## write the tables of options in docs/ anew
	@$(BIN)/python scripts/reference.py

lock: setup ## write the lock files anew from pyproject.toml and web/package.json
	@$(BIN)/python scripts/lock.py
