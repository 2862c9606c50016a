"""Long work in tasks: one description of a task, one loop that gets tasks done, one progress.

Nothing here knows Minesweeper. A caller describes its work as tasks and asks a crew to perform
them. The crew's workers are this process, other processes, or a Dask cluster.
"""
