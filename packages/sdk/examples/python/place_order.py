"""Places an order far below the market, shows it, and cancels it.

    TRADING_KEY=... TRADING_SECRET=... python3 packages/sdk/examples/python/place_order.py
"""

import os
from decimal import ROUND_DOWN, ROUND_UP, Decimal

from rialto import Trading

symbol = os.environ.get("SYMBOL", "btcusdt")
trading = Trading(os.environ["TRADING_KEY"], os.environ["TRADING_SECRET"])

[market] = trading.call("GET", "/public/markets", {"symbol": symbol})
[best] = trading.call("GET", "/public/best_prices", {"symbol": symbol})

# A tenth below the best bid, and worth twice the smallest order.
price = (Decimal(best["bidPrice"]) * Decimal("0.9")).quantize(Decimal(market["priceStep"]), ROUND_DOWN)
volume = (2 * Decimal(market["minimumQuoteSize"]) / price).quantize(Decimal(market["volumeStep"]), ROUND_UP)

order = trading.place(symbol=symbol, side="buy", type="limit", price=str(price), volume=str(volume))
print(f"order {order['orderId']}: {order['side']} {order['volume']} at {order['price']} is {order['status']}")

canceled = trading.call("DELETE", "/private/order/cancel", {"orderId": order["orderId"]})
print(f"order {canceled['orderId']} is {canceled['status']}")
