-- The event spine: outbox, gapless log, its head, and the descriptions of clients' event queues.

-- Written by every action just before its COMMIT. The identity has no cache, so ids are drawn in the
-- order in which transactions reach that point: an event that depends on another has the larger id.
CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- The top-level transaction, also when written after savepoints; xmin would name a subtransaction.
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  type text NOT NULL,
  payload text NOT NULL,
  audience jsonb NOT NULL,
  -- People whose rights this event changes: a queue of theirs cannot be rebuilt across it.
  rights_of integer[] NOT NULL DEFAULT '{}',
  at timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- One row. Its row lock is the fence between relays.
CREATE TABLE event_head (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  position bigint NOT NULL DEFAULT 0,
  -- Positions up to this one are no longer in the log.
  trimmed_through bigint NOT NULL DEFAULT 0,
  -- Which relay works now, to save rivals the work. Nothing rests on it.
  relay_id text NOT NULL DEFAULT '',
  relay_until timestamptz NOT NULL DEFAULT '-infinity',
  partition_size bigint NOT NULL DEFAULT 50000 CHECK (partition_size >= 10)
) WITH (fillfactor = 10);
INSERT INTO event_head DEFAULT VALUES;

CREATE TABLE event_log (
  position bigint NOT NULL,
  xid xid8 NOT NULL,
  type text NOT NULL,
  payload text NOT NULL,
  audience jsonb NOT NULL,
  rights_of integer[] NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (position)
) PARTITION BY RANGE (position);

-- Makes sure that the partitions for the positions (head, head + ahead] exist. ATTACH takes a weaker
-- lock than CREATE … PARTITION OF, so readers of the log are not stopped.
CREATE FUNCTION ensure_event_partitions(ahead bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  size bigint;
  block bigint;
  last_block bigint;
  name text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('rialto.event_partitions'));
  SELECT partition_size, position / partition_size, (position + ahead) / partition_size
    INTO size, block, last_block FROM event_head;
  WHILE block <= last_block LOOP
    name := 'event_log_' || block * size;
    IF to_regclass(name) IS NULL THEN
      EXECUTE format('CREATE TABLE %I (LIKE event_log INCLUDING ALL)', name);
      EXECUTE format('ALTER TABLE event_log ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)',
        name, block * size, (block + 1) * size);
    END IF;
    block := block + 1;
  END LOOP;
END $$;
SELECT ensure_event_partitions(50000);

-- Moves at most batch_max committed events from the outbox to the log, giving them the next gapless
-- positions, and returns them. One call is one transaction and one round trip: a relay that is paused
-- between calls holds no lock. Statements of this function each see a fresh snapshot, so the outbox is
-- read only after the head is locked.
CREATE FUNCTION relay_events(relay text, batch_max integer, lease interval)
RETURNS SETOF event_log LANGUAGE plpgsql AS $$
DECLARE
  head event_head;
  moved bigint;
BEGIN
  SELECT * INTO head FROM event_head FOR UPDATE;
  IF head.relay_id <> relay AND head.relay_until > clock_timestamp() THEN
    RETURN;
  END IF;
  RETURN QUERY
    WITH taken AS (
      DELETE FROM outbox
       WHERE outbox.id = ANY (ARRAY(SELECT o.id FROM outbox o ORDER BY o.id LIMIT batch_max))
      RETURNING *
    ), numbered AS (
      INSERT INTO event_log (position, xid, type, payload, audience, rights_of, at)
      SELECT head.position + row_number() OVER (ORDER BY taken.id),
             taken.xid, taken.type, taken.payload, taken.audience, taken.rights_of, taken.at
        FROM taken
      RETURNING event_log.*
    )
    SELECT * FROM numbered n ORDER BY n.position;
  GET DIAGNOSTICS moved = ROW_COUNT;
  IF moved > 0 OR head.relay_id <> relay OR head.relay_until < clock_timestamp() + lease / 2 THEN
    UPDATE event_head
       SET position = head.position + moved, relay_id = relay, relay_until = clock_timestamp() + lease;
  END IF;
END $$;

-- What a client's event queue is, never what is in it: the contents are the event log.
CREATE TABLE event_queues (
  id uuid PRIMARY KEY,
  user_id integer NOT NULL,
  -- Head of the log, and the transactions that were visible, when the initial state was read.
  start_position bigint NOT NULL,
  snapshot text NOT NULL,
  -- Null: every type that the products send to clients who did not choose.
  event_types text[],
  filter jsonb NOT NULL DEFAULT '{}',
  idle_seconds integer NOT NULL,
  last_seen timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX event_queues_user ON event_queues (user_id);

-- Which processes are alive, by the database's clock: counted for the local share of a limit, and
-- shown by `rialto doctor`.
CREATE TABLE processes (
  id text PRIMARY KEY,
  roles text[] NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now()
);
