"""The command line: ``eubrl-edu run loop --agents EUBRL RMAX --seeds 20``, and more."""

import argparse
import contextlib
import gc
import json
import shlex
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from eubrl_edu.cli_parser import make_parser
from eubrl_edu.cli_streams import prepare_streams
from eubrl_edu.names import require_current_folder, require_path, require_text


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit status.

    0: done. 1: something failed on the way, such as a full disk. 2: it cannot be done as asked.
    130: stopped by Ctrl-C.
    """
    prepare_streams()
    parser = make_parser()
    options, more = parser.parse_known_args(arguments)
    if more and options.command != "lab":
        parser.error(f"unrecognized arguments: {' '.join(more)}")
    options.jupyter = more
    words = sys.argv[1:] if arguments is None else arguments
    try:
        require_current_folder()
        for word in words:
            require_text("an argument", word)
            if not word:
                raise ValueError(f"no argument can be empty, got {' '.join(map(repr, words))}")
        return COMMANDS[options.command](options)
    except (ValueError, OSError, RuntimeError) as error:
        print(f"eubrl-edu: {error}", file=sys.stderr)
        return 2 if isinstance(error, ValueError) else 1
    except KeyboardInterrupt as error:
        print(f"eubrl-edu: stopped. {error}".rstrip(), file=sys.stderr)
        # Else Python would search all that it holds for garbage before it ends.
        gc.freeze()
        return 130


def console() -> int:
    """`main` as a process of its own: once it is done, Ctrl-C finds nothing to stop."""
    try:
        return main()
    finally:  # Python may yet wait for its workers, and would answer with a traceback
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _run(options: argparse.Namespace) -> int:
    from eubrl_edu.experiments import run_study
    from eubrl_edu.experiments.failures import StudyFailed, StudyInterrupted
    from eubrl_edu.validation import require_positive_int

    seeds = None
    if options.seeds is not None:
        seeds = range(require_positive_int("--seeds", options.seeds))
    _require_csv(options.csv, options.store)
    try:
        frame = run_study(
            options.study,
            options.agents,
            options.sizes,
            seeds,
            options.jobs,
            settings={name: _value(text) for name, text in _named("--set", options.set)},
            store=options.store,
            scheduler=options.scheduler,
        )
    except (StudyInterrupted, StudyFailed) as stopped:
        try:
            _show(stopped.frame, options.csv)
        except OSError as error:  # what stopped the study is still to be told
            print(f"eubrl-edu: {error}", file=sys.stderr)
        raise
    _show(frame, options.csv)
    return 0


def _require_csv(file: Path | None, store: Path | None = None) -> None:
    from eubrl_edu.writing import require_target

    if file is not None:
        require_target("--csv", file)
        if store is not None and file.resolve() == store.resolve():
            raise ValueError(f"--csv must name another file, got {str(file)!r}, which is the store")


def _named(option: str, settings: Sequence[str]) -> list[tuple[str, str]]:
    """The names and texts of ``NAME=TEXT``."""
    named = [setting.partition("=")[::2] for setting in settings]
    for setting, (name, text) in zip(settings, named, strict=True):
        if not name or not text:
            raise ValueError(f"{option} takes NAME=VALUE, such as eta=0.5, got {setting!r}")
    if len(dict(named)) < len(named):
        raise ValueError(f"{option} takes each NAME once, got {' '.join(settings)}")
    return named


def _value(text: str):
    """The number, truth or nothing that a text stands for; else the text."""
    try:
        words = {"true": True, "false": False, "none": None}
        return words[text.lower()] if text.lower() in words else json.loads(text)
    except (ValueError, RecursionError):
        pass
    for number in (int, float):  # JSON has no +1, .5 or 1.
        with contextlib.suppress(ValueError):
            return number(text)
    return text


def _show(frame, csv: Path | None) -> None:
    """Write the runs to a file if there is to be one, and print them in a few lines."""
    from eubrl_edu.experiments import STUDIES
    from eubrl_edu.experiments.summary import in_words

    if len(frame) > 0:  # of no run, what the file holds stays
        title = STUDIES[frame.study[0]].title
        _write_and_print(csv, lambda: frame, lambda: f"{title}\n\n{in_words(frame)}")


def _write_and_print(csv: Path | None, table: Callable, words: Callable[[], str]) -> None:
    """Write a table if a file is named, and print it in words; if one fails, the other is done."""
    from eubrl_edu.writing import in_place_of

    try:
        if csv is not None:
            with in_place_of(csv) as part:
                # A file's name may hold bytes that are no text.
                table().to_csv(part, index=False, errors="replace")
    finally:
        print(words())


def _tune(options: argparse.Namespace) -> int:
    from eubrl_edu.experiments.failures import StudyFailed, StudyInterrupted
    from eubrl_edu.experiments.tuning import tune
    from eubrl_edu.plotting.tuning import draw_tuning
    from eubrl_edu.validation import require_positive_int
    from eubrl_edu.writing import in_place_of, made_folder, unused_stem

    n_seeds = require_positive_int("--seeds", options.seeds)
    grid = None
    if options.values:
        named = _named("--values", options.values)
        grid = {name: [_value(text) for text in texts.split(",")] for name, texts in named}
    with made_folder(require_path("--out", options.out, "folder")):
        try:
            tuning = tune(
                options.study,
                options.agent,
                options.size,
                n_seeds,
                grid,
                every_combination=options.grid,
                n_jobs=options.jobs,
                store=options.store,
                scheduler=options.scheduler,
            )
        except (StudyInterrupted, StudyFailed) as stopped:
            if len(stopped.tried):
                print(stopped.tried.to_string(index=False))
            raise
    file = unused_stem(options.out, f"tune-{tuning.study}-{tuning.agent}-{tuning.size}")
    try:
        with in_place_of(file.with_suffix(".csv")) as part:
            tuning.table.to_csv(part, index=False)
        with in_place_of(file.with_suffix(".png")) as part:
            draw_tuning(tuning).savefig(part)
    finally:
        print(f"{tuning.table.to_string(index=False)}\n{tuning.describe()}")
    print(f"written: {file}.csv and {file}.png")
    return 0


def _reproduce(options: argparse.Namespace) -> int:
    from eubrl_edu.reproduction.reproduce import reproduce

    report = reproduce(options.out, options.store, options.quick, n_jobs=options.jobs)
    print(f"written: {report}, with its figures beside it and the numbers in {report.parent}/data")
    return 0


def _studies(options: argparse.Namespace) -> int:
    from eubrl_edu.experiments import AGENT_NAMES, AGENTS, STUDIES

    if options.agents:
        for record in AGENTS.values():
            print(f"{record.name:19}{record.about}\n{'':19}uses {' '.join(record.settings)}")
        return 0
    for study in STUDIES.values():
        sizes = " ".join(map(str, study.sizes))
        print(f"{study.name:26}{study.title} (sizes {sizes}; {study.n_seeds} seeds)")
    print("agents: " + " ".join(AGENT_NAMES))
    return 0


def _lab(options: argparse.Namespace) -> int:
    from eubrl_edu.course import open_lab

    words = [word for word in options.jupyter if not word.startswith("-")]
    notebooks = [word for word in words if word.endswith(".ipynb")]
    others = [word for word in options.jupyter if word not in notebooks]
    if len(notebooks) > 1:
        raise ValueError(f"one notebook can be opened at a time, got {' '.join(notebooks)}")
    return open_lab(*notebooks, options=others)


def _present(options: argparse.Namespace) -> int:
    from eubrl_edu.course.presenting import present

    return present(options.folder, options.port, not options.no_browser)


def _slides(options: argparse.Namespace) -> int:
    from eubrl_edu.course.slides import write_slides

    print("\n".join(map(str, write_slides(options.notebooks, options.out))))
    return 0


def _course(options: argparse.Namespace) -> int:
    from eubrl_edu.course import copy_course

    print(copy_course(options.folder).describe())
    print(f"To open it:\n    cd {shlex.quote(str(options.folder))}\n    eubrl-edu lab")
    return 0


def _progress(options: argparse.Namespace) -> int:
    from eubrl_edu.course import find_notebooks, notebooks_of
    from eubrl_edu.exercises.progress import FILE, describe_progress, reset_progress

    folder = find_notebooks() if options.folder is None else notebooks_of(options.folder)
    if options.reset:
        if options.folder is None and Path.cwd() not in (folder, folder.parent):
            raise ValueError(
                f"the course is not in {str(Path.cwd())!r}; to forget what has been solved in the "
                f"clone, name its folder: eubrl-edu progress {shlex.quote(str(folder))} --reset"
            )
        solved = reset_progress(folder)
        gone = f"removed: {folder / FILE} (exercises noted as solved: {solved})"
        print(gone if solved else "nothing was noted yet")
    else:
        print(f"{folder}\n{describe_progress(folder)}")
    return 0


def _check(options: argparse.Namespace) -> int:
    from eubrl_edu.course.checking import check_folder, in_words, is_to_compile, to_frame

    _require_csv(options.csv)
    to_check = check_folder(options.folder, options.seconds)
    if is_to_compile():
        said = "Compiling what the notebooks need, which is done once and takes about a minute."
        print(said, file=sys.stderr)
    checked = []
    try:
        for one in to_check:
            print(one, file=sys.stderr)
            checked.append(one)
    except KeyboardInterrupt:
        last = f"The last notebook checked is {checked[-1].file!r}." if checked else ""
        raise KeyboardInterrupt(last) from None
    finally:  # after Ctrl-C too: those that are checked are checked
        if checked:
            _write_and_print(options.csv, lambda: to_frame(checked), lambda: in_words(checked))
    return 0


COMMANDS = {
    "run": _run,
    "tune": _tune,
    "reproduce": _reproduce,
    "studies": _studies,
    "lab": _lab,
    "present": _present,
    "slides": _slides,
    "course": _course,
    "progress": _progress,
    "check": _check,
}
