# Needs python3 (3.11 or later) with its venv module, and make; everything else is installed into .venv.
PYTHON ?= python3
BIN := .venv/bin
# So many tests run side by side.
WORKERS ?= 2
# Tests start programs by the hundred; what Python has compiled is kept, whoever calls make.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: scripts site man recording demo test test-quick test-random reach mutants test-kills test-worlds test-postgres test-mail test-farm test-browser test-bare test-shells ci-part screens lint samples texts docs bench bench-before bench-peers clean

demo: .venv/pbem
	rm -rf demo
	$(BIN)/pbem demo demo

# Words of the program are scrambled, so that no test holds a sentence; then come the few that need the words.
test: .venv/dev
	$(BIN)/pytest -n $(WORKERS) -rs -p tests.scrambled
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -rs -m wording $$(grep -rl --include='test_*.py' mark.wording tests)
	@echo "Left out: the tests with a real mail server, which is started and stopped by: make test-mail"
	@echo "Left out: the tests in a real browser: make test-browser"
	@echo "Left out: the tests with a PostgreSQL server: make test-postgres"
	@echo "Left out: the container's steps in a bare Debian, and what pip, pipx and uv install: make test-bare"
	@echo "Left out: games on several machines that are killed and cut off: make test-farm"
	@echo "Left out: fifty games of each rules, in which worlds are compared: make test-worlds"
	@echo "Left out: completion in real shells, and manual pages: make test-shells"
	@echo "Left out: commands stopped at every step, power cuts and full disks: make test-kills"

# What changed, checked in a minute, against the last commit or another: make test-quick SINCE=main~3
test-quick: .venv/dev
	$(BIN)/python -m tests.quick $(SINCE)

# The same tests as `make test` in another order, to find those that lean on one another: make test-random SEED=2
test-random: .venv/dev
	$(BIN)/pytest -n $(WORKERS) --random-order --random-order-seed=$(or $(SEED),1)

# Which tests reach which lines, for test-quick and mutants; some minutes, now and then.
reach: .venv/dev
	$(BIN)/python -m tests.reach

# Small errors put into the program, to see a test find each: make mutants [N=400] [FILES=pbem/...] [AGAIN=1]
mutants: .venv/dev
	$(BIN)/python -m tests.mutants $(if $(N),--most $(N)) $(if $(AGAIN),--again) $(FILES)

test-kills: .venv/dev
	$(BIN)/pytest -n $(WORKERS) -m kills tests/edge tests/hosting tests/mail

test-worlds: .venv/dev
	$(BIN)/pytest -n $(WORKERS) -m worlds tests/rules tests/docs tests/edge/test_simulate.py tests/behaviour

# Needs on Debian: apt install postgresql
test-postgres: .venv/dev
	@$(BIN)/python -m tests.store.pgserver
	$(BIN)/pytest -n $(WORKERS) -m postgres tests/store tests/work tests/behaviour

# Needs root, and on Debian: apt install postfix dovecot-imapd dovecot-lmtpd swaks gpg gpg-agent gpgv
test-mail: .venv/dev
	@$(BIN)/python -m tests.mail.stack
	$(BIN)/pytest -m mailstack tests/mail

# Needs what test-postgres and test-mail need.
test-farm: .venv/dev
	@$(BIN)/python -m tests.farm.farm
	$(BIN)/pytest -s -m farm tests/farm

# Needs on Debian: apt install chromium-headless-shell nodejs npm
test-browser: .venv/dev node_modules
	@$(BIN)/python -m tests.browser.chromium
	$(BIN)/pytest -n $(WORKERS) -m browser tests/browser

# Needs root, and on Debian: apt install debootstrap
test-bare: .venv/dev
	@$(BIN)/python -m tests.edge.bare
	$(BIN)/pytest -m bare tests/edge tests/docs

# Needs on Debian: apt install zsh fish man-db
test-shells: .venv/dev
	@$(BIN)/python -m tests.cli.shells
	$(BIN)/pytest -n $(WORKERS) -m shells tests/cli

# One part of what .ci/run runs, with its seconds and its slowest tests: make ci-part PART=kills
ci-part:
	@$(PYTHON) -I .ci/parts.py $(PART)

# The workshop of the order pages' scripts: types, rules, bundles. Needs on Debian: apt install nodejs npm
node_modules: package.json package-lock.json
	npm ci --silent
	touch $@

lint: .venv/dev node_modules
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache --no-logo
	node_modules/.bin/tsc --project tsconfig.json
	node_modules/.bin/eslint templates pbem/rules tests/browser

# How each report looks, as tests/browser/test_screens.py compares it.
screens: .venv/dev node_modules
	$(BIN)/python -m tests.browser.screens

bench: .venv/dev
	$(BIN)/python -m tests.benchmarks

# This program against an older revision of it, in turn: make bench-before REV=v0.1 [PART=run]
bench-before: .venv/dev
	$(BIN)/python -m tests.benchmarks.before $(REV) $(PART)

# Other people's packages, in an environment of their own.
bench-peers: .venv-peers/done
	.venv-peers/bin/python -m tests.benchmarks.peers

.venv-peers/done: pyproject.toml
	$(PYTHON) -m venv .venv-peers
	.venv-peers/bin/pip install --quiet --disable-pip-version-check --editable . \
		--editable examples/tic-tac-toe diplomacy open_spiel pettingzoo pygame rlcard
	touch $@

# Made anew, and the golden games with them, when rules or reports were changed on purpose.
samples: .venv/dev
	$(BIN)/python -m tests.samples
	$(BIN)/python -m tests.behaviour.games

# What the program says, as files to look at the difference of.
texts: .venv/dev
	$(BIN)/python -m tests.texts

# Made anew when a script of the form pages was changed.
scripts: .venv/dev node_modules
	$(BIN)/python -m tests.docs.make_scripts

docs: .venv/dev
	$(BIN)/python -m tests.docs.make_readings
	$(BIN)/python -m tests.docs.make_tables
	$(BIN)/python -m tests.docs.make_book
	$(BIN)/python -m tests.docs.make_pictures
	$(BIN)/python -m tests.docs.make_consoles
	$(BIN)/python -m tests.docs.make_recording
	-$(BIN)/python -m tests.docs.make_form

# A first session as a picture that moves, for the start page and README.md.
recording: .venv/dev
	$(BIN)/python -m tests.docs.make_recording

# Manual pages, for those who package the program: build/man.
man: .venv/dev
	$(BIN)/python -m tests.docs.make_man

# These documents as pages that open from disk: build/site/index.html.
site: .venv/site
	rm -rf build/site
	$(BIN)/sphinx-build -q -W --keep-going -b html docs build/site
	@echo "Open build/site/index.html."

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/pbem: .venv/bin/python pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	touch $@

# Sphinx, and the theme of the pages.
.venv/site: .venv/bin/python pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[site]'
	touch $@ .venv/pbem

.venv/dev: .venv/bin/python pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@ .venv/pbem

clean:
	rm -rf .before .venv .venv-peers node_modules demo build dist .mypy_cache .ruff_cache .hypothesis
