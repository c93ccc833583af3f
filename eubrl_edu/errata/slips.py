"""Slips of the pen: what is printed, and what is meant. The paper often has it right nearby."""

from eubrl_edu.errata.erratum import Erratum, Kind


def _slip(place: str, printed: str, meant: str, why: str = "") -> Erratum:
    return Erratum(Kind.SLIP, place, printed, why, meant)


SLIPS: tuple[Erratum, ...] = (
    _slip(
        "Notations, ν_t",
        r"$\nu_{t} := \{ \begin{array}{ll} \min \{\tau \in [t, T]: n^{\tau}(s_{\tau}, a_{\tau}) > "
        r"2 N^{t}(s_{\tau}, a_{\tau})\}$",
        "τ − t, and T + 1 − t where there is none, see `stopping_times`; the same where the visits "
        "are overloaded, in “Sample Complexity”.",
        "The definition is an absolute time, the sums take an offset.",
    ),
    _slip(
        "Notations, the discounted β^t",
        r"$30V^{\uparrow}_{H} S\ell_{3, t}(s, a)$",
        "30 V↑_γ S ℓ_{3,t}(s, a): there is no H in a discounted problem.",
    ),
    _slip(
        "High Probability Events, A3, discounted",
        r"$2 \sqrt{\frac{2 P(s' \mid s, a)\ell_{3, k}(s, a)}{N^t(s, a)} }$",
        "ℓ_{3,t}(s, a), in both terms: k counts episodes.",
    ),
    _slip(
        "Table of logarithmic terms, Υ^t (discounted)",
        r"$\Upsilon^{\square}$ & $\frac{7 V^{\uparrow}_{H} \ell_{1}}{\lambda_{k}}$ & "
        r"$\frac{7 V^{\uparrow}_{\gamma} \ell_{1}}{\lambda}$",
        "7V↑_γ ℓ₁/λ_t, as in the column of episodes.",
    ),
    _slip(
        "Theoretical Analysis, the frequentist instance",
        r"with $\mathcal{E}_{b}(s, a) = \frac{1}{\sqrt{N^{t}(s, a)}}$",
        "E = 1/√N and E_b = ηE, as in β, with E_max the scale of E, not of ηE: P_U = E/E_max.",
        "E_b holds η by its definition, and β and the proofs have P_U η E.",
    ),
    _slip(
        "Frequentist Bounds, the range of ε",
        r"$\epsilon \in [0, \frac{1}{S(1 - \gamma)}]$",
        "0 < ε; and with R_max written out, as in T_0, ε ≤ R_max/(S(1 − γ)), see "
        "`sample_complexity_threshold`.",
    ),
    _slip(
        "Proofs for finite-horizon MDPs, quasi-optimism; the same in the lemma on accuracy",
        r"$\widetilde{V}_{h}^{k}(s) + (\frac{3}{2} - P_{U}^{k, \star}(s)) \lambda_{k} H \geq "
        r"V_{h}^{\star}(s)$",
        "λV↑_H in both, as the proofs have it. With H it is not what they prove where R_max is "
        "above 1, and the first can fail where R_max is above 3/2.",
    ),
    _slip(
        "Boundedness of Complexity (finite-horizon), the difference of the rewards",
        r"$\frac{R_{\text{max}}}{\mathcal{E}_{\text{max}}} \frac{R_{\text{max}} \lambda_{k}}"
        r"{V^{\uparrow}_{\gamma}}$",
        "(R_max/E_max)(R_max λ_k/V↑_H), which is the (R_max/E_max)(λ_k/H) of the next line.",
    ),
    _slip(
        "Boundedness of Accuracy (finite-horizon), the end of the induction",
        r"$V^{k}_{h}(s) - V^{\pi_{k}}_{h}(s) = D_{h}^{k}(s) + 2 J_{h}^{k}(s)$",
        "≤, which is all that the induction gives and the bound of accuracy needs.",
    ),
    _slip(
        "Lower Bound of Epistemic Resistance (finite-horizon), proof",
        r"$1 + \frac{1}{\mathcal{E}_{\text{max}} \sqrt{H}} \int_{k}^{k + 1} "
        r"\frac{1}{\sqrt{x}}\ dx$",
        "Σ_{k=1}^{K−1} before the integral, as in the discounted proof.",
    ),
    _slip(
        "Sample Complexity (finite-horizon), the regret of an episode",
        r"$V^{\star}(s_{1}^{k}) - V^{k}(s_{1}^{k})$",
        "V* − V^{π^k}, as in the theorem that it is taken from.",
    ),
    _slip(
        "Quasi-Optimism (discounted), the lemma on T₁, monotonicity",
        r"$(\mathcal{T}_{1}U - \mathcal{T}_{1}V)(s) = \hat{P}^{t} (U - V)(s, \pi^{\star}(s))$",
        "γP̂^t(U − V)(s, π*(s)).",
    ),
    _slip(
        "Quasi-Optimism (discounted), the lemma on T₁",
        r"For any $U, V \in [0, V^{\uparrow}_{\gamma}]^{S}$",
        "ℝ^S, here and for monotonicity, by the same computation.",
        "T₁ leaves [0, V↑]^S, and neither ΔV nor f need lie in it.",
    ),
    _slip(
        "Boundedness of Accuracy (discounted), the lemma on Δ_γ(V^t − V^π)",
        r"$\Delta_{\gamma}(V^{t} - V^{\pi_{t}})(s, \pi_{t}(a))$",
        "(s, π_t(s)), in all three places.",
    ),
    _slip(
        "Boundedness of J (discounted), the lemma on Σ J by 𝒴, its first step",
        r"for any $t$ that satisfies $t - \tau \leq \nu_{t} - 1$",
        "t − τ ≤ ν_τ − 1, as the indicators of the proof have it.",
    ),
    _slip(
        "Boundedness of J (discounted), the lemma on Σ J by 𝒴, β and 𝒴",
        r"$= \sum\limits_{t = 1}^{T} \sum\limits_{\tau=1}^{t} \mathbf{1}(t - \tau \leq \nu_{\tau} "
        r"- 1) \gamma^{t - \tau}\frac{\mathcal{Y}^{\tau}}{N^{\tau}(s_{t}, a_{t})}$",
        "≤, as P_U ≥ 0, E_max ≥ 1, ℓ₁ ≥ 1 and ℓ₃(s, a) ≤ ℓ₃: 𝒴 is an upper bound of N β.",
    ),
    _slip(
        "Regret Analysis (discounted), Ψ(T)",
        r"denote $\Psi(T) := \frac{2 \sum\limits_{t=1}^{T}\mathfrak{R}^{t}(s)}{9T}$",
        "s_t for s, here and in the lines on Regret(T); and J^t_γ(s_t) for J^t_γ(s_1^t) further "
        "down.",
    ),
    _slip(
        "Regret Analysis (discounted), Σ Φ²/V↑",
        r"$\widetilde{\mathcal{O}}(\frac{R_{\text{max}}^{2}SA}{V^{\uparrow}_{\gamma}})$",
        "Õ(R_max² SA/(V↑(1 − γ))), as λ² has 1/(1 − γ). The end, Õ(R_max SA), is right.",
    ),
    _slip(
        "State-action Dependent λ, the property of 𝒢",
        r"$\frac{17}{63} SA \leq \mathcal{G} \leq SA$",
        "√(17/63) SA, the sharp bound that is used later. The printed one is true, but weaker.",
    ),
    _slip(
        "State-action Dependent λ, the definition of P̄_U",
        r"$\min_{2 \leq n \leq N^{T + 1}(s, a)}\min_{1 \leq \tau \leq t_{(s, a)}(n)}"
        r"\bar{P}_{U}^{\tau}(s, a)$",
        "For such pairs say 1 (any number in [0, 1] keeps the proof); t_(s,a)(n) is the time of "
        "the n-th visit.",
        "For a pair visited less than twice, whose sum over n ≥ 2 is empty, the minimum is over "
        "no n.",
    ),
    _slip(
        "State-action Dependent λ, after the definition of 𝒢",
        r"corresponding to exactly the epistemic uncertainty at the end of learning, that is, "
        r"$\bar{P}_{U}^{T + 1}(s, a)$",
        "≥: it stops at the last visit of (s, a), does not count that visit yet, and does not see "
        "later visits of (s, π*(s)).",
    ),
    _slip(
        "State-action Dependent λ, the bound of 2ΣJ",
        r"$\frac{48 V^{\uparrow}_{\gamma} SA \ell_{1, T} \ell_{2, T}}{(1 - \gamma)\lambda_{T}}$",
        "48V↑SAℓ₁ℓ₂/(1 − γ): 𝒴₁ has no λ. (True as printed, since λ_T ≤ 1, but the next line does "
        "not follow from it.)",
    ),
    _slip(
        "State-action Dependent λ, the non-leading part",
        r"$\frac{168 R_{\text{max}}}{(1 - \gamma)^{2}} S^{2}A\ell_{1, T}(1 + \ell_{2, T})$",
        "ℓ'_{1,T} for ℓ_{1,T}: read so, the line holds, the term 48… above it being without its "
        "λ_T. (The uniform case has 1 + ℓ'_{1,T}.)",
        "ℓ_{1,T} is not in the table, and ℓ₁ is too small: at S = A = 2, δ = 0.1 the terms that it "
        "collects exceed it, in sum from T = 10⁶ on, the term 120… alone at T = 10¹⁸.",
    ),
    _slip(
        "State-action Dependent λ, ℓ'*₂",
        r"$\ell'^{\star}_{2, T}=: \sqrt{\frac{17}{63}}SA \log (1 + \frac{T}"
        r"{\sqrt{\frac{17}{63}}SA})$",
        "The logarithm alone: else the factor √(17/63) SA is counted twice in Regret*.",
    ),
    _slip(
        "Sample Complexity (discounted), the visits in Γ_T",
        r"$n^{t}(s, a) := \sum\limits_{t \in \Gamma_{t}}\mathbf{1}((s_{t}, a_{t}) = (s, a))$",
        "Σ_{τ ∈ Γ_t} 1((s_τ, a_τ) = (s, a)), and τ ∈ Γ_{t−1} for N^t, as for episodes.",
        "t is bound twice.",
    ),
    _slip(
        "Sample Complexity (discounted), proof of |Γ_T| ≤ W(|Γ_T|)",
        r"$|\Gamma_{T}| \leq \frac{8 \mathcal{Y}^{(T)} SA \ell_{2, T}}{\epsilon(1 - \gamma)}$",
        "|Γ_T| for T in this line too, as in the lemma that it is taken from.",
    ),
    _slip(
        "Sample Complexity (discounted), proof of W(T0) < T0, the bound of B",
        r"$= \frac{13 R_{\text{max}}^{2}S^{2}A}{\delta \epsilon^{2}(1 - \gamma)^{4}}$",
        "≤, which is all that is needed.",
    ),
    _slip(
        "Sample Complexity (discounted), proof of W(T0) < T0, log T0",
        r"$\log{\frac{V^{\uparrow}_{\gamma}{}^{2} e^{4}}{\epsilon^{4} (1 - \gamma)^{4}}}$",
        "V↑⁴, as the next line, 4 log(V↑e/(ε(1 − γ))), has it.",
    ),
    _slip(
        "Helper Lemmas, the lemma on γVar(V), step (b)",
        r"$(1 + \gamma) C (V(s) - \gamma PV(s, a))$",
        "With max{V − γPV, 0}, here and in the next line, as in the last one, which is right.",
    ),
    _slip(
        "Bounds for Transition, the basis function",
        r"the basis function $\mathbf{e}_{i} = (0, 0, \dots, i, \dots, 0)$",
        "e_i = (0, …, 1, …, 0), with which the definition of E_T below it agrees.",
    ),
    _slip(
        "Bounds for Transition, proof of the Dirichlet lemma",
        r"$(\alpha_0 + n)^{2} - (n + \alpha_{j})^{2} + \sum\limits_{k \neq j} \alpha_{j}^{2}$",
        "… − Σ_{k≠j} α_k², from which the next line of the proof follows.",
    ),
    _slip(
        "Bounds for Reward, the Normal-Gamma lemma",
        r"$\mathcal{E}_{R}(s, a) = \mathcal{O}(\frac{1}{n})\quad \text{and}\quad "
        r"\mathcal{E}_{T}(s, a) = \Omega(\frac{1}{n^{2}})$",
        "E_R = Ω(1/n²), with C_1 = β_0/((λ_0 + 1)(α_0 − 1/2)) for α_0 > 1, which E_R asks for.",
    ),
    _slip(
        "From Frequentist to Bayesian, proof of the theorem on priors",
        r"Without loss of generality, we assume $b$ is weakly informative. We bound "
        r"$| (\hat{P}^t - P) V^{\star}(s, a) |$ as follows",
        "A decomposable b, and |(P_b − P)V*|; for a weakly informative one, ‖P_b − P̂‖₁ V↑ = "
        "O(S/n) V↑ stands for the prior bias.",
    ),
    _slip(
        "From Frequentist to Bayesian, proof: the overloaded Υ",
        r"$\Upsilon^{t} \leftarrow \Upsilon^{t} + (C_{g}(\bm{\theta}) \|P_{b_{0}} - P\|_{1} "
        r"V^{\uparrow}_{\gamma})\frac{S}{N^{t}}$",
        "Without 1/N^t in either summand, as in the 𝒴 of the last line.",
        "Υ is divided by N where it is used.",
    ),
    _slip(
        "Prior Misspecification, proof: Hoeffding's inequality",
        r"$\leq \exp(-2n (\mu_{2} - s(a))^{2})$",
        "exp(−2n(μ2 − g(a, n))²), which the steps that follow use. The printed bound is true, but "
        "weaker.",
    ),
    _slip(
        "Prior Misspecification, proof: Bounding S2",
        r"We denote $k = \frac{\lfloor a \rfloor}{n}$",
        "k = a/n, which is in (0, 1) for n > ⌊a⌋; the rest of the bound on S2 holds.",
    ),
    _slip(
        "Prior Misspecification, proof: P(Omission) and P(Sticky)",
        r"$P(\texttt{Omission}) = P(\cup_{n=1}^{\infty} (\bar{r} < g(a, n)))$",
        "P(Omission) ≤ P(∪ …) and P(Sticky) ≥ P(∩ …), which is what the proof needs.",
        "r̂ ≥ s(a) is enough to keep the arm, and not necessary; the text has Omission as “not "
        "pulled”.",
    ),
    _slip(
        "Prior Misspecification, proof: the last lines",
        r"with probability greater than $\delta_{0} = \frac{1}{2} \cdot (1 - \eta)$",
        "1 − δ0 with δ0 = (1 + η)/2, in the theorem's words; the theorem is true, as α is chosen "
        "large.",
    ),
    _slip(
        "Prior Misspecification, proof: the last line", r"where $V^{\pi_{t}}(s_{t}) = u_{2}$", "μ2."
    ),
    _slip(
        "Experiments, Table 2, Loop",
        r"$4 L + 1$ & 2",
        "A = L (2 for two loops): there is an action for each loop, as the appendix says.",
    ),
    _slip(
        "Experiments, Table 2, the rewards of DeepSea",
        r"$\mathbf{1}_{(s'=(N,N))} - \mathbf{1}_{(a=\text{right})}\frac{0.01}{N}$",
        "1(s = (N, N), a = right), here and in the stochastic sea; its noise is on s = (N, N) and "
        "s = (N, 1), whatever the action.",
        "In bsuite, which the paper names, the treasure is paid on leaving the corner to the "
        "right. Entering it pays nothing yet.",
    ),
    _slip(
        "Hyperparameters, the Dirichlet prior",
        r"yielding to a uniform prior $\mathrm{Dir}(\mathbf{1}^{\top} \alpha)$",
        "A symmetric prior Dir(α1), whose mean is uniform.",
        "Its density is uniform for α = 1 only. With a scalar α, 1ᵀα is a row of α's; with the "
        "vector α of “Posterior Predictive” the same sign is the sum α_0.",
    ),
)
