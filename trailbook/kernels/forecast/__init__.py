"""What the code of a Python cell may do with the notebook's global names, told without running it.

>>> told = forecast("total = sum(prices) * rate")
>>> sorted(told.reads), sorted(told.writes), sorted(told.builtins_read)
(['prices', 'rate'], ['total'], ['sum'])
"""

from trailbook.kernels.forecast.cell import forecast
from trailbook.kernels.forecast.effects import (
    OPAQUE,
    Carry,
    Effects,
    Forecast,
    OnCall,
    Source,
    Statement,
    StatementEdge,
)
from trailbook.kernels.forecast.graph import ANYTHING, Edge, depth, graph, parallelism
from trailbook.kernels.forecast.notebook import combined

__all__ = [
    "ANYTHING",
    "OPAQUE",
    "Carry",
    "Edge",
    "Effects",
    "Forecast",
    "OnCall",
    "Source",
    "Statement",
    "StatementEdge",
    "combined",
    "depth",
    "forecast",
    "graph",
    "parallelism",
]
