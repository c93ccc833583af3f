"""The whole paper in one call: what runs, the published numbers, the claims judged, the report.

``campaign`` says as data what runs; ``published`` holds the paper's printed numbers; ``claims``,
``evidence`` and ``comparisons`` judge the paper's sentences by the runs; ``report``, its words and
tables, and ``figures`` show it; ``reproduce`` does it all. ``graphical_models`` draws the paper's
figure of control as inference.
"""
