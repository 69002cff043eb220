-- Reads all orders, while others read and write them.
ALTER TABLE trading_orders VALIDATE CONSTRAINT trading_orders_bound;

-- From here on the table is locked, for as long as the catalogue needs. The indices of the old table become those of its part, and none
-- is built. trading_orders_before_client is for api processes of the release before; younger parts have none.
ALTER TABLE trading_orders RENAME TO trading_orders_before;
ALTER TABLE trading_orders_before RENAME CONSTRAINT trading_orders_pkey TO trading_orders_before_pkey;
ALTER INDEX trading_orders_account_time RENAME TO trading_orders_before_account_time;
ALTER INDEX trading_orders_live RENAME TO trading_orders_before_live;
ALTER INDEX trading_orders_client RENAME TO trading_orders_before_client;
CREATE TABLE trading_orders (LIKE trading_orders_before INCLUDING DEFAULTS) PARTITION BY RANGE (created_ms);
CREATE INDEX trading_orders_account_time ON trading_orders (account_id, created_ms);
CREATE INDEX trading_orders_live ON trading_orders (account_id, order_id)
 WHERE status IN ('pending', 'open', 'partially_filled');
DO $$
DECLARE
  past text;
BEGIN
  IF EXISTS (SELECT FROM trading_orders_before) THEN
    SELECT substring(pg_get_constraintdef(oid) FROM '\d{13}') INTO past FROM pg_constraint
     WHERE conrelid = 'trading_orders_before'::regclass AND conname = 'trading_orders_bound';
    EXECUTE format('ALTER TABLE trading_orders ATTACH PARTITION trading_orders_before FOR VALUES FROM (MINVALUE) TO (%s)', past);
  ELSE
    DROP TABLE trading_orders_before;
  END IF;
END $$;
-- An insert never fails because its day has no part.
CREATE TABLE trading_orders_rest (LIKE trading_orders INCLUDING ALL, PRIMARY KEY (order_id));
ALTER TABLE trading_orders ATTACH PARTITION trading_orders_rest DEFAULT;
INSERT INTO history_tables VALUES ('trading_orders', 'created_ms', 'order_id');
SELECT ensure_history_parts(7);

-- As before. The time of an order says in which part it is.
CREATE OR REPLACE FUNCTION separate_live_orders() RETURNS bigint LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  doubled bigint;
  separated bigint;
BEGIN
  UPDATE trading_orders o SET accepted_seq = l.accepted_seq, asked = l.asked
    FROM trading_live_orders l WHERE o.order_id = l.order_id AND o.created_ms = l.created_ms AND l.asked IS NOT NULL;
  DELETE FROM trading_live_orders l USING trading_orders o WHERE o.order_id = l.order_id AND o.created_ms = l.created_ms;
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
