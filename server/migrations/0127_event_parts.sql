-- Parts of the event log that are as large as the log grows. A part of 50,000 positions is filled in a minute at 1,000
-- events a second: that is 1,700 parts a day, and every statement that reads the log plans with all of them. The next part
-- is now made for about an hour at the rate of the one before it, in whole multiples of partition_size, at most a
-- hundred of them. A small deployment keeps small parts, so that its old events go in time.
CREATE OR REPLACE FUNCTION ensure_event_partitions(ahead bigint) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  multiples_max constant bigint := 100;
  least_size bigint;
  head bigint;
  newest record;
  began timestamptz;
  an_hour numeric;
  size bigint;
  start bigint;
BEGIN
  IF ahead IS NULL OR ahead NOT BETWEEN 0 AND 1000000 THEN
    RAISE EXCEPTION 'partitions of the event log are made for 0 to 1000000 positions ahead, not for %', ahead
      USING ERRCODE = 'RJ006';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('rialto.event_partitions'));
  SELECT partition_size, position INTO least_size, head FROM event_head;
  LOOP
    SELECT c.oid::regclass AS part, b.first, b.past INTO newest
      FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     CROSS JOIN LATERAL (
       SELECT substring(pg_get_expr(c.relpartbound, c.oid) FROM 'FROM \(''(\d+)''\)')::bigint AS first,
              substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \(''(\d+)''\)')::bigint AS past) AS b
     WHERE i.inhparent = 'public.event_log'::regclass
     ORDER BY b.past DESC LIMIT 1;
    EXIT WHEN newest.past > head + ahead;
    size := least_size;
    IF newest.part IS NOT NULL THEN
      EXECUTE format('SELECT at FROM %s ORDER BY position LIMIT 1', newest.part) INTO began;
      IF began IS NOT NULL THEN
        an_hour := (head - newest.first) * 3600 / greatest(1, extract(epoch FROM clock_timestamp() - began));
        size := least_size * least(multiples_max, greatest(1, ceil(an_hour / least_size)));
      END IF;
    END IF;
    -- After a restore positions are left out, and with them the parts.
    start := greatest(coalesce(newest.past, 0), head / least_size * least_size);
    EXECUTE format('CREATE TABLE public.%I (LIKE event_log INCLUDING ALL)', 'event_log_' || start);
    EXECUTE format('ALTER TABLE event_log ATTACH PARTITION public.%I FOR VALUES FROM (%s) TO (%s)',
      'event_log_' || start, start, start + size);
  END LOOP;
END $$;

-- Positions grow with time but for the length of a transaction, so the newest event of a part is among its last ones. To
-- look at all of them would read the whole part.
CREATE OR REPLACE FUNCTION raise_event_floor(before timestamptz) RETURNS boolean LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  due constant timestamptz := least(before, clock_timestamp() - interval '1 hour');
  oldest record;
  newest timestamptz;
BEGIN
  SELECT * INTO oldest FROM oldest_event_partition();
  -- One that is still written to stays.
  IF oldest.past IS NULL OR oldest.past > (SELECT position FROM event_head) THEN
    RETURN false;
  END IF;
  IF oldest.past <= (SELECT trimmed_through FROM event_head) + 1 THEN
    RETURN true;
  END IF;
  EXECUTE format('SELECT max(at) FROM (SELECT at FROM %s ORDER BY position DESC LIMIT 10000) AS ended', oldest.part)
    INTO newest;
  IF newest >= due THEN
    RETURN false;
  END IF;
  UPDATE event_head SET trimmed_through = greatest(trimmed_through, oldest.past - 1);
  RETURN true;
END $$;
