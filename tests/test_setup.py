"""The files around the package agree with each other and with the design."""

import ast
import copy
import graphlib
import importlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import eubrl_edu

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "eubrl_edu"

# From the bottom of the house to its top: a part imports only from parts before it.
LAYERS = [
    "sources",
    "compiling",
    "sequences",
    "validation",
    "names",
    "mdp",
    "writing",
    "tables",
    "source_listing",
    "environments",
    "beliefs",
    "planning",
    "uncertainty",
    "trajectory",
    "agents",
    "success",
    "simulation",
    "replay",
    "engine",
    "theory",
    "experiments",
    "plotting",
    "labs",
    "errata",
    "reproduction",
    "exercises",
    "course",
    "cli_parser",
    "cli_streams",
    "cli",
]
# What turns an MDP into Q and V knows of nothing else.
PLANNING = {"planning", "mdp", "validation", "compiling"}
# Gymnasium's interface has a world draw itself, so here a world asks for its picture, at the call.
UPWARDS = {"environments/tabular": {"plotting"}}


def read_pyproject() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def read_environment() -> dict:
    return yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))


def as_name_and_range(requirement: str) -> tuple[str, str]:
    name, version_range = re.fullmatch(r"([A-Za-z0-9_.-]+?)\s*([<>=!~].*)", requirement).groups()
    return name.lower().replace("_", "-"), version_range.replace(" ", "")


def pyproject_requirements(pyproject: dict) -> dict[str, str]:
    project = pyproject["project"]
    listed = [*project["dependencies"]]
    for extra in project["optional-dependencies"].values():
        listed += extra
    requirements = dict(map(as_name_and_range, listed))
    assert len(requirements) == len(listed), "a package is listed twice in pyproject.toml"
    return requirements | {"python": project["requires-python"]}


def environment_requirements(environment: dict) -> dict[str, str]:
    listed = []
    for entry in environment["dependencies"]:
        listed += entry["pip"] if isinstance(entry, dict) else [entry]
    listed = [entry for entry in listed if entry not in ("pip", "--editable .")]
    requirements = dict(map(as_name_and_range, listed))
    assert len(requirements) == len(listed), "a package is listed twice in environment.yml"
    return requirements


def test_environment_and_pyproject_list_the_same_packages_and_ranges():
    pyproject = pyproject_requirements(read_pyproject())
    assert environment_requirements(read_environment()) == pyproject
    for name, version_range in pyproject.items():
        assert ">=" in version_range and "==" not in version_range, f"{name}: a range, not a pin"


def test_comparison_notices_every_change_of_either_file():
    pyproject, environment = read_pyproject(), read_environment()
    truth = environment_requirements(environment)
    for section in ("dependencies", "optional-dependencies"):
        listed = pyproject["project"][section]
        count = len(listed if section == "dependencies" else listed["dev"])
        for position in range(count):
            changed = copy.deepcopy(pyproject)
            entries = changed["project"][section]
            entries = entries if section == "dependencies" else entries["dev"]
            entries[position] += ",!=0.0.1"
            assert pyproject_requirements(changed) != truth
            del entries[position]
            assert pyproject_requirements(changed) != truth


def test_environment_installs_the_package_itself():
    (pip_section,) = (e for e in read_environment()["dependencies"] if isinstance(e, dict))
    assert "--editable ." in pip_section["pip"]


def test_version_comes_from_one_place():
    assert "version" in read_pyproject()["project"]["dynamic"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == eubrl_edu.__version__
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## [{eubrl_edu.__version__}]" in changelog


def test_command_line_entry_point_exists():
    module, function = read_pyproject()["project"]["scripts"]["eubrl-edu"].split(":")
    assert callable(getattr(importlib.import_module(module), function))


def test_import_loads_nothing_heavy():
    code = (
        "import sys, eubrl_edu; "
        "print(*{'matplotlib', 'pandas', 'ipywidgets', 'numba'} & set(sys.modules))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert result.stdout.split() == []


def imported_parts(source: str, package: list[str]) -> set[str]:
    """Names of the parts of eubrl_edu that a module imports; ``package`` is where it lives."""
    parts = set()
    for node in ast.walk(ast.parse(source)):
        modules = []
        if isinstance(node, ast.Import):
            modules = [alias.name.split(".") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            base = base + (node.module.split(".") if node.module else [])
            modules = [[*base, alias.name] for alias in node.names]
        parts |= {module[1] for module in modules if module[0] == "eubrl_edu" and len(module) > 1}
    return parts & set(LAYERS)


MODULES = sorted(
    path
    for path in PACKAGE.rglob("*.py")
    if path.relative_to(PACKAGE).parts[0] not in ("__init__.py", "__main__.py")
)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_module_fits_on_a_few_screens(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 300


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_module_imports_only_from_parts_below_it(path):
    relative = path.relative_to(PACKAGE).with_suffix("")
    part = relative.parts[0]
    assert part in LAYERS, f"{part} has no place in the house: add it to the design and to LAYERS"
    package = ["eubrl_edu", *relative.parts[:-1]]
    allowed = PLANNING if part == "planning" else set(LAYERS[: LAYERS.index(part) + 1])
    parts = imported_parts(path.read_text(encoding="utf-8"), package)
    assert parts - allowed == UPWARDS.get(relative.as_posix(), set())


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import eubrl_edu.cli", {"cli"}),
        ("from eubrl_edu import plotting", {"plotting"}),
        ("from eubrl_edu.labs.lab import Lab", {"labs"}),
        ("from ..labs import lab", {"labs"}),
        ("from . import sweeps", set()),
        ("import numpy", set()),
    ],
)
def test_the_reading_of_imports(source, expected):
    assert imported_parts(source, ["eubrl_edu", "planning"]) - {"planning"} == expected


def imported_modules(source: str) -> set[str]:
    """What a module imports, also within its functions, but not what it needs for types only."""
    tree = ast.parse(source)
    guards = [node for node in ast.walk(tree) if isinstance(node, ast.If)]
    guards = [node for node in guards if ast.unparse(node.test) == "TYPE_CHECKING"]
    for_types = {node for guard in guards for each in guard.body for node in ast.walk(each)}
    found = set()
    for node in set(ast.walk(tree)) - for_types:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def circle(imports: dict[str, set[str]]) -> list[str]:
    """Modules of which each imports the next, and the last the first; none if there are none."""
    try:
        graphlib.TopologicalSorter(imports).prepare()
    except graphlib.CycleError as error:
        return error.args[1]
    return []


def test_no_imports_lead_back_to_where_they_began():
    imports = {}
    for path in MODULES:
        relative = path.relative_to(PACKAGE).with_suffix("")
        upwards = UPWARDS.get(relative.as_posix(), set())
        # A folder's own ``__init__`` only collects what its modules define.
        if path.name != "__init__.py":
            found = imported_modules(path.read_text(encoding="utf-8"))
            name = ".".join(("eubrl_edu", *relative.parts))
            imports[name] = {each for each in found if not upwards & {*each.split(".")[1:2]}}
    assert circle(imports) == []
    lower = "eubrl_edu.beliefs.sampling"
    assert circle(imports | {lower: {"eubrl_edu.beliefs.belief"}}) != []


def test_imports_for_types_only_are_left_out():
    source = "import a\nif TYPE_CHECKING:\n    import b\ndef f():\n    from c import d"
    assert imported_modules(source) == {"a", "c", "c.d"}
