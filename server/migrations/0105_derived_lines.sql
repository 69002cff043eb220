-- The lines of the ledger that a trade makes follow from the trade and from four totals after it, so they are no longer
-- stored (decision 0095). Trades from before keep their stored lines: their first_entry_id is 0. The defaults are for
-- those alone, and adding them rewrites nothing.
ALTER TABLE trading_trades
  -- The number of the trade's first line; the others follow it.
  ADD COLUMN first_entry_id bigint NOT NULL DEFAULT 0,
  -- Totals of the accounts after the trade, its fee and its rebate.
  ADD COLUMN buyer_quote_after numeric(38, 0) NOT NULL DEFAULT 0,
  ADD COLUMN buyer_base_after numeric(38, 0) NOT NULL DEFAULT 0,
  ADD COLUMN seller_base_after numeric(38, 0) NOT NULL DEFAULT 0,
  ADD COLUMN seller_quote_after numeric(38, 0) NOT NULL DEFAULT 0;
