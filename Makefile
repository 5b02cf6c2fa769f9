PYTHON ?= python3
IN = .venv/bin/
PIP = $(IN)python -m pip install -qq --disable-pip-version-check --no-build-isolation --require-hashes
LOCK = $(IN)uv pip compile --quiet --upgrade --generate-hashes --universal --python-version 3.11 --no-header
LONG = -o faulthandler_timeout=7200  # seconds that one test of a long run may take
TEMPLATES = find beanpost -path "*templates*" -name "*.html"  # Django's, of the admin; djade does not know Jinja2

# A stamp has the checksum of its lock file in its name: what is installed is not installed again.
installed = .make/$(1)-$(firstword $(shell cat requirements/build.txt requirements/$(1).txt | cksum))

.DELETE_ON_ERROR:
.PHONY: help run install test format lint check messages bench endurance replay-all stage load chaos restore secrets fuzz fuzz-mail services lock clean

help:  ## List what make can do.
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20

run: $(call installed,run)  ## Open a demo house on this machine; PORT and HOST say where.
	@echo "Opening the house with its demo tables."
	@BEANPOST_DEMO=1 exec $(IN)python manage.py serve

install: $(call installed,run)  ## Fetch what a house needs to run, and open nothing.

test: $(call installed,test)  ## Run all tests: on SQLite, in a browser, on PostgreSQL.
	@exec $(IN)python -m tools.test

format: $(call installed,test)  ## Put code and templates into the one format.
	$(IN)ruff check --fix-only
	$(IN)ruff format
	$(TEMPLATES) | xargs -r $(IN)djade || true  # it fails when it has changed something

lint: $(call installed,test)  ## Check style, format, templates, types, migrations and imports.
	$(IN)ruff check
	$(IN)ruff format --check
	$(TEMPLATES) | xargs -r $(IN)djade --check
	SECRET_KEY=only-for-reading-the-settings $(IN)mypy
	SECRET_KEY=only-for-reading-the-settings $(IN)python manage.py makemigrations --check --dry-run
	$(IN)lint-imports

check: lint test  ## All that must be green before a change is shared.

messages: $(call installed,test)  ## Gather and compile the texts to translate.
	@SECRET_KEY=only-for-reading-the-settings $(IN)python -m tools.catalogues

bench: $(call installed,test)  ## Print figures: moves, replays and letters per second.
	@exec $(IN)python -m tools.bench

endurance: $(call installed,test)  ## Play for long: ENDURANCE says how many games of each kind, SEASON how many matches, LETTERS how many letters.
	@$(IN)python -m tools.chromium
	@exec $(IN)python -m pytest -q -n2 $(LONG) tests/endurance

replay-all: $(call installed,test)  ## Play the stored games again: every edition of the rules says what it always said.
	@exec $(IN)python -m tools.corpus

stage: $(call installed,test)  ## Open the whole house as a host runs it: PostgreSQL, Redis, nginx, two of each process.
	@exec $(IN)python -m proof.stage $(STAGE)

load: $(call installed,test)  ## Play at rising rates through that house: LOAD tables, LOAD_SECONDS for each rate.
	@exec $(IN)python -m proof.load

chaos: $(call installed,test)  ## Break that house in every way while people play: nothing may be lost. CHAOS tables.
	@exec $(IN)python -m proof.chaos

restore: $(call installed,test)  ## Dump that house while people play, restore it into a new database, and play on.
	@exec $(IN)python -m proof.restore

secrets: $(call installed,test)  ## Compare many pairs of worlds that differ in hidden cards: SECRETS moments of every kind.
	@SECRETS=$${SECRETS:-25} exec $(IN)python -m pytest -q -n2 $(LONG) tests/house/test_secrets.py

fuzz: $(call installed,test)  ## Send much that nobody would: FUZZ examples for each kind of input.
	@FUZZ=$${FUZZ:-2000} exec $(IN)python -m pytest -q -n2 $(LONG) tests/house/test_hostile.py tests/house/test_hostile_mail.py

fuzz-mail: $(call installed,test)  ## Send MAILS made-up and mutated mails through every way in.
	@MAILS=$${MAILS:-200000} exec $(IN)python -m pytest -q -n2 -rP --show-capture=stdout $(LONG) tests/house/test_hostile_mail.py

services: $(call installed,services)  ## Fetch servers for tests on a machine that has none.

lock: $(call installed,lock)  ## Choose dependencies anew, as pyproject.toml allows, and write requirements/.
	@echo "Choosing dependencies and writing requirements/."
	@$(LOCK) --group build -o requirements/build.txt
	@$(LOCK) --group lock -o requirements/lock.txt
	@$(LOCK) pyproject.toml -o requirements/run.txt
	@$(LOCK) pyproject.toml --extra test --extra lint -c requirements/run.txt -o requirements/test.txt
	@$(LOCK) pyproject.toml --extra services -c requirements/run.txt -o requirements/services.txt

clean:  ## Remove the virtual environment and all caches; var/, the demo's memory, stays.
	rm -rf .venv .make .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/pyvenv.cfg:
	@tools/make-venv $(PYTHON)

.make/%: lock = requirements/$(firstword $(subst -, ,$*)).txt
.make/%: .venv/pyvenv.cfg
	@echo "Installing $(lock) into .venv."
	@$(PIP) -r requirements/build.txt
	@$(PIP) -r $(lock)
	@mkdir -p .make && touch $@
