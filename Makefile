# Every target sets itself up: Python 3.11 or newer and make are all that a machine needs.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
SPARK  := $(VENV)/.ready-spark

.PHONY: ready demo quick test tools check laws histories bench docs proofs clean help

help:            ## List the targets
	@grep -hE '^[a-z]+: .*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/'

ready: $(READY)  ## Make the Python environment in .venv

demo: $(READY)   ## All jobs on a generated network, in one HTML report
	$(BIN)/graphveil demo --out demo-out

quick: $(READY)  ## The quick tests, about a minute: no Spark, browser, PostgreSQL, real graphs or long statistics
	$(BIN)/python -m pytest -n 2 --quick

test: $(SPARK) tools   ## All tests but the long statistical ones
	$(BIN)/python -m pytest -n 2 --dist loadgroup -m "not laws"

tools:           ## PostgreSQL, Chromium and Java for the tests, from Debian's packages where we may install them
	@set --; \
	command -v pg_ctl >/dev/null || ls /usr/lib/postgresql/*/bin/pg_ctl >/dev/null 2>&1 || set -- "$$@" postgresql; \
	command -v chromium >/dev/null || command -v google-chrome >/dev/null || set -- "$$@" chromium; \
	command -v java >/dev/null || set -- "$$@" openjdk-17-jre-headless; \
	[ $$# = 0 ] || { [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -y -qq --no-install-recommends "$$@"; } >/dev/null 2>&1 || \
	  echo "missing here: $$* (apt-get install $$*); the tests that need them are skipped"

check: $(SPARK)  ## Lint, types, import contract
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

laws: $(SPARK)   ## The long statistical tests
	$(BIN)/python -m pytest -n 2 --dist loadgroup -m laws

COQ := coq libcoq-mathcomp-algebra libcoq-mathcomp-zify
proofs:          ## Check every proof in proofs/ with Coq, without axioms, and record what was proved (a minute or two)
	@command -v coqc >/dev/null && ls $$(coqc -where)/user-contrib/mathcomp/zify >/dev/null 2>&1 || { [ "$$(id -u)" = 0 ] && \
	  apt-get update -qq && apt-get install -y -qq --no-install-recommends $(COQ) >/dev/null 2>&1; } || \
	  { echo "proofs need Coq: apt-get install $(COQ)"; exit 1; }
	$(PYTHON) tools/check_proofs.py $(PROOF_OPTIONS)

histories: $(READY)  ## 10,000 generated fault histories of a collector
	$(BIN)/python -m pytest -n 2 -m laws tests/service/test_histories.py

bench: $(READY)  ## Every benchmark, one table each
	$(BIN)/python -m benchmarks

docs: $(READY)   ## Build the documentation into site/
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --group docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "graphveil needs Python 3.11 or newer: make PYTHON=python3.12 …"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[interop,service]" --group dev
	touch $@

$(SPARK): $(READY)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[all]"
	touch $@

clean:           ## Remove what the targets made
	rm -rf $(VENV) demo-out site .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
