"""The command line: ``eubrl-edu run loop --agents EUBRL RMAX --seeds 20``."""

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit status: 0, or 2 for what cannot be done as asked."""
    options = _parser().parse_args(arguments)
    try:
        return options.command(options)
    except ValueError as error:
        print(f"eubrl-edu: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("eubrl-edu: stopped", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="eubrl-edu", description="Exploration directed by epistemic uncertainty."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    run = commands.add_parser("run", help="run a study and print its table")
    run.add_argument("study", help="name of the study, such as loop or deepsea-stochastic")
    run.add_argument("--agents", nargs="+", metavar="NAME", help="default: those of the study")
    run.add_argument("--sizes", nargs="+", type=int, metavar="N", help="default: the study's")
    run.add_argument("--seeds", type=int, metavar="N", help="how many; default: the paper's")
    run.add_argument("--jobs", type=int, default=-1, metavar="N", help="processes; default: all")
    run.add_argument("--csv", type=Path, metavar="FILE", help="also write every run to this file")
    run.set_defaults(command=_run)

    studies = commands.add_parser("studies", help="list the studies and the agents")
    studies.set_defaults(command=_studies)

    lab = commands.add_parser("lab", help="open the notebooks in JupyterLab")
    lab.add_argument(
        "notebook",
        nargs="?",
        type=Path,
        default=Path("notebooks/00_start_here.ipynb"),
        help="default: notebooks/00_start_here.ipynb",
    )
    lab.set_defaults(command=_lab)
    return parser


def _run(options: argparse.Namespace) -> int:
    from eubrl_edu.experiments import run_study, summarise
    from eubrl_edu.validation import require_positive_int

    seeds = None
    if options.seeds is not None:
        seeds = range(require_positive_int("--seeds", options.seeds))
    frame = run_study(options.study, options.agents, options.sizes, seeds, options.jobs)
    if options.csv is not None:
        frame.to_csv(options.csv, index=False)
    table = summarise(frame).drop(columns="study")
    print(table.to_string(index=False, float_format="{:.2f}".format, na_rep="-"))
    return 0


def _studies(options: argparse.Namespace) -> int:
    from eubrl_edu.experiments import AGENT_NAMES, STUDIES

    for study in STUDIES.values():
        sizes = " ".join(map(str, study.sizes))
        print(f"{study.name:26}{study.title} (sizes {sizes}; {study.n_seeds} seeds)")
    print("agents: " + " ".join(AGENT_NAMES))
    return 0


def _lab(options: argparse.Namespace) -> int:
    if not options.notebook.is_file():
        raise ValueError(
            f"notebook {str(options.notebook)!r} is not there; run this in the folder that holds "
            "notebooks/, or name a notebook"
        )
    return subprocess.call([sys.executable, "-m", "jupyterlab", str(options.notebook)])
