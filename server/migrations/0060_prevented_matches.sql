-- Whose orders they were, so that an account finds its own prevented matches by an index.
ALTER TABLE prevented_matches
  ADD COLUMN taker_account_id bigint,
  ADD COLUMN maker_account_id bigint;
UPDATE prevented_matches p
   SET taker_account_id = t.account_id, maker_account_id = m.account_id
  FROM trading_orders t, trading_orders m
 WHERE t.order_id = p.taker_order_id AND m.order_id = p.maker_order_id;
ALTER TABLE prevented_matches
  ALTER COLUMN taker_account_id SET NOT NULL,
  ALTER COLUMN maker_account_id SET NOT NULL;
CREATE INDEX prevented_matches_taker_account
  ON prevented_matches (taker_account_id, engine_seq, number);
CREATE INDEX prevented_matches_maker_account
  ON prevented_matches (maker_account_id, engine_seq, number);
-- An order's own are found by its account.
DROP INDEX prevented_matches_taker;
DROP INDEX prevented_matches_maker;
