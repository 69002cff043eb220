-- Three small tables say where orders are, before the table of those that have ended gets a part for each day (decision 0111). The
-- projector writes them with the orders.

-- The first order of each day of UTC. Ids grow with times, so an id tells its day.
CREATE TABLE order_days (
  day_ms bigint PRIMARY KEY,
  first_order_id bigint NOT NULL
);
CREATE UNIQUE INDEX order_days_first_order ON order_days (first_order_id);

-- The days on which an account placed orders.
CREATE TABLE account_order_days (
  account_id bigint NOT NULL,
  day_ms bigint NOT NULL,
  PRIMARY KEY (account_id, day_ms)
);

-- Which orders have a client id, of any day. Two ids may have the same number, so readers compare the ids too. Unlike
-- hashtext it is the same in every version of PostgreSQL, and the projector computes it too.
CREATE FUNCTION client_key(account_id bigint, client_order_id text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (account_id << 32) # ('x' || left(encode(sha256(convert_to(client_order_id, 'UTF8')), 'hex'), 8))::bit(32)::bigint;
CREATE TABLE order_client_ids (
  client_key bigint NOT NULL,
  order_id bigint NOT NULL
);

CREATE FUNCTION list_orders(after_id bigint, through_id bigint) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  day_ms_length constant bigint := 86400000;
BEGIN
  INSERT INTO order_days (day_ms, first_order_id)
  SELECT o.created_ms - o.created_ms % day_ms_length, min(o.order_id)
    FROM (SELECT created_ms, order_id FROM trading_live_orders WHERE order_id > after_id AND order_id <= through_id
          UNION ALL
          SELECT created_ms, order_id FROM trading_orders WHERE order_id > after_id AND order_id <= through_id) AS o
   GROUP BY 1 ON CONFLICT DO NOTHING;
  INSERT INTO account_order_days (account_id, day_ms)
  SELECT DISTINCT o.account_id, o.created_ms - o.created_ms % day_ms_length
    FROM (SELECT account_id, created_ms FROM trading_live_orders WHERE order_id > after_id AND order_id <= through_id
          UNION ALL
          SELECT account_id, created_ms FROM trading_orders WHERE order_id > after_id AND order_id <= through_id) AS o
  ON CONFLICT DO NOTHING;
  -- A worker of a release before 0100 may have left an order in both.
  INSERT INTO order_client_ids (client_key, order_id)
  SELECT client_key(account_id, client_order_id), order_id FROM trading_orders
   WHERE order_id > after_id AND order_id <= through_id AND asked IS NOT NULL
  UNION ALL
  SELECT client_key(l.account_id, l.client_order_id), l.order_id FROM trading_live_orders l
   WHERE l.order_id > after_id AND l.order_id <= through_id AND l.asked IS NOT NULL
     AND NOT EXISTS (SELECT FROM trading_orders o WHERE o.order_id = l.order_id AND o.asked IS NOT NULL);
END $$;

-- Reads the orders that exist, while others read and write them, and locks nothing that they need until all of them are listed.
DO $$
DECLARE
  through_id bigint;
BEGIN
  SELECT coalesce(max(last_order_id), 0) INTO through_id FROM projection_checkpoints;
  PERFORM list_orders(0, through_id);
  CREATE INDEX order_client_ids_key ON order_client_ids (client_key);
  -- Orders up to this one are in the three tables. A worker of the release before does not write them, so it leaves this behind
  -- `last_order_id`; a worker of this release starts with what lies between.
  ALTER TABLE projection_checkpoints ADD COLUMN listed_order_id bigint NOT NULL DEFAULT 0;
  UPDATE projection_checkpoints SET listed_order_id = through_id;
  -- Those that exist become one part as they are, up to the day after tomorrow. That this bound holds is checked by the next
  -- migration, outside the lock that this one needs.
  EXECUTE format('ALTER TABLE trading_orders ADD CONSTRAINT trading_orders_bound CHECK (created_ms < %s) NOT VALID',
    (floor(extract(epoch FROM clock_timestamp()) / 86400)::bigint + 2) * 86400000);
END $$;
