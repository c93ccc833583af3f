"""The course on a machine of one's own: its files, and JupyterLab on its first page."""

from eubrl_edu.course.jupyter import open_lab
from eubrl_edu.course.material import Copied, copy_course, find_notebooks, notebooks_of

__all__ = ["Copied", "copy_course", "find_notebooks", "notebooks_of", "open_lab"]
