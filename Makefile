# Needs python3 (3.11 or later) with its venv module, and make; everything else is installed into .venv.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test lint samples bench clean

demo: .venv/pbem
	rm -rf demo
	$(BIN)/pbem demo demo

test: .venv/dev
	$(BIN)/pytest -n 2

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/dev
	$(BIN)/python -m tests.benchmarks

samples: .venv/dev
	$(BIN)/python -m tests.samples

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/pbem: .venv/bin/python pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	touch $@

.venv/dev: .venv/bin/python pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@ .venv/pbem

clean:
	rm -rf .venv demo build dist .mypy_cache .ruff_cache .hypothesis
