# `make lab` opens the course; `make test` runs every test. Both make .venv first, where it is missing or old.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed
NOTEBOOKS := $(wildcard notebooks/*.ipynb)

# More options for JupyterLab, as in: make lab LAB_OPTIONS="--no-browser --port 9000"
LAB_OPTIONS ?=
# In a container one is often root, which JupyterLab has to be told is meant so.
AS_ROOT := $(if $(filter 0,$(shell id -u)),--allow-root)

.PHONY: lab test test-long notebooks bench lint install recompile clean

lab: $(INSTALLED)
	@echo "Compiling what is not compiled yet: half a minute the first time."
	$(BIN)/python -m eubrl_edu.engine
	$(BIN)/jupyter lab --notebook-dir=notebooks --LabApp.default_url=/lab/tree/00_start_here.ipynb \
		$(AS_ROOT) $(LAB_OPTIONS)

test: $(INSTALLED) recompile
	$(BIN)/python -m pytest tests
ifneq ($(NOTEBOOKS),)
	$(BIN)/python -m pytest --nbval --nbval-current-env $(NOTEBOOKS)
endif

test-long: $(INSTALLED)
	$(BIN)/python -m pytest -m long --hypothesis-profile=long tests

# Run the notebooks and store what they show, which `make test` then compares.
notebooks: $(INSTALLED)
	$(BIN)/python -m tests.notebooks.store $(NOTEBOOKS)

bench: $(INSTALLED)
	$(BIN)/python -m benchmarks

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --exclude "*.ipynb" .

install: $(INSTALLED)

# numba looks for changes in the file of a function only, not in the files of those that it calls.
recompile: $(INSTALLED)
	$(BIN)/python -c "import pathlib; [path.unlink() for path in pathlib.Path('eubrl_edu').rglob('*.nb[ci]')]"
	$(BIN)/python -m eubrl_edu.engine

# A stamp, so that a second call starts at once; it is older than pyproject.toml when that has changed.
$(INSTALLED): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; choose one with: make PYTHON=...") if sys.version_info < (3, 11) else None'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable ".[dev,dask]"
	$(BIN)/jupyter labextension disable "@jupyterlab/apputils-extension:announcements"
	touch $@

clean:
	rm -rf $(VENV)
