-- The terms as they were asked for stand beside the order instead of in client_orders, which stays for the orders of before and gets
-- no new row. `asked` is NULL without a client id; else a JSON object of the terms that are not those of the order itself, or empty if
-- there are none. `accepted_seq` is the engine event that took the order, NULL if it is also its last one.
ALTER TABLE trading_orders ADD COLUMN accepted_seq bigint, ADD COLUMN asked text;
ALTER TABLE trading_live_orders ADD COLUMN accepted_seq bigint, ADD COLUMN asked text;

-- One number from account and client id: half as large as the two, and those of one account lie together. Two ids may have the same
-- number, so readers compare the ids too. The table is read once for the index, and no row of it is in the index yet.
CREATE INDEX trading_orders_client ON trading_orders
  (((account_id << 32) # (hashtext(client_order_id)::bigint & 4294967295))) WHERE asked IS NOT NULL;
CREATE INDEX trading_live_orders_client ON trading_live_orders
  (((account_id << 32) # (hashtext(client_order_id)::bigint & 4294967295))) WHERE asked IS NOT NULL;

-- As before, and what stands beside an order stays with it: a worker of the release before does not write it. The answer is how
-- many rows were out of place.
CREATE OR REPLACE FUNCTION separate_live_orders() RETURNS bigint LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  doubled bigint;
  separated bigint;
BEGIN
  UPDATE trading_orders o SET accepted_seq = l.accepted_seq, asked = l.asked
    FROM trading_live_orders l WHERE o.order_id = l.order_id AND l.asked IS NOT NULL;
  DELETE FROM trading_live_orders l USING trading_orders o WHERE o.order_id = l.order_id;
  GET DIAGNOSTICS doubled = ROW_COUNT;
  WITH moved AS (
    DELETE FROM trading_orders WHERE status IN ('pending', 'open', 'partially_filled') RETURNING *)
  INSERT INTO trading_live_orders (
    order_id, account_id, client_order_id, symbol, side, type, time_in_force, post_only, stp_mode, price_decimals,
    volume_decimals, price, stop_price, volume, total, visible_volume, filled_volume, remaining_volume, prevented_volume,
    filled_total, fee, rebate, held, status, status_reason, created_ms, updated_ms, last_trade_ms, triggered_ms, expire_ms,
    engine_seq, trailing_delta, order_list_id, order_list_kind, accepted_seq, asked)
  SELECT
    order_id, account_id, client_order_id, symbol, side, type, time_in_force, post_only, stp_mode, price_decimals,
    volume_decimals, price, stop_price, volume, total, visible_volume, filled_volume, remaining_volume, prevented_volume,
    filled_total, fee, rebate, held, status, status_reason, created_ms, updated_ms, last_trade_ms, triggered_ms, expire_ms,
    engine_seq, trailing_delta, order_list_id, order_list_kind, accepted_seq, asked
    FROM moved;
  GET DIAGNOSTICS separated = ROW_COUNT;
  RETURN doubled + separated;
END $$;
