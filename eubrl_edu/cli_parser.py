"""What the command line understands, and the examples that ``--help`` ends with."""

import argparse
from pathlib import Path

from eubrl_edu import __version__

GENERAL = """examples:
  eubrl-edu studies
  eubrl-edu run loop
  eubrl-edu run deepsea-stochastic --agents EUBRL EUBRL+ --sizes 10 --seeds 100
  eubrl-edu run lazychain-stochastic --store results.sqlite
  eubrl-edu tune loop EUBRL --seeds 20 --out tuning
  eubrl-edu reproduce --quick
  eubrl-edu course my-course
  eubrl-edu lab
  eubrl-edu present
  eubrl-edu slides notebooks/05_eubrl_step_by_step.ipynb
  eubrl-edu progress
  eubrl-edu check handed-in --csv results.csv
"""

RUN = """examples:
  eubrl-edu run loop
      every agent of the study, with as many seeds as the paper has
  eubrl-edu run deepsea-stochastic --agents EUBRL EUBRL+ --sizes 10 --seeds 100
  eubrl-edu run loop --agents EUBRL --set eta=2 alpha=0.1
      with settings in place of the paper's
  eubrl-edu run lazychain-stochastic --store results.sqlite
      each run is kept once it has finished: after Ctrl-C or a crash, the same command carries on
  eubrl-edu run lazychain-stochastic --scheduler tcp://192.0.2.1:8786
      on a Dask cluster (pip install 'eubrl_edu[dask]'), started with
      `dask scheduler --host 192.0.2.1` and, on each machine, `dask worker ADDRESS`.
      Anyone who can reach a scheduler can run code on it: without --host it listens on all
      interfaces. Bind it to a private network, or for workers on one machine to loopback,
      `dask scheduler --host 127.0.0.1`, and give that address to --scheduler
"""

TUNE = """examples:
  eubrl-edu tune loop EUBRL
      one setting after the other, as in a line search, until nothing improves
  eubrl-edu tune chain EUBRL --grid --seeds 50 --out tuning --store tuning.sqlite
      every combination of the grids
  eubrl-edu tune loop EUBRL --values eta=0.5,1,2 alpha=0.1,0.01
      with a grid of your own
"""

REPRODUCE = """examples:
  eubrl-edu reproduce --quick
      all of it on a small scale, into quick/, in a minute
  eubrl-edu reproduce
      the whole paper, into figures/, in three quarters of an hour on two cores; after Ctrl-C or a
      crash, the same command carries on
"""


def make_parser() -> argparse.ArgumentParser:
    """The parser; ``command`` is the name of the command that was given."""
    parser = argparse.ArgumentParser(
        prog="eubrl-edu",
        description="Exploration directed by epistemic uncertainty.",
        epilog=GENERAL,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"eubrl_edu {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(name: str, about: str, examples: str | None = None, **options):
        if examples:
            options |= {"epilog": examples, "formatter_class": parser.formatter_class}
        made = commands.add_parser(name, help=about, **{"description": about} | options)
        made.set_defaults(command=name)
        return made.add_argument

    option = add("run", "run a study and print its table", RUN)
    option("study", help="name of the study; `eubrl-edu studies` lists them")
    several = {"nargs": "+", "action": "extend"}
    option("--agents", **several, metavar="NAME", help="default: those of the study")
    option("--sizes", **several, type=int, metavar="N", help="default: the study's")
    option("--seeds", type=int, metavar="N", help="how many; default: the paper's")
    option(
        "--set",
        **several,
        default=[],
        metavar="NAME=VALUE",
        help="settings in place of the paper's, such as eta=0.5; "
        "`eubrl-edu studies --agents` lists them",
    )
    option("--csv", type=Path, metavar="FILE", help="also write every run to this file")
    _add_where(option)

    option = add("tune", "look for the settings with which an agent does best in a study", TUNE)
    option("study", help="name of the study")
    option("agent", help="name of the agent")
    option("--size", type=int, metavar="N", help="default: the study's smallest")
    seeds = "how many, numbered from 10000 up; default: 20"
    option("--seeds", type=int, default=20, metavar="N", help=seeds)
    option("--grid", action="store_true", help="every combination, not a line search")
    option(
        "--values",
        **several,
        metavar="NAME=V,V,...",
        help="what to try in place of the paper's grids, such as eta=0.5,1,2 alpha=0.1,0.01",
    )
    folder = "folder of the table and picture"
    option("--out", type=Path, default=Path(), metavar="DIR", help=folder)
    _add_where(option)

    about = "regenerate the paper's tables and figures, and judge its claims"
    option = add("reproduce", about, REPRODUCE)
    option("--quick", action="store_true", help="few seeds, small sizes")
    option("--out", type=Path, metavar="DIR", help="default: figures, or quick with --quick")
    store = "file that keeps finished runs; default: DIR/data/runs.sqlite"
    option("--store", type=Path, metavar="FILE", help=store)
    _add_jobs(option)

    option = add("studies", "list the studies and the agents")
    option("--agents", action="store_true", help="what each agent is, and which settings it uses")

    usage = "eubrl-edu lab [NOTEBOOK.ipynb] [JUPYTERLAB OPTIONS, such as --no-browser --port 9000]"
    add("lab", "open the course in JupyterLab", usage=usage)

    option = add(
        "present", "show the labs of the course to a room: full screen, large letters, no code"
    )
    _add_folder(option)
    port = "default: 8866, or the next free one"
    option("--port", type=int, default=8866, metavar="N", help=port)
    option("--no-browser", action="store_true", help="only print the address")

    option = add(
        "slides", "write notebooks as slides: one HTML file each, without kernel or network"
    )
    course = "default: the whole course"
    option("notebooks", type=Path, nargs="*", metavar="NOTEBOOK", help=course)
    option("--out", type=Path, default=Path("slides"), metavar="DIR", help="default: slides")

    about = "copy the notebooks and figures into a folder to work in; your changes are kept"
    add("course", about)("folder", type=Path, metavar="DIR")

    option = add("progress", "show which exercises are solved, for each notebook")
    _add_folder(option)
    option("--reset", action="store_true", help="forget what has been solved")

    about = "run the exercises in a folder of students' notebooks, and print a table"
    option = add(
        "check",
        about,
        description=f"{about}. Each notebook runs as a temporary copy. That guards against "
        "accidents, not attacks: it runs with your permissions, so run strangers' notebooks in a "
        "container.",
    )
    option("folder", type=Path, metavar="FOLDER")
    seconds = "for each notebook; default: 300"
    option("--seconds", type=float, default=300.0, metavar="S", help=seconds)
    option("--csv", type=Path, metavar="FILE", help="also write the table to this file")
    return parser


def _add_folder(option) -> None:
    about = "a copy of the course, or notebooks; default: the course"
    option("folder", type=Path, nargs="?", metavar="DIR", help=about)


def _add_jobs(option) -> None:
    about = "processes; default: one for each core"
    option("--jobs", type=int, default=-1, metavar="N", help=about)


def _add_where(option) -> None:
    _add_jobs(option)
    about = "keep runs in this file; those already in it are not repeated"
    option("--store", type=Path, metavar="FILE", help=about)
    address = "run on a Dask cluster, such as tcp://192.0.2.1:8786"
    option("--scheduler", metavar="ADDRESS", help=address)
