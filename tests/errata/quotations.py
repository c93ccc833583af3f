"""How a quotation is compared with the paper's LaTeX: without layout, its macros written out."""

import re

MACROS = {
    r"\pufs": r"P_{U}^{k, \star}(s)",
    r"\puis": r"P_{U}^{t, \star}(s)",
    r"\puf": r"P_{U}^{k}(s)",
    r"\pui": r"P_{U}^{t}(s)",
    r"\pu": r"P_{U}",
    r"\eu": r"\mathcal{E}",
    r"\Vt": r"\widetilde{V}^{k}",
    r"\Vk": r"V^{k}",
    r"\Vo": r"V^{\star}",
    r"\VT": r"V^{\pi_{k}}",
    r"\Ru": r"r_{\text{EUBRL}}",
    r"\ER": r"\mathfrak{R}",
    r"\Rm": r"R_{\text{max}}",
    r"\Vmsq": r"V^{\uparrow}_{\gamma}{}^{2}",
    r"\VmHsq": r"V^{\uparrow}_{H}{}^{2}",
    r"\VmH": r"V^{\uparrow}_{H}",
    r"\Vm": r"V^{\uparrow}_{\gamma}",
    r"\Em": r"\mathcal{E}_{\text{max}}",
    r"\ji": r"J^{t}_{\gamma}(s_{t})",
    r"\fa": r"\lfloor a \rfloor",
    r"\belw": r"b(\mathbf{w})",
    r"\bw": r"\mathbf{w}",
    r"\Var": r"\mathrm{Var}",
    r"\coloneq": ":=",
    r"\eqcolon": "=:",
    r"\left": "",
    r"\right": "",
    r"\notag": "",
}  # the paper's preamble; and how its formulas are laid out


def plain(text: str) -> str:
    """The text without macros, layout and white space."""
    for macro in sorted(MACROS, key=len, reverse=True):
        text = re.sub(re.escape(macro) + r"(?![A-Za-z])", lambda _, m=macro: MACROS[m], text)
    text = re.sub(r"\\(?:ref|label|cite[pt]?)\{[^}]*\}", "", text)
    text = re.sub(r"\\(?:texttt|emph|textbf)\{([^}]*)\}", r"\1", text)
    return re.sub(r"\\begin\{array\}\{ll\}|\\\\|\\ |[\s&$~]|\\,", "", text)


def fragments(printed: str) -> list[str]:
    """What a quotation holds between its dots, each as `plain` text."""
    return [plain(part) for part in printed.split("…")]
