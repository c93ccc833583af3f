"""The paper's claims, one by one, each with the rule by which the runs judge it."""

from functools import partial

from eubrl_edu.reproduction import evidence
from eubrl_edu.reproduction.campaign import (
    LAZY,
    NOISY_LAZY,
    NOISY_SEA,
    ONE_BETA0,
    SEA,
    variant_name,
)
from eubrl_edu.reproduction.comparisons import Claim

NEAR_LAZY = f"{NOISY_LAZY}-near"
LAZIES = (LAZY, NOISY_LAZY, NEAR_LAZY)
BETTER = (
    "Better is: a higher return; or fewer steps to solve or a higher success rate, and neither "
    "of the two worse."
)
AGAINST = f"A part for each world, size and other agent: yes if EUBRL is better. {BETTER}"

CLAIMS = (
    Claim(
        "EUBRL leads Chain and Loop",
        "“in Chain and Loop, EUBRL not only outperforms all relevant baselines”",
        AGAINST,
        partial(evidence.leads, studies=("chain", "loop")),
    ),
    Claim(
        "Mean-MDP trails",
        "“Mean-MDP consistently performs subpar, highlighting the importance of a reward bonus”",
        "A part for each agent with a bonus, on Chain and Loop: yes if its return is higher.",
        evidence.mean_mdp_trails,
    ),
    Claim(
        "RMAX scales worse than EUBRL with loops",
        "RMAX “scales less favorably than EUBRL”",
        "A part for each number of loops: yes if EUBRL needs fewer steps; one more for the ratio "
        "of their steps: yes if it grows from the smallest to the largest world.",
        evidence.scales_better_with_loops,
    ),
    Claim(
        "PSRL scales badly on DeepSea",
        "PSRL “does not scale well as the problem size increases”",
        "A part for each variant of the sea and size: yes if EUBRL (EUBRL+ in the stochastic sea) "
        "is better; one more for each variant: yes if the ratio of their steps grows from the "
        "smallest size to the largest of which enough seeds ran (geometric means over the seeds "
        "that ran at both). An unsolved run is charged the steps it was given, at either size.",
        partial(evidence.scales_badly, agent="PSRL"),
    ),
    Claim(
        "BEB scales badly on DeepSea",
        "BEB “does not leverage any posterior information in the reward bonus, … resulting in "
        "slower convergence”",
        "As for PSRL.",
        partial(evidence.scales_badly, agent="BEB"),
    ),
    Claim(
        "EUBRL+ never fails on stochastic DeepSea",
        "“EUBRL+ perfectly solves the task without failure”",
        "A part for each size: no if any run failed; yes if none did and the lower end of the "
        f"Wilson interval is at least {evidence.NEVER_FAILS}.",
        evidence.never_fails,
    ),
    Claim(
        "EUBRL leads LazyChain",
        "“EUBRL consistently outperforms other methods, exhibiting better sample efficiency and "
        "scalability, even under heavy noise injection in the transitions”",
        AGAINST,
        partial(evidence.leads, studies=LAZIES),
    ),
    Claim(
        "Mutual information has the highest success rate",
        "EUBRL (MI), “although taking slightly more steps, achieves the highest overall success "
        "rate”",
        "A part for each other agent and success rule on the stochastic LazyChain, all sizes "
        "together: yes if EUBRL-MI's rate is higher.",
        partial(evidence.solves_most, agent="EUBRL-MI", studies=(NOISY_LAZY, NEAR_LAZY)),
    ),
    Claim(
        "The tied prior needs the fewest samples",
        "EUBRL (Tied Prior) “indeed reduces the number of samples required for convergence”",
        "A part for each world, size and other agent on LazyChain: yes if EUBRL-tied takes fewer "
        "steps, where an unsolved run is charged all the steps it was given.",
        partial(evidence.fewest_samples, agent="EUBRL-tied", studies=LAZIES),
    ),
    Claim(
        "The tied prior has a higher success rate",
        "and “achieves a higher overall success rate”",
        "A part for each variant and success rule of LazyChain, all sizes together: yes if "
        "EUBRL-tied's rate is higher than EUBRL's.",
        partial(evidence.solves_most, agent="EUBRL-tied", studies=LAZIES, rivals=("EUBRL",)),
    ),
    Claim(
        "PSRL suffers from sampling too often",
        "“likely because their sampling is excessively frequent, causing unnecessary exploration "
        "and fluctuations near convergence”",
        "A part for each world, size and interval between draws: yes if PSRL that draws more "
        "seldom is better than PSRL that draws most often (at every step, where five such runs "
        f"could be afforded). {BETTER}",
        evidence.sampling_too_often,
    ),
    Claim(
        "RMAX explores for O(mSA) steps",
        "“the algorithm spends excessive time exploring, which scales as O(mSA)”",
        "A part for each deterministic world: b is fitted in steps = c (mSA)^b over m in "
        "1, 3, 5, 10, 20 and all sizes at which every run was solved; yes if its 95% interval "
        f"ends below {evidence.LINEAR}, no if it begins above.",
        evidence.explores_in_proportion,
    ),
    Claim(
        "Normal-Gamma adapts more smoothly than a Normal of known precision",
        "Normal-Gamma “adapts more smoothly to changes …, the sample variance can help inform "
        "epistemic uncertainty. In contrast, Normal-Normal assumes the precision τ … is fixed”",
        f"Two kinds of parts. For each τ: one Normal-Gamma prior (β0 = {ONE_BETA0}) in both the "
        "deterministic and the stochastic sea, against a Normal of precision τ; yes if it is "
        "better in some sea and worse in none, no the other way round. For each noise, which may "
        "change half way: yes if E_R is nearer to the true squared error of the mean reward.",
        evidence.normal_gamma_adapts,
    ),
    Claim(
        "Modelling r(s,a,s') beats r(s,a)",
        "rewards are modelled by outcome, r(s,a,s'), with E_R(s,a,s') = 1 at first",
        f"A part for each world and size: yes if EUBRL with the belief over r(s,a,s') is better "
        f"than with one over r(s,a), all else equal. {BETTER}",
        partial(
            evidence.variant_is_better,
            agent="EUBRL",
            ours=variant_name({"reward_model": "outcome"}),
            theirs=variant_name({"reward_model": "action"}),
            studies=(SEA, NOISY_SEA, LAZY, NOISY_LAZY),
        ),
    ),
    Claim(
        "PSRL's clipping in visited rows costs it nothing",
        "clipping the Dirichlet parameters at 1e-3 “only affects state–action pairs for which no "
        "observations have been made”",
        "A part for each world and size: yes if PSRL clipped everywhere, as in the paper's "
        "experiments, is better than PSRL clipped only in rows without any observation; no if it "
        f"is worse. {BETTER}",
        partial(
            evidence.variant_is_better,
            agent="PSRL",
            ours="paper",
            theirs=variant_name({"clip_visited": False}),
            studies=(SEA, NOISY_SEA, LAZY, NOISY_LAZY),
        ),
    ),
)
