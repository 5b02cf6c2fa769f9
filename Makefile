PYTHON ?= python3
PIP = .venv/bin/python -m pip install -qq --disable-pip-version-check --no-build-isolation --require-hashes
LOCK = .venv/bin/uv pip compile --quiet --upgrade --generate-hashes --universal --python-version 3.11 --no-header --no-emit-index-url

# A stamp carries the checksum of its lock file in its name: what is installed already is not installed again.
stamp = .make/$(1)-$(firstword $(shell cat requirements/build.txt requirements/$(1).txt | cksum))

.DELETE_ON_ERROR:
.PHONY: help run test lint check bench endurance lock clean

help:  ## List what make can do.
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20

run: $(call stamp,run)  ## Serve a demo house on this machine; PORT and HOST say where.
	@echo "Opening the house with its demo tables. Press Ctrl-C to close it."
	@exec env BEANPOST_DEMO=1 .venv/bin/python manage.py serve

test: $(call stamp,test)  ## Run all tests, on SQLite and on PostgreSQL.
	@exec .venv/bin/python -m tools.test

lint: $(call stamp,test)  ## Check style, format, templates, types and imports.
	@exec .venv/bin/python -m tools.lint

check: lint test  ## Everything that must be green before a change is shared.

bench: $(call stamp,test)  ## Print figures: moves, replays and letters per second.
	@exec .venv/bin/python -m tools.bench

lock:  $(call stamp,lock)  ## Choose dependencies anew within pyproject.toml and write requirements/.
	@echo "Choosing dependencies and writing requirements/."
	@$(LOCK) --group build -o requirements/build.txt
	@$(LOCK) --group lock -o requirements/lock.txt
	@$(LOCK) pyproject.toml -o requirements/run.txt
	@$(LOCK) pyproject.toml --extra test --extra lint -c requirements/run.txt -o requirements/test.txt
	@$(LOCK) pyproject.toml --extra services -c requirements/run.txt -o requirements/services.txt

clean:  ## Remove the virtual environment and every cache; var/, the demo's data, stays.
	rm -rf .venv .make .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/pyvenv.cfg:
	@tools/make-venv $(PYTHON)

.make/%: .venv/pyvenv.cfg
	@echo "Installing requirements/$(firstword $(subst -, ,$*)).txt into .venv."
	@$(PIP) -r requirements/build.txt
	@$(PIP) -r requirements/$(firstword $(subst -, ,$*)).txt
	@mkdir -p .make && touch $@
