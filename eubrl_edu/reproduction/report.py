"""The report: every table beside the paper's, and every claim with its verdict."""

import re
from collections.abc import Sequence

import pandas as pd

from eubrl_edu import __version__
from eubrl_edu.experiments.settings import paper_settings
from eubrl_edu.experiments.studies import STUDIES
from eubrl_edu.plotting.names import counted
from eubrl_edu.reproduction import report_words
from eubrl_edu.reproduction.campaign import (
    LAZY,
    NOISY_LAZY,
    NOISY_SEA,
    PAPERS_EUBRL_PLUS,
    PAPERS_VBRB,
)
from eubrl_edu.reproduction.claims import CLAIMS
from eubrl_edu.reproduction.comparisons import NO, OUTCOMES, RULE, Judged, Runs, short, verdict
from eubrl_edu.reproduction.published import WITHIN, beside_published
from eubrl_edu.reproduction.report_tables import (
    markdown,
    returns_table,
    solving_table,
    variants_table,
)

# So many of a claim's parts that say no are named where the report says why.
MOST_NAMED = 8
OTHER_SETTINGS = "Other settings than the paper's\n\nThe runs behind the sweeps and several claims."
# A line that shows a figure; its words may hold brackets too.
_FIGURE = re.compile(r"!\[.*\]\((.+)\.png\)")


def judge(frame: pd.DataFrame) -> list[Judged]:
    """Judge every claim by the runs."""
    results = Runs(frame)
    found = [(claim, claim.parts(results)) for claim in CLAIMS]
    return [Judged(claim, parts, verdict(parts)) for claim, parts in found]


def report(
    frame: pd.DataFrame,
    table: pd.DataFrame,
    judged: list[Judged],
    quick: bool,
    figures: list[str],
    more: Sequence[str] = (),
) -> str:
    """The whole report in Markdown.

    Parameters
    ----------
    frame : pandas.DataFrame
        What `run_batches` returned.
    table : pandas.DataFrame
        What `aggregate` makes of it.
    judged : list of Judged
        What `judge` makes of it.
    quick : bool
        Whether this was a quick run.
    figures : list of str
        Names of the figures beside the report, without ending.
    more : sequence of str
        Sections on what the paper does not ask, where it was run.

    Returns
    -------
    str
    """
    beyond = table.variant.str.startswith("beyond")
    sections = [
        _head(frame, quick),
        _verdicts(judged),
        "" if quick else report_words.what_changed(judged),
        _returns(frame, table),
        _solving(table),
        _more_figures(figures),
        _variants("Beyond the paper's sizes", table[beyond]),
        *more,
        _details(judged),
        _differences(frame, judged),
        _variants(OTHER_SETTINGS, table[(table.variant != "paper") & ~beyond]),
    ]
    text = "\n\n".join(section for section in sections if section) + "\n"
    # A figure that was not drawn, as there was nothing to draw, is not shown.
    return "\n".join(
        line
        for line in text.split("\n")
        if not (figure := _FIGURE.fullmatch(line)) or figure[1] in figures
    )


def _figure(name: str, alt: str) -> str:
    return f"![{alt}]({name}.png)"


def _head(frame: pd.DataFrame, quick: bool) -> str:
    once = frame.drop_duplicates(["study", "agent", "size", "seed", "seconds"])
    ours, papers = paper_settings(NOISY_SEA, "EUBRL+"), PAPERS_EUBRL_PLUS
    calm, noisy = (paper_settings(study, "VBRB") for study in (LAZY, NOISY_LAZY))
    command = "eubrl-edu reproduce" + (" --quick" if quick else "")
    warning = (
        "\n\n**This was a quick run: few seeds and small sizes. It shows that everything runs; "
        "for verdicts see a full one.**"
        if quick
        else ""
    )
    return f"""# The paper, reproduced

Written by `{command}` (eubrl_edu {__version__}).{warning}

- {len(once):,} runs, {once.seconds.sum() / 60:,.1f} minutes by the clock, summed over runs.\
{"" if quick else _seeds_in_words(frame)}
- Where the paper's settings are open or did badly, they were found on other seeds than these. \
EUBRL+ is such a case: η = {ours.eta:g} and α = {ours.alpha:g}; η = {papers["eta"]:g} and \
α = {papers["alpha"]:g}, which the paper's experiments used but the paper does not print, are \
among the other settings below. VBRB on the lazy chain is another: \
η = {calm.eta:g} N without chance, η = {noisy.eta:g} N and α = {noisy.alpha:g} with it; \
the experiments' η = {PAPERS_VBRB[LAZY]["eta"]:g} N and, with chance, \
α = {PAPERS_VBRB[NOISY_LAZY]["alpha"]:g} were found with another form of its bonus.
- Means have 95% bootstrap intervals (BCa, over seeds), success rates Wilson's. A run that did \
not solve its world is charged all the steps and episodes it was given.
- Agents with the same seed face the same world, so that their means move together: differences \
are taken seed by seed and are known better than the means beside each other suggest. Each end of \
their intervals is the farther one of the bootstrap's and Student's t.
- The numbers behind all this: `data/summary.csv` (means and intervals), \
`data/claims.csv` (each part of each claim), and the store that this was run with (every run; \
`data/runs.sqlite`, if no other was named)."""


