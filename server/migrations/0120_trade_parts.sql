-- Reads all trades, while others read and write them.
ALTER TABLE trading_trades VALIDATE CONSTRAINT trading_trades_bound;

-- The tables that have a part for each day. A further one needs its parts made, and a row here.
CREATE TABLE history_tables (
  name text PRIMARY KEY,
  -- Milliseconds of UTC: the day of a row.
  time_column text NOT NULL,
  -- Grows with time. Unique in each part.
  id_column text NOT NULL
);
INSERT INTO history_tables VALUES ('trading_trades', 'time_ms', 'trade_id');

-- From here on the table is locked, for as long as the catalogue needs. The indices of the old table become those of its
-- part, and none is built.
ALTER TABLE trading_trades RENAME TO trading_trades_before;
ALTER TABLE trading_trades_before RENAME CONSTRAINT trading_trades_pkey TO trading_trades_before_pkey;
ALTER INDEX trading_trades_symbol_time RENAME TO trading_trades_before_symbol_time;
ALTER INDEX trading_trades_buyer_time RENAME TO trading_trades_before_buyer_time;
ALTER INDEX trading_trades_seller_time RENAME TO trading_trades_before_seller_time;
ALTER INDEX trading_trades_buy_order RENAME TO trading_trades_before_buy_order;
ALTER INDEX trading_trades_sell_order RENAME TO trading_trades_before_sell_order;
CREATE TABLE trading_trades (LIKE trading_trades_before INCLUDING DEFAULTS) PARTITION BY RANGE (time_ms);
CREATE INDEX trading_trades_symbol_time ON trading_trades (symbol, time_ms);
CREATE INDEX trading_trades_buyer_time ON trading_trades (buyer_account_id, time_ms);
CREATE INDEX trading_trades_seller_time ON trading_trades (seller_account_id, time_ms);
CREATE INDEX trading_trades_buy_order ON trading_trades (buyer_order_id);
CREATE INDEX trading_trades_sell_order ON trading_trades (seller_order_id);
DO $$
DECLARE
  past text;
BEGIN
  IF EXISTS (SELECT FROM trading_trades_before) THEN
    SELECT substring(pg_get_constraintdef(oid) FROM '\d{13}') INTO past FROM pg_constraint
     WHERE conrelid = 'trading_trades_before'::regclass AND conname = 'trading_trades_bound';
    EXECUTE format('ALTER TABLE trading_trades ATTACH PARTITION trading_trades_before FOR VALUES FROM (MINVALUE) TO (%s)', past);
  ELSE
    DROP TABLE trading_trades_before;
  END IF;
END $$;
-- An insert never fails because its day has no part.
CREATE TABLE trading_trades_rest (LIKE trading_trades INCLUDING ALL, PRIMARY KEY (trade_id));
ALTER TABLE trading_trades ATTACH PARTITION trading_trades_rest DEFAULT;

-- The day after the last one that a part reaches; nothing for the part of all other rows.
CREATE FUNCTION history_part_end(part oid) RETURNS bigint LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT substring(pg_get_expr(relpartbound, oid) FROM 'TO \(''(\d+)''\)')::bigint FROM pg_class WHERE oid = part
$$;

-- Makes the parts of today and of the days to come. A day of which rows are in the part of all others gets none: they
-- stay where they are. Returns how many were made.
CREATE FUNCTION ensure_history_parts(ahead integer) RETURNS integer LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '500ms' AS $$
DECLARE
  day_ms constant bigint := 86400000;
  today constant bigint := floor(extract(epoch FROM clock_timestamp()) / 86400)::bigint * day_ms;
  kept record;
  day bigint;
  first_day bigint;
  name text;
  is_taken boolean;
  made integer := 0;
BEGIN
  IF ahead IS NULL OR ahead NOT BETWEEN 0 AND 31 THEN
    RAISE EXCEPTION 'parts of history are made for 0 to 31 days ahead, not for %', ahead USING ERRCODE = 'RJ006';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('rialto.history_parts'));
  FOR kept IN SELECT * FROM history_tables LOOP
    SELECT greatest(today, max(history_part_end(inhrelid))) INTO first_day FROM pg_inherits
     WHERE inhparent = format('public.%I', kept.name)::regclass;
    FOR day IN SELECT generate_series(first_day, today + ahead * day_ms, day_ms) LOOP
      name := kept.name || '_' || to_char(to_timestamp(day / 1000) AT TIME ZONE 'UTC', 'YYYYMMDD');
      EXECUTE format('SELECT EXISTS (SELECT FROM public.%I WHERE %I >= $1 AND %2$I < $2)', kept.name || '_rest', kept.time_column)
         INTO is_taken USING day, day + day_ms;
      CONTINUE WHEN is_taken;
      EXECUTE format('CREATE TABLE public.%I (LIKE public.%I INCLUDING ALL, PRIMARY KEY (%I))', name, kept.name, kept.id_column);
      EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION public.%I FOR VALUES FROM (%s) TO (%s)',
        kept.name, name, day, day + day_ms);
      made := made + 1;
    END LOOP;
  END LOOP;
  RETURN made;
END $$;
SELECT ensure_history_parts(7);
