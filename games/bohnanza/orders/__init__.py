"""Standing orders for Bohnanza: their kinds, plans for several turns, spots to plant in, and suggestions."""

from games.bohnanza.orders.kinds import (
    AcceptGifts,
    CloseWhenThrough,
    Give,
    HideOffers,
    NoDealUntil,
    PlantReceived,
    Sow,
)
from games.bohnanza.orders.plans import NoDealUnlessItPays, PlantWell, PlayOn

ORDERS = (
    Give,
    AcceptGifts,
    HideOffers,
    NoDealUntil,
    NoDealUnlessItPays,
    CloseWhenThrough,
    Sow,
    PlantReceived,
    PlantWell,
    PlayOn,
)
