# make help lists the targets. PROFILE=full runs the printed protocol instead of the quick one.
PROFILE ?= quick
VENV := .venv
EXTRAS := pipeline openml dask export docs dev
READY := $(VENV)/.ready
export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)
export PYTHONUTF8 := 1

.DEFAULT_GOAL := help
.PHONY: help reproduce test test-fast lint params pinned lock docs report pages bench machines versions mutants soak audit clean

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' Makefile | sed 's/:.*## /\t/' | expand -t 14

reproduce: $(READY) ## recompute a profile elsewhere, compare with the stored results, build the report
	arboretum reproduce --profile $(PROFILE)

test: $(READY) lint ## lint, contracts, parameters, all tests, and the quick profile recomputed as on another processor
	pytest -n 2 --dist loadfile --no-loadscope-reorder

test-fast: $(READY) lint ## the same without the slow tests
	pytest -n 2 --dist loadfile --no-loadscope-reorder -m "not slow"

lint: $(READY) ## style, import contracts, declared dependencies, types, and whether params.yaml and stages.yaml are up to date
	ruff check .
	ruff format --check .
	lint-imports
	deptry src
	mypy
	arboretum params --check

params: $(READY) ## compose conf/ into params.yaml and stages.yaml
	arboretum params

pinned: $(READY) ## renew data/pinned.txt after a change of printed numbers or of conf/dataset
	python -m tools.pinned

docs: $(READY) ## build the documentation with every example run (3 minutes); writes docs/_build
	sphinx-build -W --keep-going -q -d docs/_build/trees docs docs/_build/html
	@echo "documentation: docs/_build/html/index.html"

report: $(READY) ## build the static report of all profiles from stored results
	arboretum report

pages: $(READY) ## docs/results.md and the table of verdicts in README.md, made from the findings and the stored checks
	python -m arboretum.report.results_page

bench: $(READY) ## measure speed against peers in one run; writes benchmarks/
	python -m benchmarks.bench

machines: $(READY) ## verify the results as on other processors; writes benchmarks/machines.csv
	python -m benchmarks.machines --store

soak: $(READY) ## kill, damage, starve and misconfigure it 2,000 times, at most 30 minutes; writes benchmarks/soak.csv
	python -m benchmarks.soak --store

versions: ## verify quick with the oldest and the newest libraries that pyproject.toml allows; writes benchmarks/versions.csv
	sh tools/versions.sh

lock: ## pin the newest versions that pyproject.toml allows (needs uv)
	@command -v uv >/dev/null || { echo "make lock needs uv: pip install uv, or see its manual" >&2; exit 1; }
	uv pip compile pyproject.toml $(EXTRAS:%=--extra %) --universal --fork-strategy fewest --python-version 3.11 \
	  --generate-hashes --no-emit-index-url --no-header --no-annotate --quiet --upgrade -o requirements.lock

mutants: $(READY) ## chosen changes and 100 drawn ones, each alone: some test must notice (5 minutes, then an hour at a time)
	python -m benchmarks.mutants
	python -m benchmarks.drawn

audit: ## known weaknesses of the pinned libraries, by pip-audit in a folder of its own
	python3 -m venv .arboretum/audit
	.arboretum/audit/bin/python -m pip install --quiet --disable-pip-version-check pip-audit==2.10.1
	.arboretum/audit/bin/pip-audit --requirement requirements.lock --disable-pip --progress-spinner off

clean: ## remove what can be made again, except the environment and the verified downloads
	rm -rf .arboretum report figures/quick outputs multirun dvc_plots build dist .pytest_cache .ruff_cache .mypy_cache
	rm -rf .hypothesis docs/_build docs/gallery docs/tutorial
	find src tests benchmarks -name __pycache__ -prune -exec rm -rf {} +

# The environment: uv where it is installed, else venv and pip; every package checked by its hash.
$(READY): requirements.lock pyproject.toml
	sh tools/environment.sh $(VENV)
	touch $@
