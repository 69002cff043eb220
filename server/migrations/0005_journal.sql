-- The journal of the matching engine: everything that was ever asked of it and accepted, in order. The
-- state of the venue is this table replayed; snapshots are short cuts.
CREATE TABLE trading_journal (
  shard smallint NOT NULL,
  -- Gapless. Two engines cannot both write seq n: the primary key is the fence between them.
  seq bigint NOT NULL,
  -- Grows by one whenever an engine takes over, which it does by writing the next row.
  epoch bigint NOT NULL,
  -- One line a command: its time in milliseconds, a space, its JSON.
  commands text NOT NULL,
  command_count integer NOT NULL,
  -- SHA-256 over the digest of the row before and everything that the commands caused.
  digest bytea NOT NULL,
  -- The last engine event of the batch.
  engine_seq bigint NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (shard, seq)
);
-- A batch is one large text that is written once: compressing it fast saves flushing it.
ALTER TABLE trading_journal ALTER COLUMN commands SET COMPRESSION lz4;
ALTER TABLE outbox ALTER COLUMN payload SET COMPRESSION lz4;
ALTER TABLE event_log ALTER COLUMN payload SET COMPRESSION lz4;
DO $$
DECLARE part regclass;
BEGIN
  FOR part IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'event_log'::regclass LOOP
    EXECUTE format('ALTER TABLE %s ALTER COLUMN payload SET COMPRESSION lz4', part);
  END LOOP;
END $$;

-- The second fence, should a writer ever be wrong about the first: a row follows the one before it, and
-- no row of an old epoch follows one of a new epoch.
CREATE FUNCTION check_journal_order() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  before bigint;
BEGIN
  IF new.seq = 1 THEN
    RETURN new;
  END IF;
  SELECT epoch INTO before FROM trading_journal WHERE shard = new.shard AND seq = new.seq - 1;
  IF before IS NULL OR before > new.epoch THEN
    RAISE EXCEPTION 'journal row % of epoch % cannot follow epoch %', new.seq, new.epoch, before
      USING ERRCODE = 'RJ001';
  END IF;
  RETURN new;
END $$;
CREATE TRIGGER journal_order BEFORE INSERT ON trading_journal
  FOR EACH ROW EXECUTE FUNCTION check_journal_order();

-- What was written stays as it was written.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of % are never changed or deleted', tg_table_name USING ERRCODE = 'RJ002';
END $$;
CREATE TRIGGER journal_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON trading_journal
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE trading_snapshots (
  shard smallint NOT NULL,
  -- The journal row after which it was taken.
  seq bigint NOT NULL,
  -- The digest of that row, with which a replay goes on.
  digest bytea NOT NULL,
  hash bytea NOT NULL,
  byte_count bigint NOT NULL,
  part_count integer NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (shard, seq)
);
CREATE TABLE trading_snapshot_parts (
  shard smallint NOT NULL,
  seq bigint NOT NULL,
  part integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (shard, seq, part),
  FOREIGN KEY (shard, seq) REFERENCES trading_snapshots ON DELETE CASCADE
);
ALTER TABLE trading_snapshot_parts ALTER COLUMN bytes SET COMPRESSION lz4;

-- Which engine works, and when it was last heard of by the database's clock. Only a hint about when to
-- take over; what makes a takeover safe is the journal's key.
CREATE TABLE trading_leases (
  shard smallint PRIMARY KEY,
  epoch bigint NOT NULL,
  holder text NOT NULL,
  beat_at timestamptz NOT NULL
) WITH (fillfactor = 10);

-- Commands from outside the api: operators, other processes, actions that must reach the engine if and
-- only if their transaction commits. The engine takes what waits, in order, and marks each row done in
-- the commit of the journal row that holds its command.
CREATE TABLE operator_commands (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  shard smallint NOT NULL DEFAULT 0,
  -- The command's JSON, without a time.
  command text NOT NULL,
  requested_by text NOT NULL,
  status text NOT NULL DEFAULT 'waiting'
    CHECK (status IN ('awaiting_approval', 'waiting', 'done', 'refused', 'withdrawn')),
  -- What the core answered.
  result jsonb,
  journal_seq bigint,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  done_at timestamptz
);
CREATE INDEX operator_commands_waiting ON operator_commands (shard, id) WHERE status = 'waiting';

-- The fee tier that every account starts in; later tiers are operators' commands.
INSERT INTO operator_commands (command, requested_by)
SELECT json_build_object('type', 'define_fee_tier', 'tier', tier, 'makerPpm', maker_millionths,
                         'takerPpm', taker_millionths)::text, 'migration'
  FROM fee_tiers;

-- An account exists for the engine as soon as it exists at all, whoever made its row. Its family is that
-- of its parent.
CREATE FUNCTION open_trading_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO operator_commands (command, requested_by)
  VALUES (json_build_object('type', 'open_account', 'account', new.id,
                            'parent', coalesce(new.parent_account_id, new.id))::text, 'account');
  RETURN new;
END $$;
CREATE TRIGGER trading_account_opened AFTER INSERT ON trading_accounts
  FOR EACH ROW EXECUTE FUNCTION open_trading_account();
INSERT INTO operator_commands (command, requested_by)
SELECT json_build_object('type', 'open_account', 'account', id,
                         'parent', coalesce(parent_account_id, id))::text, 'migration'
  FROM trading_accounts ORDER BY id;
