"""Each claim is judged on made-up runs where the truth is known."""

import zlib

import numpy as np
import pandas as pd
import pytest

from eubrl_edu.experiments.intervals import Interval
from eubrl_edu.experiments.studies import STUDIES
from eubrl_edu.reproduction import evidence
from eubrl_edu.reproduction.campaign import (
    LAZY,
    NOISY_LAZY,
    NOISY_SEA,
    ONE_BETA0,
    PRECISIONS,
    SEA,
    variant_name,
)
from eubrl_edu.reproduction.claims import CLAIMS, NEAR_LAZY
from eubrl_edu.reproduction.comparisons import (
    NO,
    OPEN,
    YES,
    Part,
    Runs,
    compare,
    difference_of_rates,
    verdict,
)

HOLDS, IN_PART, NOT, UNDECIDED = "holds", "holds in part", "does not hold", "undecided"


def made_up(study, agent, size, level, solved=1.0, n=30, variant="paper", noise=0.01):
    """Runs around a level; seeds share a part of their luck."""
    luck = np.random.default_rng(7).normal(1, 0.05, n)
    own = np.random.default_rng(zlib.crc32(f"{agent} {size} {variant}".encode())).normal(
        1, noise, n
    )
    values = level * luck * own
    returns = study in ("chain", "loop")
    frame = pd.DataFrame(
        {
            "study": study,
            "agent": agent,
            "size": size,
            "seed": np.arange(n),
            "steps": 1000 if returns else values,
            "episodes": 1,
            "solved": pd.NA if returns else np.arange(n) < round(solved * n),
            "total_return": values,
            "return_1000": values if returns else np.nan,
            "seconds": 0.1,
            "variant": variant,
        }
    )
    return frame.astype({"solved": "boolean"})


def results(*frames):
    return Runs(pd.concat(frames, ignore_index=True))


def whole_study(study, levels, **options):
    """All sizes of a study; a level for each agent, to be multiplied by the size."""
    scale = study not in ("chain", "loop")
    return [
        made_up(study, agent, size, level * (size if scale else 1), **options)
        for agent, level in levels.items()
        for size in STUDIES[study].sizes
    ]


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ([YES, YES], HOLDS),
        ([YES, OPEN], IN_PART),
        ([YES, NO], IN_PART),
        ([YES, NO, NO], NOT),
        ([NO, OPEN], NOT),
        ([OPEN, OPEN], UNDECIDED),
        ([], UNDECIDED),
    ],
)
def test_verdict(outcomes, expected):
    assert verdict([Part("", outcome, "") for outcome in outcomes]) == expected


class TestCompare:
    def runs(self, level, solved=1.0, n=30, agent="A"):
        return made_up(SEA, agent, 10, level, solved, n)

    def test_fewer_steps_are_better(self):
        found = compare(self.runs(100), self.runs(200, agent="B"))
        assert found.outcome == 1 and found.difference.high < 0

    def test_the_other_way_round(self):
        assert compare(self.runs(200), self.runs(100, agent="B")).outcome == -1

    def test_quicker_but_solves_less_is_open(self):
        assert compare(self.runs(100, solved=0.3), self.runs(200, agent="B")).outcome == 0

    def test_as_quick_but_solves_more_is_better(self):
        ours, theirs = self.runs(100), self.runs(100, solved=0.3)
        assert compare(ours, theirs).outcome == 1

    def test_higher_returns_are_better(self):
        ours, theirs = made_up("loop", "A", 2, 390), made_up("loop", "B", 2, 300)
        assert compare(ours, theirs).outcome == 1

    def test_identical_runs_are_open(self):
        assert compare(self.runs(100), self.runs(100)).outcome == 0

    def test_too_few_seeds_are_open_however_clear(self):
        assert compare(self.runs(100, n=4), self.runs(900, 0.0, n=4, agent="B")).outcome == 0

    def test_only_common_seeds_count(self):
        found = compare(self.runs(100, n=30), self.runs(200, n=12, agent="B"))
        assert found.pairs == 12

    def test_words_hold_every_interval_that_decides(self):
        found = compare(self.runs(100), self.runs(100, solved=0.3, agent="B"))
        assert found.difference.side == 0 and found.outcome == 1
        # Newcombe: 0.7 less √(0.1135² + 0.1788²), and 0.7 plus 0.1334.
        rates = "solved 100% against 30% (difference +70.0%, 95% interval +48.8% to +83.3%)"
        assert rates in found.words()

    def test_words_hold_no_interval_where_too_few_seeds_ran(self):
        found = compare(self.runs(100, n=4), self.runs(900, 0.0, n=4, agent="B"))
        assert "interval" not in found.words()

    def test_no_common_seeds(self):
        found = compare(self.runs(100), self.runs(100).iloc[:0])
        assert found.outcome == 0 and "no seeds" in found.words()


def judged(name, runs):
    (claim,) = [claim for claim in CLAIMS if claim.name.startswith(name)]
    return verdict(claim.parts(runs))


CHAIN = {"EUBRL": 3500, "PSRL": 3000, "RMAX": 3000, "BEB": 3400, "Mean-MDP": 2000}


