"""What each kernel of the course's own server runs first (`eubrl_edu.course.jupyter`).

It runs among the learner's names, and leaves none there.
"""

try:
    import eubrl_edu.labs as _labs  # which has each NameError say what to run first
except ImportError:  # in a kernel of another environment
    pass
else:
    del _labs