def _verdicts(judged: list[Judged]) -> str:
    rows = []
    for number, each in enumerate(judged, start=1):
        counts = [sum(part.outcome == outcome for part in each.parts) for outcome in (1, -1, 0)]
        rows.append([str(number), each.claim.name, f"**{each.verdict}**", *map(str, counts)])
    table = markdown(["", "claim", "here", "yes", "no", "open"], rows)
    return f"## The paper's claims, judged\n\n{table}\n\n{RULE}"


def _returns(frame: pd.DataFrame, table: pd.DataFrame) -> str:
    parts = ["## Returns beside the paper's tables"]
    for study in ("chain", "loop"):
        parts += [
            f"### {STUDIES[study].title}",
            returns_table(frame, table, study),
            _figure(study, f"{STUDIES[study].title}: ours and the paper's"),
        ]
    return "\n\n".join(parts)


def _solving(table: pd.DataFrame) -> str:
    parts = [
        "## Solving: the paper's figures\n\nThe paper shows these as pictures only, without "
        "printed numbers; its claims about them are judged above and below."
    ]
    shown = set()
    for study in STUDIES.values():
        rows = table[(table.study == study.name) & (table.variant == "paper")]
        if study.success is None or rows.empty:
            continue
        figure = study.name if study.name == "loop-scaling" else study.environment
        parts.append(f"### {study.title}")
        if figure not in shown:
            parts.append(_figure(figure, f"{study.environment}, over the sizes"))
            shown.add(figure)
        parts.append(solving_table(rows))
    return "\n\n".join(parts)


SWEEPS = {
    "psrl-sampling": "How often PSRL draws: steps to solve",
    "rmax-known-after": "RMAX's m: steps to solve",
    "reward-priors": "E_R under Normal-Gamma and under a Normal of known precision",
    "planning-cost": (
        "Time and memory of one planning step, ours and dense arrays "
        "(measured by benchmarks/bench_scaling.py)"
    ),
}


def _more_figures(figures: list[str]) -> str:
    shown = [f"### {alt}\n\n{_figure(n, alt)}" for n, alt in SWEEPS.items() if n in figures]
    return "\n\n".join(["## Sweeps and measurements", *shown]) if shown else ""


def _variants(head: str, rows: pd.DataFrame) -> str:
    return f"## {head}\n\n{variants_table(rows)}" if len(rows) else ""


def _details(judged: list[Judged]) -> str:
    parts = ["## The claims, part by part"]
    for number, each in enumerate(judged, start=1):
        rows = [[part.where, OUTCOMES[part.outcome], part.evidence] for part in each.parts]
        parts += [
            f"### {number}. {each.claim.name}: {each.verdict}",
            f"The paper: {each.claim.statement}.\n\nRule: {each.claim.rule}",
            markdown(["where", "", "evidence"], rows) if rows else "Nothing was run for it.",
        ]
    return "\n\n".join(parts)


def _differences(frame: pd.DataFrame, judged: list[Judged]) -> str:
    lines = ["## Where we differ from the paper, and why"]
    for row in beside_published(frame[frame.variant == "paper"]).to_dict("records"):
        if row["seeds"] and abs(row["score"]) > WITHIN:
            reason = report_words.WHY_A_NUMBER_DIFFERS.get(
                (row["study"], row["agent"]), report_words.A_NUMBER_DIFFERS
            )
            lines.append(
                f"- **{row['agent']} on {row['study']}**: {short(row['mean'])} here, "
                f"{short(row['value'])} in the paper. {reason}"
            )
    for each in judged:
        if each.verdict in ("holds in part", "does not hold"):
            lines.append(f"- **{each.claim.name}** ({each.verdict} here): {why(each)}")
    return "\n\n".join([lines[0], "\n".join(lines[1:])]) if len(lines) > 1 else ""


def why(judged: Judged) -> str:
    """Which parts of a claim say no, and what there is to say about them."""
    against = [part.where for part in judged.parts if part.outcome == NO]
    named = "; ".join(against[:MOST_NAMED])
    if len(against) > MOST_NAMED:
        named += f"; and {len(against) - MOST_NAMED} more"
    parts = counted(len(judged.parts), "part")
    sentences = [f"Against it: {len(against)} of {parts} ({named})."]
    if not against:
        sentences = [f"Against it: none of {parts}; some are open."]
    for about, why in report_words.WHY_A_CLAIM_DIFFERS.get(judged.claim.name, ()):
        if any(about in where for where in against):
            sentences.append(why)
    return " ".join(sentences)


def _seeds_in_words(frame: pd.DataFrame) -> str:
    """Every number of seeds is the paper's at least, but for what is named."""
    as_large_as_the_papers = frame[~frame.variant.str.startswith("beyond")]
    cells = as_large_as_the_papers.groupby(["study", "variant", "agent", "size"], sort=False)
    fewer = [
        f"{agent}{'' if variant == 'paper' else f' with {variant}'} on {study} at size {size} "
        f"({counted(len(runs), 'seed')})"
        for (study, variant, agent, size), runs in cells
        if len(runs) < STUDIES[study].n_seeds
    ]
    but = f", but for {'; '.join(fewer)}, as these take long" if fewer else ""
    return f" Every agent runs at every size with at least as many seeds as in the paper{but}."
