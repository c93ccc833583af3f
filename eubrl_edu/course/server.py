"""A server of Jupyter's, two seconds sooner: ``python -m eubrl_edu.course.server jupyterlab ...``.

Jupyter loads a check of addresses whose grammar takes that long to build, and which none of its
own files asks for (https://github.com/jupyter-server/jupyter_server/issues/1559).
"""

import runpy
import sys

if __name__ == "__main__":
    sys.modules["rfc3987_syntax"] = None  # as where it is not installed, which jsonschema allows
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
