-- Of these columns most orders have most at zero. NULL says the same, and takes no room in a row. Rows that have zeros
-- keep them: readers and audits take both.
ALTER TABLE trading_orders
  ALTER COLUMN price DROP NOT NULL,
  ALTER COLUMN stop_price DROP NOT NULL,
  ALTER COLUMN order_list_id DROP NOT NULL,
  ALTER COLUMN visible_volume DROP NOT NULL,
  ALTER COLUMN filled_volume DROP NOT NULL,
  ALTER COLUMN remaining_volume DROP NOT NULL,
  ALTER COLUMN prevented_volume DROP NOT NULL,
  ALTER COLUMN last_trade_ms DROP NOT NULL,
  ALTER COLUMN triggered_ms DROP NOT NULL,
  ALTER COLUMN expire_ms DROP NOT NULL;

-- Rows of one account or market in one millisecond are few, so a page sorts those by id itself. Without the id, trades of
-- one command share their entry in an index. The new ones are built before the old ones go.
CREATE INDEX trading_orders_account_time ON trading_orders (account_id, created_ms);
CREATE INDEX trading_trades_symbol_time ON trading_trades (symbol, time_ms);
CREATE INDEX trading_trades_buyer_time ON trading_trades (buyer_account_id, time_ms);
CREATE INDEX trading_trades_seller_time ON trading_trades (seller_account_id, time_ms);
DROP INDEX trading_orders_account, trading_trades_symbol, trading_trades_buyer, trading_trades_seller;
