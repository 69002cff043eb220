-- Days of orders that have ended become files too (decision 0115), with the tables and the function that days of trades have.

-- Files of orders have their rows by order instead of by market. No row that exists is outside of the new bound, so none is read.
ALTER TABLE history_archive_blocks DROP CONSTRAINT history_archive_blocks_section_check,
  ADD CONSTRAINT history_archive_blocks_section_check CHECK (section IN ('market', 'account', 'order')) NOT VALID;

-- Whether an order that was placed on these days has not ended. When it does, it is written into the part of its day, so that part
-- has to stay. Ids tell the days, and only the live orders of these ids are read.
CREATE FUNCTION has_live_orders(from_ms bigint, to_ms bigint) RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT EXISTS (
    SELECT FROM trading_live_orders
     WHERE order_id >= (SELECT first_order_id FROM order_days WHERE day_ms >= from_ms ORDER BY day_ms LIMIT 1)
       AND order_id < coalesce((SELECT first_order_id FROM order_days WHERE day_ms >= to_ms ORDER BY day_ms LIMIT 1), 9223372036854775807))
$$;

-- As before, and a part of orders stays while one of its days has a live order.
CREATE OR REPLACE FUNCTION drop_history_part(kept text, part text) RETURNS bigint LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '500ms' AS $$
DECLARE
  day_ms_length constant bigint := 86400000;
  tries_max constant integer := 20;
  first_ms bigint;
  past_ms bigint;
  present bigint;
  filed bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('rialto.history_parts'));
  SELECT coalesce(substring(pg_get_expr(c.relpartbound, c.oid) FROM 'FROM \(''(\d+)''\)')::bigint, 0), history_part_end(c.oid)
    INTO first_ms, past_ms
    FROM history_tables h
    JOIN pg_inherits i ON i.inhparent = format('public.%I', h.name)::regclass
    JOIN pg_class c ON c.oid = i.inhrelid
   WHERE h.name = kept AND c.relname = part;
  IF past_ms IS NULL THEN
    RAISE EXCEPTION '% is no part of % with days of its own', part, kept USING ERRCODE = 'RJ006';
  END IF;
  IF past_ms > extract(epoch FROM clock_timestamp()) * 1000 - 7 * day_ms_length THEN
    RAISE EXCEPTION '% has days of the last week, which stay', part USING ERRCODE = 'RJ006';
  END IF;
  -- Nobody writes to it from here on; everybody can read it.
  EXECUTE format('LOCK TABLE public.%I IN SHARE MODE', part);
  -- The projector takes an order out of the live ones and writes it here in one transaction. Whichever of both has come to this
  -- part first, the other one is seen: as a live order, or as a row more than the files have.
  IF kept = 'trading_orders' AND has_live_orders(first_ms, past_ms) THEN
    RAISE EXCEPTION '% has days of orders that are still live, which stay', part USING ERRCODE = 'RJ006';
  END IF;
  EXECUTE format('SELECT count(*) FROM public.%I', part) INTO present;
  SELECT coalesce(sum(rows), 0) INTO filed FROM history_archives
   WHERE name = kept AND state = 'written' AND day_ms >= first_ms AND day_ms < past_ms;
  IF present <> filed THEN
    RAISE EXCEPTION '% has % rows, and the files of its days have %', part, present, filed USING ERRCODE = 'RJ006';
  END IF;
  UPDATE history_archives SET state = 'archived', archived_at = clock_timestamp()
   WHERE name = kept AND state = 'written' AND day_ms >= first_ms AND day_ms < past_ms;
  -- Readers wait behind this lock, so it is asked for in short tries.
  FOR attempt IN 1 .. tries_max LOOP
    BEGIN
      EXECUTE format('ALTER TABLE public.%I DETACH PARTITION public.%I', kept, part);
      EXIT;
    EXCEPTION WHEN lock_not_available THEN
      IF attempt = tries_max THEN
        RAISE;
      END IF;
      PERFORM pg_sleep(0.25);
    END;
  END LOOP;
  EXECUTE format('DROP TABLE public.%I', part);
  RETURN present;
END $$;
