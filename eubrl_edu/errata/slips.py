"""Slips of the pen: what is printed, and what is meant. The paper often has it right nearby."""

from eubrl_edu.errata.erratum import Erratum, Kind


def _slip(place: str, printed: str, meant: str, why: str = "") -> Erratum:
    return Erratum(Kind.SLIP, place, printed, why, meant)


SLIPS: tuple[Erratum, ...] = (
    _slip(
        "Notations, ν_t",
        r"$\nu_{t} := \{ \begin{array}{ll} \min \{\tau \in [t, T]: n^{\tau}(s_{\tau}, a_{\tau}) > "
        r"2 N^{t}(s_{\tau}, a_{\tau})\}$",
        "τ − t, and T + 1 − t where there is none, see `stopping_times`.",
        "The definition is an absolute time, the sums take an offset.",
    ),
    _slip(
        "Notations, the discounted β^t",
        r"$30V^{\uparrow}_{H} S\ell_{3, t}(s, a)$",
        "30 V↑_γ S ℓ₃: there is no H in a discounted problem.",
    ),
    _slip(
        "High Probability Events, A3, discounted",
        r"$2 \sqrt{\frac{2 P(s' \mid s, a)\ell_{3, k}(s, a)}{N^t(s, a)} }$",
        "ℓ_{3,t}(s, a): k counts episodes.",
    ),
    _slip(
        "Table of logarithmic terms, Υ^t (discounted)",
        r"$\Upsilon^{\square}$ & $\frac{7 V^{\uparrow}_{H} \ell_{1}}{\lambda_{k}}$ & "
        r"$\frac{7 V^{\uparrow}_{\gamma} \ell_{1}}{\lambda}$",
        "7V↑ℓ₁/λ_t, as in the column of episodes.",
    ),
    _slip(
        "Theoretical Analysis, the frequentist instance",
        r"with $\mathcal{E}_{b}(s, a) = \frac{1}{\sqrt{N^{t}(s, a)}}$",
        "E = 1/√N and E_b = ηE, as in β: E_b holds η by its definition.",
    ),
    _slip(
        "Frequentist Bounds, the range of ε",
        r"$\epsilon \in [0, \frac{1}{S(1 - \gamma)}]$",
        "0 < ε ≤ R_max/(S(1 − γ)), see `sample_complexity_threshold`.",
    ),
    _slip(
        "Preliminary Constructions",
        r"our formulation decays more aggressively than $\frac{1}{N^{k}}$",
        "Just as fast, η/(E_max N). From N = m on its advantage over P_U R_max is below Υ/N.",
    ),
    _slip(
        "Proofs for finite-horizon MDPs, quasi-optimism; the same in the lemma on accuracy",
        r"$\widetilde{V}_{h}^{k}(s) + (\frac{3}{2} - P_{U}^{k, \star}(s)) \lambda_{k} H \geq "
        r"V_{h}^{\star}(s)$",
        "λV↑_H in both, as the proofs have it: with H it fails where R_max is above 1.",
    ),
    _slip(
        "Boundedness of Complexity (finite-horizon), the difference of the rewards",
        r"$\frac{R_{\text{max}}}{\mathcal{E}_{\text{max}}} \frac{R_{\text{max}} \lambda_{k}}"
        r"{V^{\uparrow}_{\gamma}}$",
        "R_max λ_k/V↑_H, which is the λ_k/H of the next line.",
    ),
    _slip(
        "Boundedness of Accuracy (finite-horizon), the end of the induction",
        r"$V^{k}_{h}(s) - V^{\pi_{k}}_{h}(s) = D_{h}^{k}(s) + 2 J_{h}^{k}(s)$",
        "≤, which is all that the bound of accuracy needs.",
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
        "V* − V^{π_k}, as in the theorem that it is taken from.",
    ),
    _slip(
        "Quasi-Optimism (discounted), the lemma on T₁, monotonicity",
        r"$(\mathcal{T}_{1}U - \mathcal{T}_{1}V)(s)$ & $= \hat{P}^{t} (U - V)(s, "
        r"\pi^{\star}(s))$",
        "γP̂(U − V)(s, π*(s)).",
    ),
    _slip(
        "Quasi-Optimism (discounted), the lemma on T₁",
        r"For any $U, V \in [0, V^{\uparrow}_{\gamma}]^{S}$",
        "ℝ^S: T₁ does not stay in [0, V↑]^S, and is a contraction on all of ℝ^S.",
    ),
    _slip(
        "Boundedness of Accuracy (discounted), the lemma on Δ_γ(V^t − V^π)",
        r"$\Delta_{\gamma}(V^{t} - V^{\pi_{t}})(s, \pi_{t}(a))$",
        "(s, π_t(s)), on both sides.",
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
        "≤, as ℓ₁ ≥ 1 and E_max ≥ 1: 𝒴 is an upper bound of N β.",
    ),
    _slip(
        "Regret Analysis (discounted), Ψ(T)",
        r"denote $\Psi(T) := \frac{2 \sum\limits_{t=1}^{T}\mathfrak{R}^{t}(s)}{9T}$",
        "s_t for s; and J^t(s_t) for J^t(s_1^t) further down.",
    ),
    _slip(
        "Regret Analysis (discounted), Σ Φ²/V↑",
        r"$\widetilde{\mathcal{O}}(\frac{R_{\text{max}}^{2}SA}{V^{\uparrow}_{\gamma}})$",
        "Õ(R_max² SA/(V↑(1 − γ))), as λ² has 1/(1 − γ). The end, Õ(R_max SA), is right.",
    ),
    _slip(
        "State-action Dependent λ, the property of 𝒢",
        r"$\frac{17}{63} SA \leq \mathcal{G} \leq SA$",
        "√(17/63) SA, as its later use has it.",
    ),
    _slip(
        "State-action Dependent λ, the definition of P̄_U",
        r"$\min_{2 \leq n \leq N^{T + 1}(s, a)}\min_{1 \leq \tau \leq t_{(s, a)}(n)}"
        r"\bar{P}_{U}^{\tau}(s, a)$",
        "For pairs visited less than twice, which have no part in the sum, say 1; t_(s,a)(n) is "
        "the time of the n-th visit.",
    ),
    _slip(
        "State-action Dependent λ, after the definition of 𝒢",
        r"corresponding to exactly the epistemic uncertainty at the end of learning, that is, "
        r"$\bar{P}_{U}^{T + 1}(s, a)$",
        "≥: it does not know of the last visit yet.",
    ),
    _slip(
        "State-action Dependent λ, the bound of 2ΣJ",
        r"$\frac{48 V^{\uparrow}_{\gamma} SA \ell_{1, T} \ell_{2, T}}{(1 - \gamma)\lambda_{T}}$ … "
        r"$+ \underbrace{\frac{72 \sqrt{2} V^{\uparrow}_{\gamma} \ell_{1, T}}{C (1 - \gamma)}",
        "48V↑SAℓ₁ℓ₂/(1 − γ): 𝒴₁ has no λ.",
    ),
    _slip(
        "State-action Dependent λ, the non-leading part",
        r"$\frac{168 R_{\text{max}}}{(1 - \gamma)^{2}} S^{2}A\ell_{1, T}(1 + \ell_{2, T})$",
        "ℓ'_{1,T}, as in the uniform case; ℓ_{1,T} is nowhere defined, and ℓ₁ would be too small.",
    ),
    _slip(
        "State-action Dependent λ, ℓ'*₂",
        r"$\ell'^{\star}_{2, T}=: \sqrt{\frac{17}{63}}SA \log (1 + \frac{T}"
        r"{\sqrt{\frac{17}{63}}SA})$",
        "The logarithm alone: the factor is counted twice in Regret*.",
    ),
    _slip(
        "Sample Complexity (discounted), the visits in Γ_T",
        r"$n^{t}(s, a)$ & $:= \sum\limits_{t \in \Gamma_{t}}\mathbf{1}((s_{t}, a_{t}) = (s, a))$",
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
        "With max{V − γPV, 0}, as in the last line, which is right.",
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
        "E_R = Ω(1/n²), with C_1 = β_0/((λ_0 + 1)(α_0 − 1/2)).",
    ),
    _slip(
        "From Frequentist to Bayesian, proof of the theorem on priors",
        r"Without loss of generality, we assume $b$ is weakly informative. We bound "
        r"$| (\hat{P}^t - P) V^{\star}(s, a) |$ as follows",
        "A decomposable b, and |(P_b − P)V*|; for a weakly informative one, ‖P_b − P̂‖₁ V↑ = "
        "O(S/n) stands for the prior bias.",
    ),
    _slip(
        "From Frequentist to Bayesian, proof: the overloaded Υ",
        r"$\Upsilon^{t} \leftarrow \Upsilon^{t} + (C_{g}(\bm{\theta}) \|P_{b_{0}} - P\|_{1} "
        r"V^{\uparrow}_{\gamma})\frac{S}{N^{t}}$",
        "Without 1/N^t, as in the 𝒴 two lines below: Υ is divided by N where it is used.",
    ),
    _slip(
        "Prior Misspecification, proof: Hoeffding's inequality",
        r"$\leq \exp(-2n (\mu_{2} - s(a))^{2})$",
        "exp(−2n(μ2 − g(a, n))²), which the steps that follow use.",
    ),
    _slip(
        "Prior Misspecification, proof: Bounding S2",
        r"We denote $k = \frac{\lfloor a \rfloor}{n}$",
        "k = a/n, which is in (0, 1) for n > ⌊a⌋; all that follows holds.",
    ),
    _slip(
        "Prior Misspecification, proof: P(Omission) and P(Sticky)",
        r"$P(\texttt{Omission})$ & $= P(\cup_{n=1}^{\infty} (\bar{r} < g(a, n)))$",
        "P(Omission) ≤ P(∪ …) and P(Sticky) ≥ P(∩ …), which is what the proof needs.",
    ),
    _slip(
        "Prior Misspecification, proof: the last lines",
        r"with probability greater than $\delta_{0} = \frac{1}{2} \cdot (1 - \eta)$",
        "1 − δ0 with δ0 = (1 + η)/2, in the theorem's words; the theorem is true.",
    ),
    _slip(
        "Prior Misspecification, proof: the last line",
        r"where $V^{\pi_{t}}(s_{t}) = u_{2}$",
        "μ2.",
    ),
    _slip(
        "Experiments, Table 2, Loop",
        r"$4 L + 1$ & 2",
        "A = L: for more than two loops there is an action for each, as the appendix says.",
    ),
    _slip(
        "Experiments, Table 2, the rewards of DeepSea",
        r"$\mathbf{1}_{(s'=(N,N))} - \mathbf{1}_{(a=\text{right})}\frac{0.01}{N}$",
        "1(s = (N, N), a = right): entering the corner pays nothing yet.",
    ),
    _slip(
        "Environments (appendix), the remark on LazyChain and DeepSea",
        "DeepSea is isomorphic to the right half of the chain of LazyChain",
        "They are alike; in the chain a step back can be taken back, in the sea it cannot.",
    ),
    _slip(
        "Hyperparameters, the Dirichlet prior",
        r"yielding to a uniform prior $\mathrm{Dir}(\mathbf{1}^{\top} \alpha)$",
        "A symmetric prior Dir(α1), whose mean is uniform.",
    ),
)
