"""Prints messages and the events of one's own orders as they come, from one queue, until it is interrupted.

    CHAT_USER=you@example.com:key python3 packages/sdk/examples/python/follow_events.py
"""

import os

from rialto import Chat

chat = Chat(os.environ["CHAT_USER"])

try:
    for event in chat.events(["message", "order", "trade", "balance"]):
        if event["type"] == "started":
            accounts = [account["accountId"] for account in event["state"]["trading"]["accounts"]]
            print(f"listening, with the accounts {', '.join(accounts) or 'of nobody'}", flush=True)
        elif event["type"] == "message":
            message = event["message"]
            print(f"{message['sender_full_name']}: {message['content']}", flush=True)
        elif event["type"] == "order":
            for order in event["orders"]:
                print(f"order {order['orderId']} is {order['status']}", flush=True)
        elif event["type"] == "trade":
            for trade in event["trades"]:
                print(f"trade {trade['tradeId']}: {trade['side']} {trade['volume']} at {trade['price']}", flush=True)
except KeyboardInterrupt:
    pass
