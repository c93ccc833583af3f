"""Words as text, cells as a table, and nothing that a browser would take for tags."""

import re

from eubrl_edu.labs.readout import Readout, table


def test_a_table_is_aligned_text_and_real_cells():
    rows = [{"who": "a <b>", "gain": "1"}, {"who": "c", "gain": "22", "late": "3"}]
    words = f"Before.\n{table(rows)}\nAfter."
    assert words.splitlines()[1:4] == ["who   │ gain │ late", "a <b> │ 1    │", "c     │ 22   │ 3"]
    readout = Readout()
    readout.say(words)
    cells = re.findall("<t[hd]>(.*?)</t[hd]>", readout.value)
    assert cells == ["who", "gain", "late", "a &lt;b&gt;", "1", "", "c", "22", "3"]
    assert readout.value.count("<tr>") == 3 and readout.value.count("<table>") == 1
    assert re.search("Before.<table>.*</table>After.", readout.value)


def test_words_without_cells_stay_lines():
    readout = Readout()
    readout.say("One < two.\nThree.")
    assert "One &lt; two.\nThree.</div>" in readout.value and "<table>" not in readout.value
    readout.warn("bad <value>")
    assert "⚠ bad &lt;value&gt;" in readout.value and readout.words == "One < two.\nThree."
