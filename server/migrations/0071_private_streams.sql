-- Pushes of private streams are numbered for each account. How many a row of the journal makes is a pure function of
-- the row, so the projector counts them, and a rebuild counts the same. Rows up to this one are not counted: an
-- earlier release projected them.
ALTER TABLE projection_checkpoints ADD COLUMN streams_after bigint NOT NULL DEFAULT 0;
UPDATE projection_checkpoints SET streams_after = seq;

CREATE TABLE trading_stream_counts (
  account_id bigint PRIMARY KEY,
  seq bigint NOT NULL
) WITH (fillfactor = 50);

-- Where in the event log the newest pushes of an account are, so that a client can resume: one row for each turn of
-- the projector that counted some. Upkeep removes old ones.
CREATE TABLE trading_stream_pages (
  account_id bigint NOT NULL,
  first_seq bigint NOT NULL,
  last_seq bigint NOT NULL,
  positions bigint[] NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, last_seq)
);
CREATE INDEX trading_stream_pages_at ON trading_stream_pages (at);

-- Opens one stream of a browser's session. A row is deleted by its use.
CREATE TABLE stream_tickets (
  lookup bytea PRIMARY KEY,
  session_id bigint NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX stream_tickets_expires_at ON stream_tickets (expires_at);

-- A connection that asked to have its orders canceled when it drops. The process that serves it moves `due_at` ahead
-- while it lives; when that time has passed, any api process cancels the orders.
CREATE TABLE stream_guards (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id bigint NOT NULL,
  key_id text NOT NULL,
  grace_ms integer NOT NULL,
  -- Until then a process answers for the connection; afterwards the same key may take the guard over.
  leased_until timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  -- The orders were canceled; it is done once more, for those that were still on their way.
  is_swept boolean NOT NULL DEFAULT false
);
CREATE INDEX stream_guards_due_at ON stream_guards (due_at);
CREATE INDEX stream_guards_key_id ON stream_guards (key_id);

CREATE TABLE stream_guard_orders (
  guard_id bigint NOT NULL REFERENCES stream_guards ON DELETE CASCADE,
  client_order_id text NOT NULL,
  PRIMARY KEY (guard_id, client_order_id)
);
