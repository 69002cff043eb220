-- Reads the whole journal, while the engine writes it.
ALTER TABLE trading_journal VALIDATE CONSTRAINT trading_journal_bound;

-- How many rows a part has at least and at most. One row.
CREATE TABLE journal_layout (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  least_rows bigint NOT NULL DEFAULT 1000000,
  most_rows bigint NOT NULL DEFAULT 64000000,
  CHECK (least_rows BETWEEN 10 AND most_rows)
);
INSERT INTO journal_layout DEFAULT VALUES;

-- From here on the journal is locked, for as long as the catalogue needs. No row is copied, and no index is built.
ALTER TABLE trading_journal RENAME TO trading_journal_before;
ALTER TABLE trading_journal_before RENAME CONSTRAINT trading_journal_pkey TO trading_journal_before_pkey;
-- Each part gets that of the whole.
DROP TRIGGER journal_order ON trading_journal_before;
CREATE TABLE trading_journal (
  LIKE trading_journal_before INCLUDING DEFAULTS INCLUDING COMPRESSION,
  CONSTRAINT trading_journal_core_version_check CHECK (core_version > 0),
  PRIMARY KEY (shard, seq)
) PARTITION BY RANGE (seq);

-- What follows the last part has no end, so an insert never fails because its row has no part. It is no default part:
-- without one PostgreSQL knows the order of the parts, and reads the newest row from the newest part alone.
CREATE TABLE trading_journal_rest (LIKE trading_journal INCLUDING ALL);
CREATE TRIGGER journal_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON trading_journal_rest
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
DO $$
DECLARE
  past bigint := 1;
BEGIN
  IF EXISTS (SELECT FROM trading_journal_before) THEN
    SELECT substring(pg_get_constraintdef(oid) FROM '< (\d+)')::bigint INTO past FROM pg_constraint
     WHERE conrelid = 'trading_journal_before'::regclass AND conname = 'trading_journal_bound';
    EXECUTE format('ALTER TABLE trading_journal ATTACH PARTITION trading_journal_before FOR VALUES FROM (1) TO (%s)', past);
  END IF;
  EXECUTE format('ALTER TABLE trading_journal ATTACH PARTITION trading_journal_rest FOR VALUES FROM (%s) TO (MAXVALUE)', past);
END $$;

-- Engines that are at work need their rights at once, and not at the end of all migrations.
DO $$
DECLARE
  held record;
BEGIN
  FOR held IN SELECT a.grantee::regrole AS name, a.privilege_type AS privilege
                FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) AS a
               WHERE c.oid = 'trading_journal_before'::regclass AND a.grantee NOT IN (0, c.relowner) LOOP
    EXECUTE format('GRANT %s ON trading_journal TO %s', held.privilege, held.name);
    EXECUTE format('REVOKE %s ON trading_journal_before FROM %s', held.privilege, held.name);
  END LOOP;
END $$;
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM trading_journal_before) THEN
    DROP TABLE trading_journal_before;
  END IF;
END $$;

-- As before, but planned with the row's number: a prepared plan would lock all parts for each row.
CREATE OR REPLACE FUNCTION check_journal_order() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  before record;
BEGIN
  IF new.seq = 1 THEN
    RETURN new;
  END IF;
  EXECUTE 'SELECT epoch, core_version FROM trading_journal WHERE shard = $1 AND seq = $2'
     INTO before USING new.shard, new.seq - 1;
  IF before.epoch IS NULL OR before.epoch > new.epoch THEN
    RAISE EXCEPTION 'journal row % of epoch % cannot follow epoch %', new.seq, new.epoch, before.epoch
      USING ERRCODE = 'RJ001';
  END IF;
  IF before.core_version > new.core_version THEN
    RAISE EXCEPTION 'journal row % by version % of the core cannot follow version %',
      new.seq, new.core_version, before.core_version USING ERRCODE = 'RJ001';
  END IF;
  RETURN new;
END $$;
CREATE TRIGGER journal_order BEFORE INSERT ON trading_journal
  FOR EACH ROW EXECUTE FUNCTION check_journal_order();
CREATE TRIGGER journal_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON trading_journal
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The parts of the journal with their rows' numbers, lowest first; the last, which has no end, without `past`.
CREATE FUNCTION journal_parts() RETURNS TABLE (part regclass, first bigint, past bigint) LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT c.oid::regclass, substring(b.bound FROM 'FROM \(''(\d+)''\)')::bigint,
         substring(b.bound FROM 'TO \(''(\d+)''\)')::bigint
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
   CROSS JOIN LATERAL (SELECT pg_get_expr(c.relpartbound, c.oid) AS bound) AS b
   WHERE i.inhparent = 'public.trading_journal'::regclass ORDER BY 2
