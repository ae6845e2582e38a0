# Onefold's commands; `make help` lists them. Each does its own set-up on Debian.
#
# CC=clang picks another compiler, which builds in a folder of its own. JOBS limits how much runs at once. BENCH passes
# options to bench/run.sh: `make bench BENCH=--quick`.

ifeq ($(origin CC),default)
    CC := gcc
    suffix :=
else
    suffix := -$(notdir $(CC))
endif
export CC

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local

.PHONY: all help setup test test-release demo docs bench debug asan ubsan tsan small format format-check install clean

all: setup ## Build the library and the command, optimised (build/release)
	@$(call build,release)

help: ## List the commands
	@awk -F ':.*## ' '/^[a-z][a-z -]*:.*## / { printf "make %-28s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Install what is missing: Debian packages (as root) and .venv
	@tools/setup.sh

test: test-release small ## Build and run all tests, then again with tiny tiles

test-release: setup
	@$(call run_tests,release)

small asan ubsan tsan debug: setup ## Build and run the tests: tiny tiles, sanitizers, no optimisation
	@$(call run_tests,$@)

demo: all ## Show Onefold at work on real data
	@ONEFOLD_BUILD=build/release$(suffix) examples/demo.sh

docs: all ## Make the pages: the reference, the contract, tutorials (build/docs/html)
	@ONEFOLD_BUILD=build/release$(suffix) tools/make_docs.sh build/docs

bench: all ## Measure Onefold beside its peers
	@tools/setup.sh bench || echo "bench: going on without what could not be installed"
	@ONEFOLD_BUILD=build/release$(suffix) bench/run.sh $(BENCH)

format: setup ## Format the C sources in place
	@$(c_files) | xargs -0 clang-format -i

format-check: setup ## Fail when a C source is not formatted
	@$(c_files) | xargs -0 clang-format --dry-run -Werror

install: all ## Install under PREFIX (/usr/local)
	@cmake --install build/release$(suffix) --prefix $(PREFIX)

clean: ## Remove everything built
	@rm -rf build

# What git knows or would add, so that a new file is looked at before it is committed.
c_files = git ls-files -z --cached --others --exclude-standard '*.c' '*.h' '*.inc'

define build
cmake --preset $(1) -B build/$(1)$(suffix) >/dev/null && cmake --build build/$(1)$(suffix) --parallel $(JOBS)
endef

define run_tests
$(call build,$(1)) && tools/run_tests.sh build/$(1)$(suffix) $(JOBS)
endef
