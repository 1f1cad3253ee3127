# make demo   .venv (light: no torch): the whole path on small real models
# make test   .venv-test (everything): lint, types and the whole test suite
# make bench  .venv-bench (ours and the peers): bench/results/ and docs/performance.md
PYTHON ?= python3
PIP = -m pip --disable-pip-version-check
.DEFAULT_GOAL := help

.PHONY: help demo test lint bench clean

help:
	@sed -n 's/^# //p' Makefile

.venv/installed: pyproject.toml
	$(PYTHON) -m venv .venv
	.venv/bin/python $(PIP) install --quiet --no-cache-dir --editable '.[offline]'
	touch $@

demo: .venv/installed
	.venv/bin/voicebench demo

# The packages of .venv-test live outside the clone, under the hash of what they follow from (see the script).
.venv-test/installed: pyproject.toml tools/test-env
	PYTHON=$(PYTHON) tools/test-env .venv-test
	touch $@

lint: .venv-test/installed
	.venv-test/bin/python -m ruff check .
	.venv-test/bin/python -m ruff format --check .
	.venv-test/bin/python -m mypy

test: lint
	.venv-test/bin/voicebench models fetch offline
	.venv-test/bin/voicebench models fetch ge2e
	.venv-test/bin/voicebench models fetch ecapa-vocal-fatigue
	HF_HUB_OFFLINE=1 .venv-test/bin/python -m pytest

.venv-bench/installed: pyproject.toml bench/requirements.txt
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python $(PIP) install --quiet --editable '.[offline]' --requirement bench/requirements.txt
	touch $@

bench: .venv-bench/installed
	.venv-bench/bin/python bench/run.py

clean:
	rm -rf .venv .venv-test .venv-bench dist voicebench-demo
