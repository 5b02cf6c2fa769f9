PYTHON ?= python3
IN = .venv/bin/
PIP = $(IN)python -m pip install -qq --disable-pip-version-check --no-build-isolation --require-hashes
LOCK = $(IN)uv pip compile --quiet --upgrade --generate-hashes --universal --python-version 3.11 --no-header
LONG = -o faulthandler_timeout=7200  # seconds; the limit for one test of a long run
TEMPLATES = find beanpost -path "*templates*" -name "*.html"  # the admin's Django templates; djade can't read Jinja2

# A stamp file carries the checksum of its lock file in its name, so make reinstalls only after a change.
installed = .make/$(1)-$(firstword $(shell cat requirements/build.txt requirements/$(1).txt | cksum))

.DELETE_ON_ERROR:
.PHONY: help run install test test-all format lint check messages bench large-site pictures endurance replay-all wheel stage load chaos crashes mailstack restore secrets pace walk modules fuzz fuzz-mail services lock clean

help:  ## List all targets.
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20

run: $(call installed,run)  ## Run a demo on this machine; set PORT and HOST to change its address.
	@echo "Starting the demo."
	@BEANPOST_DEMO=1 exec $(IN)python manage.py serve

install: $(call installed,run)  ## Install everything Beanpost needs to run.

test: $(call installed,test)  ## Run all tests: on SQLite, in a browser, and on PostgreSQL what it can break.
	@exec $(IN)python -m tools.test

test-all: $(call installed,test)  ## Run all tests on both databases, and in a browser.
	@exec $(IN)python -m tools.test all

format: $(call installed,test)  ## Format code and templates.
	$(IN)ruff check --fix-only
	$(IN)ruff format
	$(TEMPLATES) | xargs -r $(IN)djade || true  # djade fails if it changed a file

lint: $(call installed,test)  ## Check style, format, templates, types, migrations and imports.
	$(IN)ruff check
	$(IN)ruff format --check
	$(TEMPLATES) | xargs -r $(IN)djade --check
	SECRET_KEY=only-for-reading-the-settings $(IN)mypy
	SECRET_KEY=only-for-reading-the-settings $(IN)python manage.py makemigrations --check --dry-run
	SECRET_KEY=only-for-reading-the-settings $(IN)python -m tools.migrations
	$(IN)lint-imports

check: lint test  ## Run lint and all tests: do this before you share a change.

messages: $(call installed,test)  ## Extract and compile the texts to translate, in LOCALE if it is not ours.
	@SECRET_KEY=only-for-reading-the-settings $(IN)python -m tools.catalogues $(LOCALE)

large-site: $(call installed,test)  ## Fill PostgreSQL with LARGE running matches, and compare costs with a site of 1,000. Then move LINES lines of log there from SQLite.
	@$(IN)python -m tools.bench.large_site
	@exec $(IN)python -m tools.bench.move_database

bench: $(call installed,test)  ## Measure moves, replays and letters per second. MEASURES names some of the benchmarks, such as "rules turn".
	@exec $(IN)python -m tools.bench $(MEASURES)

pictures: $(call installed,test)  ## Draw the pictures for letters, and take those of the README and of the organisers' handbook.
	@$(IN)python -m tools.pictures
	@$(IN)python -m tools.letters en turn
	@exec $(IN)python -m tools.office

endurance: $(call installed,test)  ## Run long tests: ENDURANCE games of each kind, SEASON matches, LETTERS letters, BROWSER_GAMES, printed moves of MATCHES.
	@$(IN)python -m tools.chromium
	@MATCHES=$${MATCHES:-200} exec $(IN)python -m pytest -q -n2 $(LONG) tests/endurance tests/post/compose/test_printed_moves.py

replay-all: $(call installed,test)  ## Replay the stored games with every edition of the rules, and report differences.
	@exec $(IN)python -m tools.corpus

wheel: $(call installed,test)  ## Build the wheel into dist/: beanpost and games, with everything they need.
	$(IN)python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

