-- Orders that have not ended. An order moves to trading_orders, where rows never change, in the transaction that ends it; so the
-- two together show every order once. A change of an order touches no index, and finds room in its page.
CREATE TABLE trading_live_orders (LIKE trading_orders INCLUDING DEFAULTS) WITH (fillfactor = 60);
ALTER TABLE trading_live_orders ADD PRIMARY KEY (order_id);
CREATE INDEX trading_live_orders_account_time ON trading_live_orders (account_id, created_ms);

-- A release before this one wrote live orders to trading_orders, and its workers still do after this migration. A worker of this
-- release calls this when it starts, under the lock of the checkpoint. Rows that have ended stay; the index trading_orders_live
-- finds the others, and is empty from then on. If a worker of the release before was at work once more, what it wrote is newer.
CREATE FUNCTION separate_live_orders() RETURNS bigint LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  separated bigint;
BEGIN
  DELETE FROM trading_live_orders l USING trading_orders o WHERE o.order_id = l.order_id;
  WITH moved AS (
    DELETE FROM trading_orders WHERE status IN ('pending', 'open', 'partially_filled') RETURNING *)
  INSERT INTO trading_live_orders (
    order_id, account_id, client_order_id, symbol, side, type, time_in_force, post_only, stp_mode, price_decimals,
    volume_decimals, price, stop_price, volume, total, visible_volume, filled_volume, remaining_volume, prevented_volume,
    filled_total, fee, rebate, held, status, status_reason, created_ms, updated_ms, last_trade_ms, triggered_ms, expire_ms,
    engine_seq, trailing_delta, order_list_id, order_list_kind)
  SELECT
    order_id, account_id, client_order_id, symbol, side, type, time_in_force, post_only, stp_mode, price_decimals,
    volume_decimals, price, stop_price, volume, total, visible_volume, filled_volume, remaining_volume, prevented_volume,
    filled_total, fee, rebate, held, status, status_reason, created_ms, updated_ms, last_trade_ms, triggered_ms, expire_ms,
    engine_seq, trailing_delta, order_list_id, order_list_kind
    FROM moved;
  GET DIAGNOSTICS separated = ROW_COUNT;
  RETURN separated;
END $$;