$$;

-- Makes parts until they reach `ahead` rows beyond the newest row. A part is for about a week at the rate of the part that is
-- written to, within the bounds of journal_layout. If no worker came for so long that rows follow the last part, these become
-- a part as they are. Returns how many were made.
CREATE FUNCTION ensure_journal_parts(ahead bigint) RETURNS integer LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '500ms' AS $$
DECLARE
  week_seconds constant numeric := 604800;
  hour_seconds constant numeric := 3600;
  layout record;
  head bigint;
  written record;
  began timestamptz;
  a_week numeric := 0;
  size bigint;
  start bigint;
  made integer := 0;
BEGIN
  IF ahead IS NULL OR ahead NOT BETWEEN 0 AND 10000000 THEN
    RAISE EXCEPTION 'parts of the journal are made for 0 to 10000000 rows ahead, not for %', ahead USING ERRCODE = 'RJ006';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('rialto.journal_parts'));
  SELECT least_rows, most_rows INTO layout FROM journal_layout;
  SELECT first INTO start FROM journal_parts() WHERE past IS NULL;
  SELECT coalesce(max(h.seq), 0) INTO head FROM projection_checkpoints p CROSS JOIN LATERAL (
    SELECT j.seq FROM trading_journal j WHERE j.shard = p.shard ORDER BY j.seq DESC LIMIT 1) AS h;
  IF start > head + ahead THEN
    RETURN 0;
  END IF;
  SELECT p.part, p.first INTO written FROM journal_parts() p
   WHERE p.first <= head AND coalesce(p.past > head, true);
  IF written.part IS NOT NULL THEN
    EXECUTE format('SELECT min(at) FROM (SELECT at FROM %s WHERE seq >= %s ORDER BY shard, seq LIMIT 1) AS oldest',
      written.part, written.first) INTO began;
    a_week := (head - written.first) * week_seconds
      / greatest(hour_seconds, extract(epoch FROM clock_timestamp() - began));
  END IF;
  size := least(layout.most_rows, greatest(1, ceil(a_week / layout.least_rows)) * layout.least_rows);
  ALTER TABLE trading_journal DETACH PARTITION trading_journal_rest;
  -- Nobody writes now.
  SELECT coalesce(max(seq), 0) INTO head FROM trading_journal_rest;
  IF head >= start THEN
    EXECUTE format('ALTER TABLE trading_journal_rest RENAME CONSTRAINT trading_journal_rest_pkey TO %I',
      'trading_journal_' || start || '_pkey');
    EXECUTE format('ALTER TABLE trading_journal_rest RENAME TO %I', 'trading_journal_' || start);
    CREATE TABLE public.trading_journal_rest (LIKE trading_journal INCLUDING ALL);
    CREATE TRIGGER journal_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON trading_journal_rest
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
    EXECUTE format('ALTER TABLE trading_journal ATTACH PARTITION public.%I FOR VALUES FROM (%s) TO (%s)',
      'trading_journal_' || start, start, head + 1);
    start := head + 1;
    made := made + 1;
  END IF;
  SELECT greatest(head, coalesce(max(h.seq), 0)) INTO head FROM projection_checkpoints p CROSS JOIN LATERAL (
    SELECT j.seq FROM trading_journal j WHERE j.shard = p.shard ORDER BY j.seq DESC LIMIT 1) AS h;
  WHILE start <= head + ahead LOOP
    EXECUTE format('CREATE TABLE public.%I (LIKE trading_journal INCLUDING ALL)', 'trading_journal_' || start);
    EXECUTE format('CREATE TRIGGER journal_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON public.%I
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', 'trading_journal_' || start);
    EXECUTE format('ALTER TABLE trading_journal ATTACH PARTITION public.%I FOR VALUES FROM (%s) TO (%s)',
      'trading_journal_' || start, start, start + size);
    start := start + size;
    made := made + 1;
  END LOOP;
  EXECUTE format('ALTER TABLE trading_journal ATTACH PARTITION trading_journal_rest FOR VALUES FROM (%s) TO (MAXVALUE)', start);
  RETURN made;
END $$;
SELECT ensure_journal_parts(2000000);