stage: $(call installed,test)  ## Run the full deployment on this machine: PostgreSQL, Redis, nginx, two of each process. HOSTS=2 puts them on several.
	@exec $(IN)python -m tools.proof.$(if $(HOSTS),hosts,stage) $(STAGE)

load: $(call installed,test)  ## Load-test that deployment at rising rates: LOAD tables, LOAD_SECONDS per rate.
	@exec $(IN)python -m tools.proof.load

chaos: $(call installed,test)  ## Break that deployment while people play at CHAOS tables: nothing may be lost. FAULTS names some; HOSTS=2 cuts cables.
	@exec $(IN)python -m tools.proof.chaos $(FAULTS)

crashes: $(call installed,test)  ## Crash before and after every statement of a turn and of an organiser's work. CRASH_EVERY=9 tries every ninth place.
	@CRASH_EVERY=$${CRASH_EVERY:-1} exec $(IN)python -m tools.postgres $(IN)python -m pytest -q -s $(LONG) tests/site/test_crashes.py

mailstack: $(call installed,test)  ## Follow the recipe for a mail server with Debian's programs, and play through it. Needs root.
	@exec $(IN)python -m tools.proof.mailstack

restore: $(call installed,test)  ## Back that deployment up while people play, restore it to a new database, and play on.
	@exec $(IN)python -m tools.proof.restore

secrets: $(call installed,test)  ## Check that hidden cards don't leak: compare games that differ only in them, SECRETS moments of each kind.
	@SECRETS=$${SECRETS:-25} exec $(IN)python -m pytest -q -n2 $(LONG) tests/site/test_secrets.py

pace: $(call installed,test)  ## Play whole matches with models of people, and count days, stops, letters and presses. PACE seeds, PLANS pairs of games, TRADES games of suggested trades.
	@exec $(IN)python -m tools.proof.pace

walk: $(call installed,test)  ## Print the files and functions of ours that a click and a letter call.
	@exec $(IN)python -m tools.walk

modules:  ## Print every module and what it does; FOLDER prints some, such as beanpost/play.
	@$(PYTHON) -m tools.modules $(FOLDER)

fuzz: $(call installed,test)  ## Fuzz every kind of input, and histories of deadlines, with FUZZ examples each.
	@DATABASE_URL= FUZZ=$${FUZZ:-2000} exec $(IN)python -m pytest -q -n2 $(LONG) tests/site/test_hostile.py tests/site/test_hostile_mail.py tests/site/test_every_address.py tests/site/test_hostile_requests.py tests/leagues/seasons/test_tables.py tests/leagues/standings/test_referee.py tests/play/timekeeping/test_histories.py
	@FUZZ=$${FUZZ:-2000} exec $(IN)python -m tools.postgres $(IN)python -m pytest -q -n2 $(LONG) tests/site/test_hostile_requests.py

fuzz-mail: $(call installed,test)  ## Fuzz incoming mail: MAILS generated and mutated mails through every entry point.
	@MAILS=$${MAILS:-200000} exec $(IN)python -m pytest -q -n2 -rP --show-capture=stdout $(LONG) tests/site/test_hostile_mail.py

services: $(call installed,services)  ## Install PostgreSQL and Valkey for tests on a machine that has none.

lock: $(call installed,lock)  ## Resolve the dependencies in pyproject.toml again and write requirements/.
	@echo "Resolving dependencies and writing requirements/."
	@$(LOCK) --group build -o requirements/build.txt
	@$(LOCK) --group lock -o requirements/lock.txt
	@$(LOCK) pyproject.toml -o requirements/run.txt
	@$(LOCK) pyproject.toml --extra test --extra lint -c requirements/run.txt -o requirements/test.txt
	@$(LOCK) pyproject.toml --extra services -c requirements/run.txt -o requirements/services.txt

clean:  ## Remove the virtual environment and all caches; keep var/, the demo's data.
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
