# Minewright's workshop: `make` alone lists the targets. Works with GNU Make 3.81 (macOS) and newer.

PYTHON ?= python3
# More than a small machine has cores: tests that wait for the browser or a server leave some idle.
# A fourth would start one more of each for less than that costs.
WORKERS ?= 3
BENCH ?= --quick
SERVE ?=
SOAK ?=

# Which environment, and which lock it is made from: `make test-newest` chooses others.
VENV := .venv
LOCK := lock
PYTEST :=
# Where `make lock` writes, and which versions it chooses.
OUT := lock
RESOLUTION := highest

RUN := $(VENV)/bin/python
LOG := $(VENV)/log
KERNEL := $(wildcard src/kernel/*.cpp src/kernel/*.hpp)
# How `make check` compiles the kernel: a warning is an error there, and only there.
STRICT = $(or $(COMPILER),c++) -std=c++20 -fsyntax-only -Wall -Wextra -Wconversion -Wshadow -Werror

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1
# Where pip is set to install for the user, it refuses to install into an environment.
export PIP_USER := 0
# Images of containers often forbid it. The tests start hundreds of commands, and without bytecode
# each of them compiles all its modules again.
unexport PYTHONDONTWRITEBYTECODE
# pytest refuses to run without asserts, and its plugins are part of the suite.
unexport PYTHONOPTIMIZE PYTEST_DISABLE_PLUGIN_AUTOLOAD

# Make has a default for CXX that CMake does not look at: only the user's own choice counts.
COMPILER := $(if $(filter default,$(origin CXX)),,$(CXX))
ifneq ($(COMPILER),)
export CXX
endif
# Programs that some tests drive. Where one cannot be had, its tests are skipped and say so.
HELPERS := for helper in chromium node proxies; do sh scripts/$$helper install >/dev/null || :; done
MISSING = $(shell sh scripts/missing '$(PYTHON)' '$(COMPILER)')

# $(call step,sentence,command): say the sentence; show what the command says only if it fails.
step = @echo '$(1)'; { $(2); } >$(LOG) 2>&1 || { cat $(LOG) >&2; echo 'Failed: $(1)' >&2; exit 1; }
# $(call compile,locks,file): write into file what these locks ask for, in exact versions that serve
# every Python and every system. Versions that are in the file already are kept.
compile = $(RUN) scripts/requirements.py $(1) >$(VENV)/requirements && \
    $(VENV)/bin/uv pip compile $(VENV)/requirements --output-file $(2) \
    --universal --python $(RUN) --python-version 3.11 --generate-hashes --no-emit-index-url \
    --resolution $(RESOLUTION) --custom-compile-command 'make lock'
# $(call on,name,resolution): run the tests in .venv-name, on a lock of its own. What a release
# deprecates, or an old one used to warn of, is told and does not fail the tests.
on = $(MAKE) --no-print-directory lock OUT=build/$(1) RESOLUTION=$(2) && \
    $(MAKE) --no-print-directory test VENV=.venv-$(1) LOCK=build/$(1) \
    PYTEST='$(foreach kind,Deprecation PendingDeprecation Future,-W default::$(kind)Warning)'

.PHONY: help setup play demo test test-newest test-lowest soak check format screenshots golden bench site
.PHONY: sanitize determinism mutations fuzz lock wheel wheel-test clean
# The stamps share one environment.
.NOTPARALLEL:
.DEFAULT_GOAL := help

help: ## List the targets.
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' Makefile | awk -F'|' '{ printf "make %-12s %s\n", $$1, $$2 }'

setup: $(VENV)/kernel $(VENV)/test ## Make .venv and build the kernel (the targets below do it too).

play: $(VENV)/kernel $(VENV)/play ## Start the web app and open it in the browser.
	@$(RUN) -m minewright serve --open $(SERVE)

demo: $(VENV)/kernel $(VENV)/play ## See Minewright at work in the terminal.
	@$(RUN) -m minewright.demo

test: setup ## Run the tests, and the examples of the documents.
	@$(HELPERS)
	@$(RUN) -m pytest -rs -n $(WORKERS) $(PYTEST)

test-newest: ## Run the tests on the newest releases of everything, in .venv-newest.
	@+$(call on,newest,highest)

test-lowest: ## Run the tests on the oldest releases that are allowed, in .venv-lowest.
	@+$(call on,lowest,lowest-direct)

soak: setup ## Run the tests under every condition that could disturb them (SOAK: which).
	@$(HELPERS)
	@sh scripts/soak $(SOAK)

check: setup ## Check style, types, formatting and the compiler's warnings.
	$(RUN) -m ruff check
	$(RUN) -m ruff format --check
	$(RUN) -m mypy --strict
	@echo 'clang-format --dry-run -Werror src/kernel/*'
	@$(VENV)/bin/clang-format --dry-run -Werror $(KERNEL)
	@echo '$(STRICT) src/kernel/*.cpp'
# The paths are relative: that of this directory may have blanks, and the shell splits at them.
	@printf '%s\n' $(filter %.cpp,$(KERNEL)) | xargs -n 1 -P 2 $(STRICT) $$($(RUN) -c \
	    'import nanobind as n, os, sysconfig as s; print(*("-isystem " + os.path.relpath(place) \
	    for place in (s.get_path("include"), n.include_dir())))')

format: setup ## Format the sources as `make check` wants them.
	$(RUN) -m ruff check --fix
	$(RUN) -m ruff format
	@echo 'clang-format -i src/kernel/*'
	@$(VENV)/bin/clang-format -i $(KERNEL)

screenshots: setup ## Take pictures of every page of the web app, in screenshots/.
	@$(RUN) scripts/screenshots.py

site: $(VENV)/kernel $(VENV)/docs ## Build the documentation site, in build/site; any warning stops it.
	$(call step,Building the site in build/site,NO_MKDOCS_2_WARNING=1 $(RUN) -m mkdocs build --strict)
	@echo 'Open build/site/index.html, or to search as well: $(RUN) -m http.server -d build/site'

golden: setup ## Record a game of every strategy anew, in tests/golden.
	@$(RUN) scripts/golden.py

bench: setup $(VENV)/bench ## Measure: `minewright bench`, then inference against its peers.
	@$(RUN) -m minewright bench
	@$(RUN) benchmarks/inference.py $(BENCH)

sanitize: setup ## Run the kernel under AddressSanitizer, UBSan and ThreadSanitizer (MINUTES=60).
	@$(RUN) scripts/sanitize.py --minutes $(or $(MINUTES),2)

determinism: setup ## Compare results over compilers, flags, versions of Python and workers.
	@$(RUN) scripts/determinism.py

mutations: setup ## Put faults into the kernel and see that the tests catch them.
	@$(RUN) scripts/mutations.py

fuzz: setup $(VENV)/fuzz ## Fuzz the parsers: TARGET=position MINUTES=5, or all, a minute each.
	@$(RUN) fuzz/run.py $(or $(TARGET),--all) --minutes $(or $(MINUTES),1) \
	    $(if $(RESUME),--resume --jobs $(or $(JOBS),1))

lock: $(VENV)/release ## Renew lock/: the newest versions that pyproject.toml allows, with hashes.
	@mkdir -p $(OUT)
	@rm -f $(VENV)/all.txt
	$(call step,Locking the versions in $(OUT),locks=$$($(RUN) scripts/requirements.py) && \
	    $(call compile,$$locks,$(VENV)/all.txt) && (for name in $$locks; do \
	    cp $(VENV)/all.txt $(VENV)/one.txt && $(call compile,$$name,$(VENV)/one.txt) && \
	    { cmp -s $(VENV)/one.txt $(OUT)/$$name.txt || cp $(VENV)/one.txt $(OUT)/$$name.txt; } \
	    || exit; done))

wheel: $(VENV)/build ## Build the source archive and a wheel from it, in dist/.
	@rm -rf dist
	$(call step,Building the source archive and the wheel,$(RUN) -m build --no-isolation)
	@ls dist/*

wheel-test: wheel ## Install that wheel into an empty environment elsewhere and try it there.
	@sh scripts/wheel-test '$(PYTHON)' dist/*.whl $(LOCK)/play.txt

clean: ## Remove all that make has made.
	rm -rf .venv .venv-newest .venv-lowest build dist screenshots .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamps. An environment holds its own absolute path: after a move, or when its Python is gone,
# it is made anew. So it is when a lock that was fetched into it has changed, lest anything stay that
# the lock does not name.
ifneq ($(shell test -x $(RUN) && cat $(VENV)/place 2>/dev/null),$(CURDIR))
.PHONY: $(VENV)/place
endif

# An editable install knows the modules that were there when it was made.
MODULES := $(shell find src/minewright -name '*.py' 2>/dev/null | sort | cksum)
ifneq ($(MODULES),$(shell cat $(VENV)/modules 2>/dev/null))
.PHONY: $(VENV)/kernel
endif

$(VENV)/place: $(foreach lock,$(wildcard $(LOCK)/*.txt),$(if $(wildcard $(VENV)/$(basename $(notdir $(lock)))),$(lock)))
	@$(if $(MISSING),$(error $(MISSING)))
	@rm -rf $(VENV)
	@mkdir $(VENV)
	$(call step,Making $(VENV),$(PYTHON) -m venv $(VENV))
	@printf '%s\n' '$(CURDIR)' >$@

$(VENV)/kernel: $(VENV)/build pyproject.toml CMakeLists.txt src/kernel $(KERNEL)
	@$(if $(MISSING),$(error $(MISSING)))
	$(call step,Building the kernel (C++),\
	    $(RUN) -m pip install --no-compile --no-build-isolation --no-deps -e . \
	    --config-settings=build-dir='build/{wheel_tag}$(VENV:.venv%=%)')
	@printf '%s\n' '$(MODULES)' >$(VENV)/modules
	@touch $@

# $(VENV)/NAME: what lock/NAME.txt holds is there. Only wheels are taken: to build one of them pip
# would fetch tools that no lock names.
$(VENV)/%: $(VENV)/place $(LOCK)/%.txt
	$(call step,Fetching the packages of $(LOCK)/$*.txt (pip),\
	    $(RUN) -m pip install --no-compile --only-binary :all: --require-hashes -r $(LOCK)/$*.txt)
	@touch $@
