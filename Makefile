# `make` or `make help` lists the targets. Every one of them first does what the set-up lacks.
PYTHON_BIN := .venv/bin/python
JOBS ?= 2
NPM := .venv/bin/npm --prefix web --silent
PYTEST := .venv/bin/pytest -q -n $(JOBS)
# What every build of the engine must pass; the rest of the tests does not depend on the build.
ENGINE_TESTS := tests/unit tests/rules tests/property

.DEFAULT_GOAL := help
.PHONY: help setup setup-test play build check test test-uncompiled test-sanitized bench bench-page bench-env bench-server audit dist docs lock pictures

help:
	@echo "make play     the table server, opened in a browser where there is a display;"
	@echo "              make play HOST=0.0.0.0 for friends in the local network"
	@echo "make test     every check and every test (what continuous integration runs)"
	@echo "make check    format, lint, types, imports"
	@echo "make build    compile the engine in place, build the page"
	@echo "make bench    the benchmarks (writes benchmarks/results.md); make bench-page: those of the page;"
	@echo "              make bench-env: the environments, beside those of other card games;"
	@echo "              make bench-server: the server under load, beside another one"
	@echo "make docs     the documents as a site in build/site"
	@echo "make audit    the known faults of the packages that the locks name"
	@echo "make pictures the pictures of the README (writes docs/images)"
	@echo "make dist     source distribution and wheel in dist/"
	@echo "make setup    only the set-up: tools, .venv, engine, page"
	@echo "make lock     write the locks of the dependencies anew"

setup:
	@sh scripts/setup.sh

setup-test:
	@sh scripts/setup.sh test

build: setup

# `exec`: signals reach the server itself, which stops cleanly and ends with 0. `make play HOST=0.0.0.0` lets the local
# network in; only as an argument of make, since shells set a variable of that name themselves.
play: setup
	@exec .venv/bin/buraco serve --data "$${BURACO_DATA:-.data}" --open $(if $(findstring command,$(origin HOST)),--host "$(HOST)")

check: setup
	.venv/bin/ruff format --check
	.venv/bin/ruff check
	.venv/bin/mypy
	.venv/bin/lint-imports --no-logo
	$(PYTHON_BIN) scripts/shift_lint.py
	$(PYTHON_BIN) scripts/name_lint.py
	$(NPM) run lint
	$(NPM) run check

test-uncompiled: setup-test
	BURACO_PURE=1 $(PYTEST) $(ENGINE_TESTS)

test-sanitized: setup-test
	$(PYTHON_BIN) scripts/sanitize.py $(PYTEST) $(ENGINE_TESTS)

# The browser tests have a process of their own: while Playwright runs, no other event loop can start in its thread. The
# compiled run is the last, with all the other tests there are: its summary ends the output.
test: setup-test check test-uncompiled test-sanitized
	$(NPM) run test
	$(PYTEST) --dist worksteal tests/e2e
	$(PYTEST) --ignore=tests/e2e

# The pictures of the README, taken anew from the pages as they are.
pictures: setup-test
	$(PYTHON_BIN) -m scripts.pictures

bench: setup
	@sh scripts/setup.sh bench
	.venv-bench/bin/python -m benchmarks

bench-page: setup-test
	$(PYTHON_BIN) -m benchmarks.web

bench-env: setup
	@sh scripts/setup.sh bench
	.venv-bench/bin/python -m benchmarks.env

# The machine should have nothing else to do.
bench-server: setup
	@sh scripts/setup.sh bench
	$(PYTHON_BIN) -m benchmarks.server

docs: setup
	NO_MKDOCS_2_WARNING=1 $(PYTHON_BIN) -m mkdocs build --strict
	@echo "docs: the site is in build/site: open build/site/index.html"

audit: setup
	@sh scripts/setup.sh audit
	$(PYTHON_BIN) -m scripts.audit

dist: setup
	$(PYTHON_BIN) -m build --no-isolation

lock: setup
	sh scripts/lock.sh
