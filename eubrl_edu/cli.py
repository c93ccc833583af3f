"""The command line: ``eubrl-edu run loop --agents EUBRL RMAX --seeds 20``, and more."""

import argparse
import gc
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from eubrl_edu import __version__


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit status.

    0: done. 1: something failed on the way, such as a full disk. 2: it cannot be done as asked.
    130: stopped by Ctrl-C.
    """
    options = _parser().parse_args(arguments)
    try:
        return options.command(options)
    except (ValueError, OSError, RuntimeError) as error:
        print(f"eubrl-edu: {error}", file=sys.stderr)
        return 2 if isinstance(error, ValueError) else 1
    except KeyboardInterrupt as error:
        print(f"eubrl-edu: stopped. {error}".rstrip(), file=sys.stderr)
        # Else Python would search all that it holds for garbage before it ends.
        gc.freeze()
        return 130


_EXAMPLES = """examples:
  eubrl-edu studies
  eubrl-edu run loop
  eubrl-edu run deepsea-stochastic --agents EUBRL EUBRL+ --sizes 10 --seeds 100
  eubrl-edu run lazychain-stochastic --store results.sqlite
  eubrl-edu tune loop EUBRL --seeds 20 --out tuning
  eubrl-edu reproduce --quick --out quick
  eubrl-edu lab
"""

_RUN_EXAMPLES = """examples:
  eubrl-edu run loop
      every agent of the study, with as many seeds as the paper has
  eubrl-edu run deepsea-stochastic --agents EUBRL EUBRL+ --sizes 10 --seeds 100
  eubrl-edu run lazychain-stochastic --store results.sqlite
      each run is kept when it is finished: after Ctrl-C, or a crash, the same command goes on
  eubrl-edu run lazychain-stochastic --scheduler tcp://192.0.2.1:8786
      on a Dask cluster (pip install 'eubrl_edu[dask]'), started with `dask scheduler` and, on
      each machine, `dask worker ADDRESS`
"""

_TUNE_EXAMPLES = """examples:
  eubrl-edu tune loop EUBRL
      settings one after the other, as in a line search, until none gets better
  eubrl-edu tune chain EUBRL --grid --seeds 50 --out tuning --store tuning.sqlite
      every combination of the grids
"""

_REPRODUCE_EXAMPLES = """examples:
  eubrl-edu reproduce --quick --out quick
      in a minute: does everything run?
  eubrl-edu reproduce
      the whole paper, into figures/; after Ctrl-C, or a crash, the same command goes on
