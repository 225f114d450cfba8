from .selection import Near as Near, best_cells as best_cells
from .combination import (
    invert as invert,
    maximum as maximum,
    minimum as minimum,
    normalise as normalise,
    product as product,
    weighted_sum as weighted_sum,
)
from .layer import Layer as Layer
from .spread import Falloff as Falloff, Spread as Spread
from .stack import LayerStack as LayerStack
from .selection import Limit as Limit, cells_where as cells_where, next_cell as next_cell
