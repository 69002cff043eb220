-- The role that the server works with owns nothing (platform/db/grants.ts says what it may do). What it needs an owner
-- for stands here, in functions that run with the owner's rights and refuse what is not due. Each names its schemas
-- itself, so that nobody slips a table or a function of the same name in front; temporary ones come last.

-- The spine: numbers are given and the floor is raised here only. The server reads the log and its head, and cannot
-- write to either.
ALTER FUNCTION relay_events(text, integer, interval)
  SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp;

CREATE OR REPLACE FUNCTION ensure_event_partitions(ahead bigint) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  size bigint;
  block bigint;
  last_block bigint;
  name text;
BEGIN
  IF ahead IS NULL OR ahead NOT BETWEEN 0 AND 1000000 THEN
    RAISE EXCEPTION 'partitions of the event log are made for 0 to 1000000 positions ahead, not for %', ahead
      USING ERRCODE = 'RJ006';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('rialto.event_partitions'));
  SELECT partition_size, position / partition_size, (position + ahead) / partition_size
    INTO size, block, last_block FROM event_head;
  WHILE block <= last_block LOOP
    name := 'event_log_' || block * size;
    IF to_regclass('public.' || name) IS NULL THEN
      EXECUTE format('CREATE TABLE public.%I (LIKE event_log INCLUDING ALL)', name);
      EXECUTE format('ALTER TABLE event_log ATTACH PARTITION public.%I FOR VALUES FROM (%s) TO (%s)',
        name, block * size, (block + 1) * size);
    END IF;
    block := block + 1;
  END LOOP;
END $$;

-- The partition of the log with the lowest positions, and the first position after it.
CREATE FUNCTION oldest_event_partition(OUT part regclass, OUT past bigint) LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT c.oid::regclass,
         substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \(''(\d+)''\)')::bigint AS past
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
   WHERE i.inhparent = 'public.event_log'::regclass
   ORDER BY past LIMIT 1
$$;

-- Trimming takes two calls, each a transaction of its own: first the floor is raised, so that nobody is promised what
-- is about to go, then the partition goes. An hour is the shortest retention that can be set, and holds here whatever
-- is asked for. True: a partition lies below the floor and can be dropped.
CREATE FUNCTION raise_event_floor(before timestamptz) RETURNS boolean LANGUAGE plpgsql
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
  EXECUTE format('SELECT max(at) FROM %s', oldest.part) INTO newest;
  IF newest >= due THEN
    RETURN false;
  END IF;
  UPDATE event_head SET trimmed_through = greatest(trimmed_through, oldest.past - 1);
  RETURN true;
END $$;

-- Whoever reads the log waits while its partition goes, which takes milliseconds once the lock is had. While this waits
-- for a reader, others wait behind it: so it does not wait long, and whoever called tries again.
CREATE FUNCTION drop_trimmed_event_partition() RETURNS boolean LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '200ms' AS $$
DECLARE
  oldest record;
BEGIN
  SELECT * INTO oldest FROM oldest_event_partition();
  IF oldest.past IS NULL OR oldest.past > (SELECT trimmed_through FROM event_head) + 1 THEN
    RETURN false;
  END IF;
  EXECUTE format('DROP TABLE %s', oldest.part);
  RETURN true;
END $$;

-- The replay guard. Two days of partitions are more than are ever made ahead.
CREATE OR REPLACE FUNCTION ensure_claim_partitions(now_ms bigint, ahead integer) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  size constant bigint := 600000;
  ahead_max constant integer := 144;
  parts_max constant integer := 300;
  parts integer;
  start_ms bigint;
  name text;
BEGIN
  IF ahead IS NULL OR ahead NOT BETWEEN 0 AND ahead_max OR now_ms IS NULL OR now_ms NOT BETWEEN size AND 1e14 THEN
    RAISE EXCEPTION 'partitions of the replay guard are made for 0 to % ahead of a time in milliseconds, not for % of %',
      ahead_max, ahead, now_ms USING ERRCODE = 'RJ006';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('rialto.claim_partitions'));
  SELECT count(*) INTO parts FROM pg_inherits WHERE inhparent = 'public.request_claims'::regclass;
  FOR step IN -1 .. ahead LOOP
    start_ms := (now_ms / size + step) * size;
    name := 'request_claims_' || start_ms;
    CONTINUE WHEN to_regclass('public.' || name) IS NOT NULL;
    -- Rows that came while the partition was missing stand in the default one and would forbid this.
    CONTINUE WHEN EXISTS (SELECT FROM request_claims_default
                           WHERE signed_ms >= start_ms AND signed_ms < start_ms + size);
    IF parts >= parts_max THEN
      RAISE EXCEPTION 'the replay guard has % partitions: are old ones dropped, and are the clocks right?', parts
        USING ERRCODE = 'RJ006';
    END IF;
    EXECUTE format('CREATE TABLE public.%I (LIKE request_claims INCLUDING ALL)', name);
    EXECUTE format('ALTER TABLE request_claims ATTACH PARTITION public.%I FOR VALUES FROM (%s) TO (%s)',
      name, start_ms, start_ms + size);
    parts := parts + 1;
  END LOOP;
END $$;

-- A signature is accepted for at most 61 seconds. What was signed within the last two minutes stays, whatever is asked for.
CREATE OR REPLACE FUNCTION drop_claim_partitions(before_ms bigint) RETURNS integer LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  due constant bigint := least(before_ms, (extract(epoch FROM clock_timestamp()) * 1000)::bigint - 120000);
  part record;
  dropped integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('rialto.claim_partitions'));
  FOR part IN
    SELECT c.relname, substring(c.relname FROM 'request_claims_(\d+)')::bigint AS start_ms
      FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'public.request_claims'::regclass AND c.relname ~ '^request_claims_\d+$'
  LOOP
    CONTINUE WHEN part.start_ms + 600000 > due;
    EXECUTE format('DROP TABLE public.%I', part.relname);
    dropped := dropped + 1;
  END LOOP;
  DELETE FROM request_claims_default WHERE signed_ms < due;
  RETURN dropped;
END $$;

CREATE OR REPLACE FUNCTION ensure_message_partitions(ahead bigint) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  size constant bigint := 10000000;
  block bigint;
  last_block bigint;
  name text;
BEGIN
  IF ahead IS NULL OR ahead NOT BETWEEN 0 AND 10 * size THEN
    RAISE EXCEPTION 'partitions of messages are made for 0 to % ids ahead, not for %', 10 * size, ahead
      USING ERRCODE = 'RJ006';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('rialto.message_partitions'));
  SELECT last_value / size, (last_value + ahead) / size INTO block, last_block FROM message_ids;
  WHILE block <= last_block LOOP
    name := 'messages_from_' || block * size;
    IF to_regclass('public.' || name) IS NULL THEN
      EXECUTE format('CREATE TABLE public.%I PARTITION OF messages FOR VALUES FROM (%s) TO (%s)',
        name, block * size, (block + 1) * size);
    END IF;
    block := block + 1;
  END LOOP;
END $$;

-- The sum of the evidence follows from the evidence and from nothing else: the server cannot write it.
ALTER FUNCTION add_custody_assets() SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp;