"""


def _parser() -> argparse.ArgumentParser:
    parser = _with_examples(
        argparse.ArgumentParser,
        _EXAMPLES,
        prog="eubrl-edu",
        description="Exploration directed by epistemic uncertainty.",
    )
    parser.add_argument("--version", action="version", version=f"eubrl_edu {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    about = "run a study and print its table"
    run = _with_examples(commands.add_parser, _RUN_EXAMPLES, "run", help=about, description=about)
    run.add_argument("study", help="name of the study; `eubrl-edu studies` lists them")
    run.add_argument("--agents", nargs="+", metavar="NAME", help="default: those of the study")
    run.add_argument("--sizes", nargs="+", type=int, metavar="N", help="default: the study's")
    run.add_argument("--seeds", type=int, metavar="N", help="how many; default: the paper's")
    run.add_argument("--csv", type=Path, metavar="FILE", help="also write every run to this file")
    _add_where(run)
    run.set_defaults(command=_run)

    about = "look for the settings with which an agent does best in a study"
    tune = _with_examples(
        commands.add_parser, _TUNE_EXAMPLES, "tune", help=about, description=about
    )
    tune.add_argument("study", help="name of the study")
    tune.add_argument("agent", help="name of the agent")
    tune.add_argument("--size", type=int, metavar="N", help="default: the study's smallest")
    tune.add_argument(
        "--seeds", type=int, default=20, metavar="N", help="how many, from 10000 up; default: 20"
    )
    tune.add_argument("--grid", action="store_true", help="every combination, not a line search")
    tune.add_argument(
        "--out", type=Path, default=Path(), metavar="DIR", help="folder of the table and picture"
    )
    _add_where(tune)
    tune.set_defaults(command=_tune)

    about = "regenerate the paper's tables and figures, and judge its claims"
    reproduce = _with_examples(
        commands.add_parser, _REPRODUCE_EXAMPLES, "reproduce", help=about, description=about
    )
    reproduce.add_argument("--quick", action="store_true", help="few seeds, small sizes")
    reproduce.add_argument(
        "--out", type=Path, default=Path("figures"), metavar="DIR", help="default: figures"
    )
    reproduce.add_argument(
        "--store", type=Path, metavar="FILE", help="of finished runs; default: DIR/data/runs.sqlite"
    )
    reproduce.add_argument(
        "--jobs", type=int, default=-1, metavar="N", help="processes; default: one for each core"
    )
    reproduce.add_argument(
        "--cap", type=float, metavar="SECONDS", help="of one core, for each cell of a slow agent"
    )
    reproduce.set_defaults(command=_reproduce)

    about = "list the studies and the agents"
    studies = commands.add_parser("studies", help=about, description=about)
    studies.set_defaults(command=_studies)

    about = "open the notebooks in JupyterLab"
    lab = commands.add_parser("lab", help=about, description=about)
    lab.add_argument(
        "notebook",
        nargs="?",
        type=Path,
        default=Path("notebooks/00_start_here.ipynb"),
        help="default: notebooks/00_start_here.ipynb",
    )
    lab.set_defaults(command=_lab)
    return parser


def _with_examples(make, examples: str, *arguments, **options) -> argparse.ArgumentParser:
    plain = argparse.RawDescriptionHelpFormatter
    return make(*arguments, epilog=examples, formatter_class=plain, **options)


def _add_where(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--jobs", type=int, default=-1, metavar="N", help="processes; default: one for each core"
    )
    command.add_argument(
        "--store", type=Path, metavar="FILE", help="keep every run; what is there does not run"
    )
    command.add_argument(
        "--scheduler", metavar="ADDRESS", help="run on a Dask cluster, such as tcp://192.0.2.1:8786"
    )


def _run(options: argparse.Namespace) -> int:
    from eubrl_edu.experiments import run_study
    from eubrl_edu.experiments.run import StudyInterrupted
    from eubrl_edu.validation import require_positive_int
    from eubrl_edu.writing import require_writable_file

    seeds = None
    if options.seeds is not None:
        seeds = range(require_positive_int("--seeds", options.seeds))
    if options.csv is not None:
        if not options.csv.absolute().parent.is_dir():
            raise ValueError(f"the folder of --csv {str(options.csv)!r} is not there")
        require_writable_file(options.csv)
    try:
        frame = run_study(
            options.study,
            options.agents,
            options.sizes,
            seeds,
            options.jobs,
            store=options.store,
            scheduler=options.scheduler,
        )
    except StudyInterrupted as interruption:
        _show(interruption.frame, options.csv)
        raise
    _show(frame, options.csv)
    return 0


def _show(frame, csv: Path | None) -> None:
    """Print the runs in a few lines, and write them all to a file if there is to be one."""
    from eubrl_edu.experiments import STUDIES
    from eubrl_edu.experiments.summary import in_words
    from eubrl_edu.writing import writing_to

    if len(frame) > 0:
        print(f"{STUDIES[frame.study[0]].title}\n\n{in_words(frame)}")
    if csv is not None:
        with writing_to(csv):
            frame.to_csv(csv, index=False)


def _tune(options: argparse.Namespace) -> int:
    from eubrl_edu.experiments.tuning import tune
    from eubrl_edu.plotting.tuning import draw_tuning
    from eubrl_edu.validation import require_positive_int
    from eubrl_edu.writing import require_writable_folder, writing_to

    n_seeds = require_positive_int("--seeds", options.seeds)
    require_writable_folder(options.out)
    tuning = tune(
        options.study,
        options.agent,
        options.size,
        n_seeds,
        every_combination=options.grid,
        n_jobs=options.jobs,
        store=options.store,
        scheduler=options.scheduler,
    )
    print(tuning.table.to_string(index=False))
    print(tuning.describe())
    file = options.out / f"tune-{tuning.study}-{tuning.agent}-{tuning.size}"
    with writing_to(options.out):
        tuning.table.to_csv(file.with_suffix(".csv"), index=False)
        draw_tuning(tuning).savefig(file.with_suffix(".png"))
    print(f"written: {file}.csv and {file}.png")
    return 0


def _reproduce(options: argparse.Namespace) -> int:
    from eubrl_edu.reproduce import reproduce

    report = reproduce(
        options.out, options.store, options.quick, n_jobs=options.jobs, cap=options.cap
    )
    print(f"written: {report}, with its figures beside it and the numbers in {report.parent}/data")
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
