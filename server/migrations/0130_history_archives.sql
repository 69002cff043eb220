-- Old days of tables with a part for each day become files, and their parts are dropped (decision 0102).

-- A file of one day. `writing`: an attempt, whose file may be anything. `written`: the file was read back and is right; the
-- rows are also in the table. `archived`: they are in the file alone.
CREATE TABLE history_archives (
  archive_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL REFERENCES history_tables (name),
  day_ms bigint NOT NULL CHECK (day_ms % 86400000 = 0),
  file_key text NOT NULL UNIQUE,
  state text NOT NULL DEFAULT 'writing' CHECK (state IN ('writing', 'written', 'archived')),
  -- What the rows looked like, and in which form the file has them.
  columns text[] NOT NULL,
  format integer NOT NULL,
  -- The manifest, complete once the file is written.
  rows bigint,
  first_id bigint,
  last_id bigint,
  first_seq bigint,
  last_seq bigint,
  file_bytes bigint,
  file_sha256 text,
  content_sha256 text,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  archived_at timestamptz,
  UNIQUE (name, day_ms),
  CHECK (state = 'writing' OR num_nulls(rows, file_bytes, file_sha256, content_sha256) = 0)
);

-- Where in the file the rows of an account or of a market are: each block is compressed by itself. Keys are texts in the order
-- of their bytes.
CREATE TABLE history_archive_blocks (
  archive_id bigint NOT NULL REFERENCES history_archives ON DELETE CASCADE,
  section text NOT NULL CHECK (section IN ('market', 'account')),
  number integer NOT NULL,
  first_key text COLLATE "C" NOT NULL,
  last_key text COLLATE "C" NOT NULL,
  -- Times of the first row and of the last one. Within a key rows are in order.
  first_ms bigint NOT NULL,
  last_ms bigint NOT NULL,
  rows integer NOT NULL,
  first_byte bigint NOT NULL,
  bytes integer NOT NULL,
  sha256 text NOT NULL,
  PRIMARY KEY (archive_id, section, number)
);
CREATE INDEX history_archive_blocks_key ON history_archive_blocks (archive_id, section, last_key);

-- The last line of each account and coin that a trade of an archived day made.
CREATE TABLE ledger_closings (
  account_id bigint NOT NULL,
  coin text NOT NULL,
  day_ms bigint NOT NULL,
  entry_id bigint NOT NULL,
  balance_after numeric(38, 0) NOT NULL,
  PRIMARY KEY (account_id, coin, day_ms)
);

-- What orders that traded on after an archived day, or still could, had traded on it.
CREATE TABLE archived_fills (
  order_id bigint NOT NULL,
  day_ms bigint NOT NULL,
  total numeric(38, 0) NOT NULL,
  fee numeric(38, 0) NOT NULL,
  PRIMARY KEY (order_id, day_ms)
);

-- Drops a part whose rows are all in files that were read back, and says that they are in the files alone from now on. The
-- files of a part that is younger than a week are never enough: memory, audits and late rows need the table. Returns how many
-- rows were dropped.
CREATE FUNCTION drop_history_part(kept text, part text) RETURNS bigint LANGUAGE plpgsql
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
