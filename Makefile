# Minewright's workshop: `make` alone lists the targets. Works with GNU Make 3.81 (macOS) and newer.

PYTHON ?= python3
WORKERS ?= 2
BENCH ?= --quick
SERVE ?=

VENV := .venv
RUN := $(VENV)/bin/python
LOG := $(VENV)/log
KERNEL := $(wildcard src/kernel/*.cpp src/kernel/*.hpp)

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1

# Make has a default for CXX that CMake does not look at: only the user's own choice counts.
COMPILER := $(if $(filter default,$(origin CXX)),,$(CXX))
ifneq ($(COMPILER),)
export CXX
endif
MISSING = $(shell sh scripts/missing '$(PYTHON)' '$(COMPILER)')

# $(call step,sentence,command): say the sentence; show what the command says only if it fails.
step = @echo '$(1)'; { $(2); } >$(LOG) 2>&1 || { cat $(LOG) >&2; echo 'Failed: $(1)' >&2; exit 1; }
# $(call fetch,extras): install what the extras in pyproject.toml ask for.
fetch = $(RUN) scripts/requirements.py $(1) >$(VENV)/requirements && \
    $(RUN) -m pip install --no-compile -r $(VENV)/requirements

.PHONY: help setup play demo test check format screenshots golden bench wheel wheel-test clean
.DEFAULT_GOAL := help

help: ## List the targets.
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' Makefile | awk -F'|' '{ printf "make %-12s %s\n", $$1, $$2 }'

setup: $(VENV)/kernel ## Make .venv and build the kernel (the targets below do it too).

play: setup ## Start the web app and open it in the browser.
	@$(RUN) -m minewright serve --open $(SERVE)

demo: setup ## See Minewright at work in the terminal.
	@$(RUN) -m minewright.demo

test: setup ## Run the tests, and the examples of the documents.
	@sh scripts/chromium install >/dev/null || :
	@$(RUN) -m pytest -rs -n $(WORKERS)

check: setup ## Check style, types and formatting (ruff, mypy --strict, clang-format).
	$(RUN) -m ruff check
	$(RUN) -m ruff format --check
	$(RUN) -m mypy --strict
	@echo 'clang-format --dry-run -Werror src/kernel/*'
	@$(VENV)/bin/clang-format --dry-run -Werror $(KERNEL)

format: setup ## Format the sources as `make check` wants them.
	$(RUN) -m ruff check --fix
	$(RUN) -m ruff format
	@echo 'clang-format -i src/kernel/*'
	@$(VENV)/bin/clang-format -i $(KERNEL)

screenshots: setup ## Take pictures of every page of the web app, in screenshots/.
	@$(RUN) scripts/screenshots.py

golden: setup ## Record a game of every strategy anew, in tests/golden.
	@$(RUN) scripts/golden.py

bench: setup $(VENV)/peers ## Measure: `minewright bench`, then inference against its peers.
	@$(RUN) -m minewright bench
	@$(RUN) benchmarks/inference.py $(BENCH)

wheel: setup ## Build the source archive and a wheel from it, in dist/.
	@rm -rf dist
	$(call step,Building the source archive and the wheel,$(RUN) -m build)
	@ls dist/*

wheel-test: wheel ## Install that wheel into an empty environment elsewhere and try it there.
	@sh scripts/wheel-test '$(PYTHON)' dist/*.whl

clean: ## Remove all that make has made.
	rm -rf $(VENV) build dist screenshots .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamps. An environment holds its own absolute path: after a move, or when its Python is gone,
# it is made anew.
ifneq ($(shell test -x $(RUN) && cat $(VENV)/place 2>/dev/null),$(CURDIR))
.PHONY: $(VENV)/place
endif

$(VENV)/place:
	@$(if $(MISSING),$(error $(MISSING)))
	@mkdir -p $(VENV)
	$(call step,Making $(VENV),$(PYTHON) -m venv $(if $(wildcard $@),--clear) $(VENV))
	@printf '%s\n' '$(CURDIR)' >$@

$(VENV)/tools: $(VENV)/place pyproject.toml
	$(call step,Fetching tools and libraries (pip),$(call fetch,web test dev))
	@touch $@

$(VENV)/kernel: $(VENV)/tools CMakeLists.txt src/kernel $(KERNEL)
	@$(if $(MISSING),$(error $(MISSING)))
	$(call step,Building the kernel (C++),\
	    $(RUN) -m pip install --no-compile --no-build-isolation --no-deps -e .)
	@touch $@

$(VENV)/peers: $(VENV)/tools
	$(call step,Fetching the peers to measure against (pip),$(call fetch,bench))
	@touch $@