@pytest.mark.parametrize(
    ("changed", "expected"), [({}, HOLDS), ({"BEB": 3600}, IN_PART), ({"EUBRL": 1000}, NOT)]
)
def test_eubrl_leads_chain_and_loop(changed, expected):
    runs = results(*whole_study("chain", CHAIN | changed), *whole_study("loop", CHAIN | changed))
    assert judged("EUBRL leads Chain", runs) == expected


def test_variants_that_the_paper_does_not_compare_are_no_rivals():
    runs = results(*whole_study("chain", CHAIN | {"BEETLE-tied": 3650, "Q-learning": 3600}))
    assert judged("EUBRL leads Chain", runs) == HOLDS


@pytest.mark.parametrize(("level", "expected"), [(2000, HOLDS), (3450, IN_PART), (3800, NOT)])
def test_mean_mdp_trails(level, expected):
    runs = results(*whole_study("chain", CHAIN | {"Mean-MDP": level}))
    assert judged("Mean-MDP trails", runs) == expected


def loops(growth):
    frames = []
    for size in STUDIES["loop-scaling"].sizes:
        frames.append(made_up("loop-scaling", "EUBRL", size, 10 * size))
        frames.append(made_up("loop-scaling", "RMAX", size, 12 * size * size**growth))
    return results(*frames)


def test_rmax_scales_worse_with_loops():
    assert judged("RMAX scales worse", loops(0.3)) == HOLDS
    assert judged("RMAX scales worse", loops(-0.02)) == IN_PART
    assert judged("RMAX scales worse", loops(-1.0)) == NOT


@pytest.mark.parametrize("seeds", [1, 2, 4])
def test_from_few_seeds_no_growth_is_read(seeds):
    frames = [
        made_up("loop-scaling", agent, size, each * size, n=seeds)
        for size in (2, 4)
        for agent, each in (("EUBRL", 10), ("RMAX", 20))
    ]
    parts = evidence.scales_better_with_loops(results(*frames))
    worlds = [f"loop-scaling {size}: EUBRL against RMAX" for size in (2, 4)]
    assert [part.where for part in parts] == worlds
    assert "nan" not in str(parts)


def test_no_growth_is_read_where_other_seeds_ran_at_each_size():
    frames = [
        made_up("loop-scaling", agent, size, each * size).assign(seed=range(size, size + 30))
        for agent, each in (("EUBRL", 10), ("RMAX", 20))
        for size in (2, 32)
    ]
    parts = evidence.scales_better_with_loops(results(*frames))
    assert len(parts) == 2 and "nan" not in str(parts)


@pytest.mark.parametrize("agent", ["PSRL", "BEB"])
def test_scales_badly(agent):
    def seas(exponent, n=30):
        frames = []
        for study, reference in ((SEA, "EUBRL"), (NOISY_SEA, "EUBRL+")):
            for size in STUDIES[study].sizes:
                frames.append(made_up(study, reference, size, size**2))
                frames.append(made_up(study, agent, size, 2 * size**2 * size**exponent, n=n))
        return results(*frames)

    name = f"{agent} scales badly"
    assert judged(name, seas(0.5)) == HOLDS
    assert judged(name, seas(-0.1)) == IN_PART
    assert judged(name, seas(-1.0)) == NOT
    assert judged(name, seas(0.5, n=3)) == UNDECIDED


@pytest.mark.parametrize(
    ("solved", "n", "expected"), [(1.0, 100, HOLDS), (0.99, 100, NOT), (1.0, 20, UNDECIDED)]
)
def test_never_fails(solved, n, expected):
    runs = results(*whole_study(NOISY_SEA, {"EUBRL+": 100}, solved=solved, n=n))
    assert judged("EUBRL+ never fails", runs) == expected


LAZIES = (LAZY, NOISY_LAZY, NEAR_LAZY)


@pytest.mark.parametrize(("rmax", "expected"), [(20, HOLDS), (10.0, IN_PART), (5, IN_PART)])
def test_eubrl_leads_lazy_chain(rmax, expected):
    levels = {"EUBRL": 10, "PSRL": 40, "RMAX": rmax, "EUBRL-tied": 1}
    frames = [frame for study in LAZIES for frame in whole_study(study, levels)]
    assert judged("EUBRL leads LazyChain", results(*frames)) == expected


def test_eubrl_does_not_lead_where_all_are_better():
    levels = {"EUBRL": 10, "PSRL": 5, "RMAX": 5}
    assert judged("EUBRL leads LazyChain", results(*whole_study(LAZY, levels))) == NOT


@pytest.mark.parametrize(
    ("rate", "rivals", "expected"), [(1.0, 0.6, HOLDS), (0.6, 1.0, NOT), (0.8, 0.8, UNDECIDED)]
)
def test_mutual_information_solves_most(rate, rivals, expected):
    frames = []
    for study in (NOISY_LAZY, NEAR_LAZY):
        frames += whole_study(study, {"EUBRL-MI": 10}, solved=rate)
        frames += whole_study(study, {"EUBRL": 10, "RMAX": 10}, solved=rivals)
    assert judged("Mutual information", results(*frames)) == expected


