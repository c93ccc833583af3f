"""The examples that ``--help`` ends with."""

GENERAL = """examples:
  eubrl-edu studies
  eubrl-edu run loop
  eubrl-edu run deepsea-stochastic --agents EUBRL EUBRL+ --sizes 10 --seeds 100
  eubrl-edu run lazychain-stochastic --store results.sqlite
  eubrl-edu tune loop EUBRL --seeds 20 --out tuning
  eubrl-edu reproduce --quick --out quick
  eubrl-edu course my-course
  eubrl-edu lab
  eubrl-edu present
  eubrl-edu progress
  eubrl-edu check handed-in --csv results.csv
"""

RUN = """examples:
  eubrl-edu run loop
      every agent of the study, with as many seeds as the paper has
  eubrl-edu run deepsea-stochastic --agents EUBRL EUBRL+ --sizes 10 --seeds 100
  eubrl-edu run loop --agents EUBRL --set eta=2 alpha=0.1
      with settings in place of the paper's
  eubrl-edu run lazychain-stochastic --store results.sqlite
      each run is kept when it is finished: after Ctrl-C, or a crash, the same command goes on
  eubrl-edu run lazychain-stochastic --scheduler tcp://192.0.2.1:8786
      on a Dask cluster (pip install 'eubrl_edu[dask]'), started with
      `dask scheduler --host 192.0.2.1` and, on each machine, `dask worker ADDRESS`.
      Whoever reaches a scheduler can run code on it: without --host it listens on all
      interfaces. Bind it to a private network, or for workers on one machine to loopback,
      `dask scheduler --host 127.0.0.1`, and name that in --scheduler
"""

TUNE = """examples:
  eubrl-edu tune loop EUBRL
      settings one after the other, as in a line search, until none gets better
  eubrl-edu tune chain EUBRL --grid --seeds 50 --out tuning --store tuning.sqlite
      every combination of the grids
  eubrl-edu tune loop EUBRL --values eta=0.5,1,2 alpha=0.1,0.01
      with a grid of your own
"""

REPRODUCE = """examples:
  eubrl-edu reproduce --quick --out quick
      in a minute: does everything run?
  eubrl-edu reproduce
      the whole paper, into figures/; after Ctrl-C, or a crash, the same command goes on
"""
