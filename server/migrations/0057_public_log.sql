-- The public log: what the engine did to the books, as numbered and chained events without identities, for everybody to
-- download and check. It follows from the journal. Server processes may append to it and can change nothing in it.

-- How far the follower is, for each shard: the row is its lock and is written in the transaction of the events it
-- speaks of.
CREATE TABLE public_log_progress (
  shard smallint PRIMARY KEY,
  -- The last journal row whose events are in the log, and its last engine event.
  seq bigint NOT NULL DEFAULT 0,
  engine_seq bigint NOT NULL DEFAULT 0,
  -- Events of the event log up to this position have been looked at.
  log_position bigint NOT NULL DEFAULT 0,
  -- The last public event and its hash; zero while the log has not begun.
  last_event bigint NOT NULL DEFAULT 0,
  last_hash bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex') CHECK (octet_length(last_hash) = 32),
  -- The last checkpoint and its time.
  checkpoint_event bigint NOT NULL DEFAULT 0,
  checkpoint_ms bigint NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 10);
INSERT INTO public_log_progress (shard) VALUES (0);

-- Full pages: page n has the events from (n - 1) × 1000 + 1 to n × 1000, one text a line, deflated. Hashes are not
-- stored, because they follow from the texts and from the hash before the page.
CREATE TABLE public_log_pages (
  page bigint PRIMARY KEY CHECK (page > 0),
  previous_hash bytea NOT NULL CHECK (octet_length(previous_hash) = 32),
  body bytea NOT NULL
);
-- It is compressed already.
ALTER TABLE public_log_pages ALTER COLUMN body SET STORAGE EXTERNAL;

-- What is not in a full page yet: the events of one turn of the follower, one text a line.
CREATE TABLE public_log_tail (
  first_event bigint PRIMARY KEY,
  previous_hash bytea NOT NULL CHECK (octet_length(previous_hash) = 32),
  body text NOT NULL
);

-- The visible books at each event of type checkpoint, deflated.
CREATE TABLE public_log_checkpoints (
  event bigint PRIMARY KEY,
  book bytea NOT NULL
);
ALTER TABLE public_log_checkpoints ALTER COLUMN book SET STORAGE EXTERNAL;

CREATE TABLE public_log_heads (
  event bigint PRIMARY KEY,
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  time_ms bigint NOT NULL,
  key_id text NOT NULL CHECK (key_id ~ '^[0-9a-f]{16}$'),
  -- Ed25519.
  signature bytea NOT NULL CHECK (octet_length(signature) = 64)
);

-- Every key that has signed for the public. A key that is no longer used stays: what it signed is checked with it.
CREATE TABLE public_signing_keys (
  key_id text PRIMARY KEY,
  public_key text NOT NULL,
  from_ms bigint NOT NULL
);

CREATE TRIGGER public_log_pages_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON public_log_pages
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER public_log_checkpoints_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON public_log_checkpoints
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER public_log_heads_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON public_log_heads
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER public_signing_keys_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON public_signing_keys
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The engine event that made the order, for its receipt. Zero for orders of before: `rebuild-projections` fills it in.
ALTER TABLE client_orders ADD COLUMN engine_seq bigint NOT NULL DEFAULT 0;