@pytest.mark.parametrize(
    ("steps", "rate", "fewest", "higher"),
    [(5, 1.0, HOLDS, HOLDS), (20, 0.2, NOT, NOT), (5, 0.6, HOLDS, UNDECIDED)],
)
def test_tied_prior(steps, rate, fewest, higher):
    frames = []
    for study in LAZIES:
        frames += whole_study(study, {"EUBRL-tied": steps}, solved=rate)
        frames += whole_study(study, {"EUBRL": 10}, solved=0.6)
    assert judged("The tied prior needs", results(*frames)) == fewest
    assert judged("The tied prior has", results(*frames)) == higher


@pytest.mark.parametrize(("exponent", "expected"), [(-0.3, HOLDS), (0.3, NOT), (0.0, UNDECIDED)])
def test_sampling_too_often(exponent, expected):
    frames = []
    for study in (SEA, LAZY):
        for every in evidence.planning_intervals(10):
            steps = 1000 * (1000 if every == "episode" else every) ** exponent
            variant = variant_name({"plan_every": every})
            # Without luck of their own, equal levels are equal runs.
            frames.append(made_up(study, "PSRL", 10, steps, variant=variant, noise=0))
    assert judged("PSRL suffers", results(*frames)) == expected


@pytest.mark.parametrize(("exponent", "expected"), [(1.0, HOLDS), (0.7, HOLDS), (2.0, NOT)])
def test_explores_in_proportion(exponent, expected):
    frames = []
    for m in evidence.KNOWN_AFTER:
        variant = variant_name({"known_after": m})
        for size in (10, 20):
            pairs = {SEA: 2 * (size**2 + 1), LAZY: 3 * (2 * size + 1)}
            for study, n_pairs in pairs.items():
                steps = 2.0 * (m * n_pairs) ** exponent
                frames.append(made_up(study, "RMAX", size, steps, variant=variant))
    assert judged("RMAX explores", results(*frames)) == expected


def test_settings_with_unsolved_runs_do_not_count():
    frames = [
        made_up(SEA, "RMAX", 10, 5000, solved=0.5, variant=variant_name({"known_after": m}))
        for m in evidence.KNOWN_AFTER
    ]
    assert judged("RMAX explores", results(*frames)) == UNDECIDED


def test_normal_gamma_against_every_precision():
    def seas(normal_steps):
        frames = []
        for study in (SEA, NOISY_SEA):
            ours = variant_name({"beta0": ONE_BETA0})
            frames.append(made_up(study, "EUBRL", 10, 300, variant=ours))
            for tau in PRECISIONS:
                theirs = variant_name({"reward_model": "normal", "tau": tau})
                frames.append(made_up(study, "EUBRL", 10, normal_steps, variant=theirs))
        return [part.outcome for part in evidence.normal_gamma_adapts(results(*frames))]

    n = len(PRECISIONS)
    assert seas(600)[:n] == [YES] * n
    assert seas(100)[:n] == [NO] * n


def test_uncertainty_follows_the_noise_except_where_the_precision_is_right():
    parts = evidence.normal_gamma_adapts(results(made_up(SEA, "EUBRL", 10, 300)))
    outcomes = {part.where.split("deviation ")[1]: part.outcome for part in parts}
    assert outcomes == {"0.1": 1, "0.3": 1, "1": -1, "3": 1, "0.1 then 1": 1, "1 then 0.1": 1}


@pytest.mark.parametrize(("steps", "expected"), [(300, HOLDS), (50, NOT), (100, UNDECIDED)])
def test_reward_models(steps, expected):
    frames = []
    for study in (SEA, NOISY_SEA, LAZY, NOISY_LAZY):
        for model, level in (("outcome", 100), ("action", steps)):
            variant = variant_name({"reward_model": model})
            frames.append(made_up(study, "EUBRL", 10, level, variant=variant, noise=0))
    assert judged("Modelling", results(*frames)) == expected


def test_every_part_that_decides_shows_its_interval():
    """Made-up runs of all studies: no yes or no without the interval behind it."""
    frames = []
    for study in ("chain", "loop", "loop-scaling", SEA, NOISY_SEA, *LAZIES):
        levels = {agent: 10 + 5 * i for i, agent in enumerate(STUDIES[study].agents)}
        frames += whole_study(study, levels, solved=0.9)
    runs = results(*frames)
    decided = [part for claim in CLAIMS for part in claim.parts(runs) if part.outcome in (YES, NO)]
    assert len(decided) > 100
    assert [part for part in decided if "95% interval" not in part.evidence] == []


def test_every_claim_says_what_it_judges():
    for claim in CLAIMS:
        assert claim.statement and claim.rule
    assert len({claim.name for claim in CLAIMS}) == len(CLAIMS)


def test_no_rate_is_a_zero_with_a_sign():
    text = difference_of_rates(Interval(-0.0003, -1e-17, 0.832))
    assert text == "difference −0.03%, 95% interval +0.0% to +83.2%"
