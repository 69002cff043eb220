-- Parts of the journal that are in the file store, compressed, and perhaps no longer in the table (decision 0104). A row is
-- written when the files were read back and are whole.
CREATE TABLE journal_archives (
  shard smallint NOT NULL,
  first_seq bigint NOT NULL,
  last_seq bigint NOT NULL,
  -- The digest of the row before the first, and of the last.
  digest_before bytea NOT NULL,
  digest_after bytea NOT NULL,
  last_engine_seq bigint NOT NULL,
  command_count bigint NOT NULL,
  last_at timestamptz NOT NULL,
  -- A list of the files, each with its SHA-256, and the SHA-256 of the list.
  manifest_key text NOT NULL,
  manifest_sha256 bytea NOT NULL,
  manifest_bytes integer NOT NULL,
  -- Of the files together.
  byte_count bigint NOT NULL,
  archived_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- When its rows left the table.
  removed_at timestamptz,
  PRIMARY KEY (shard, first_seq),
  CHECK (last_seq >= first_seq)
);

-- When a snapshot was restored, compared with the digest of its row, and followed to the end of the journal. The newest of
-- these is kept: the journal may begin after it.
ALTER TABLE trading_snapshots ADD COLUMN verified_at timestamptz;

-- Takes the lowest part out of the journal. Not for the server's role. It refuses whatever is not in the file store, what
-- others still have to read, and what comes after every verified snapshot.
CREATE FUNCTION remove_journal_part(of_shard smallint, from_seq bigint) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '500ms' AS $$
DECLARE
  lowest record;
  kept journal_archives;
  stored record;
  last_digest bytea;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('rialto.journal_parts'));
  SELECT * INTO lowest FROM journal_parts() LIMIT 1;
  SELECT * INTO kept FROM journal_archives
   WHERE shard = of_shard AND first_seq = from_seq AND removed_at IS NULL FOR UPDATE;
  IF kept.first_seq IS NULL OR lowest.first <> from_seq OR lowest.past IS DISTINCT FROM kept.last_seq + 1 THEN
    RAISE EXCEPTION 'rows % and on of the journal are not its lowest part, or are not in the file store', from_seq
      USING ERRCODE = 'RJ010';
  END IF;
  EXECUTE format('SELECT count(*) AS rows, min(seq) AS first, max(seq) AS last FROM %s', lowest.part) INTO stored;
  EXECUTE format('SELECT digest FROM %s WHERE shard = $1 AND seq = $2', lowest.part)
     INTO last_digest USING of_shard, kept.last_seq;
  IF stored.rows <> kept.last_seq - kept.first_seq + 1 OR stored.first <> kept.first_seq OR stored.last <> kept.last_seq
     OR last_digest IS DISTINCT FROM kept.digest_after THEN
    RAISE EXCEPTION 'the rows % to % in the file store are not those of the part', kept.first_seq, kept.last_seq
      USING ERRCODE = 'RJ010';
  END IF;
  IF NOT EXISTS (SELECT FROM trading_journal WHERE shard = of_shard AND seq = kept.last_seq + 1) THEN
    RAISE EXCEPTION 'the journal would be empty' USING ERRCODE = 'RJ010';
  END IF;
  IF NOT EXISTS (SELECT FROM projection_checkpoints WHERE shard = of_shard AND seq >= kept.last_seq)
     OR EXISTS (SELECT FROM public_log_progress WHERE shard = of_shard AND last_event > 0 AND seq < kept.last_seq) THEN
    RAISE EXCEPTION 'the tables or the public log do not have row % yet', kept.last_seq USING ERRCODE = 'RJ010';
  END IF;
  PERFORM FROM trading_snapshots
    WHERE shard = of_shard AND seq >= kept.last_seq AND verified_at IS NOT NULL FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no verified snapshot comes after row %', kept.last_seq USING ERRCODE = 'RJ010';
  END IF;
  UPDATE journal_archives SET removed_at = clock_timestamp() WHERE shard = of_shard AND first_seq = from_seq;
  EXECUTE format('DROP TABLE %s', lowest.part);
END $$;
