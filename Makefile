# `make lab` opens the course; `make test` runs the tests. Each installs first what it needs, and
# neither needs anything but Python and make. On a system without make, `python -m eubrl_edu` does
# the same once the package is installed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Stamps, so that a second call starts at once; pyproject.toml is newer than they when it has changed.
COURSE := $(VENV)/course-installed
TESTS := $(VENV)/tests-installed
DOCS := $(VENV)/docs-installed
NOTEBOOKS := $(wildcard notebooks/*.ipynb)

# One process a core; tests/conftest.py says which tests stay together.
IN_PARALLEL := --numprocesses=logical --maxprocesses=8 --dist=loadscope

# Python keeps what it has compiled, also where an image of a container has told it not to: else every
# kernel, and the tests start more than a hundred, reads NumPy and all others anew from their sources.
export PYTHONDONTWRITEBYTECODE :=

# More options for JupyterLab, as in: make lab LAB_OPTIONS="--no-browser --port 9000"
LAB_OPTIONS ?=

# uv installs in a tenth of the time of pip, which takes over where uv cannot be had or fails.
install = { $(BIN)/python -m pip install --quiet uv \
	&& $(BIN)/python -m uv pip install --quiet --python $(BIN)/python --editable $(1); } \
	|| $(BIN)/python -m pip install --quiet --editable $(1)

# A variable, as a comma would part the arguments of call.
FOR_TESTS := ".[dev,dask]"

.PHONY: lab present slides test check test-cpus test-long notebooks figures docs bench lint install clean

lab: $(COURSE)
	$(BIN)/python -m eubrl_edu lab $(LAB_OPTIONS)

# The labs for a room, as in: make present PRESENT_OPTIONS="--no-browser --port 9000"
PRESENT_OPTIONS ?=
present: $(COURSE)
	$(BIN)/python -m eubrl_edu present $(PRESENT_OPTIONS)

# The pages as slides, in slides/: files that need no kernel and no network.
slides: $(COURSE)
	$(BIN)/python -m eubrl_edu slides --out slides

# What is compiled once, all processes use; who needs a function before it is ready waits for it.
test: $(TESTS)
	$(BIN)/python -m eubrl_edu.engine & \
	$(BIN)/python -m pytest $(IN_PARALLEL) --nbval --nbval-current-env tests $(NOTEBOOKS); \
	status=$$?; wait; exit $$status

# The numbers under two other kinds of CPU.
test-cpus: $(TESTS)
	$(BIN)/python -m tests.cpus $(IN_PARALLEL)

# The tests of what has changed since the branch left main, in half a minute.
check: $(TESTS)
	$(BIN)/python -m tests.changed $(IN_PARALLEL)

# What soaks, and every test that draws its examples, with many more of them.
test-long: $(TESTS) $(DOCS)
	$(BIN)/python -m pytest $(IN_PARALLEL) -m "long or hypothesis" --hypothesis-profile=long tests

# Run the notebooks and store what they show, which `make test` then compares.
notebooks: $(TESTS)
	$(BIN)/python -m tests.notebooks.store $(NOTEBOOKS)

bench: $(TESTS)
	$(BIN)/python -m benchmarks

lint: $(TESTS)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --exclude "*.ipynb" .

install: $(TESTS)

# What the README begins with, from the lab itself; `eubrl-edu reproduce` writes all other figures.
figures: $(TESTS)
	$(BIN)/python -c 'from eubrl_edu.labs import ExplorationLab; \
		sea = ExplorationLab(world="deepsea", size=8); \
		sea.save_run("figures/exploration.webp", over={"time": range(0, 201, 3)})'

# The course, the report, the errata and the reference as pages in build/docs.
docs: $(DOCS)
	$(BIN)/python -m sphinx -W --keep-going --fresh-env -q -c docs . build/docs

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; choose one with: make PYTHON=...") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)

# What is loaded first, Python compiles and keeps: here, two at a time, and not while somebody waits.
# It takes the room that uv leaves.
$(COURSE): pyproject.toml | $(BIN)/python
	$(call install,.)
	$(BIN)/python -m pip uninstall --quiet --quiet --yes uv
	$(BIN)/python -m eubrl_edu.course.server jupyter_server.extension.serverextension list \
		>$(VENV)/extensions.log 2>&1 & \
	$(BIN)/python -c "import ipykernel.kernelapp; from eubrl_edu.exercises import predictions; \
		from eubrl_edu.labs import GuidanceLab; GuidanceLab()"; \
	wait
	touch $@

$(TESTS): pyproject.toml | $(BIN)/python
	$(call install,$(FOR_TESTS))
	touch $@ $(COURSE)

$(DOCS): pyproject.toml | $(BIN)/python
	$(call install,".[docs]")
	touch $@ $(COURSE)

clean:
	rm -rf $(VENV)
