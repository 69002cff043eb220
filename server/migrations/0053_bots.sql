-- One more flag on a message, beside those of 0014: 64, a bot was called to it from outside the channel and may read it.
-- Rows that are there already are below the old bound, so nothing is checked again.
ALTER TABLE message_flags DROP CONSTRAINT message_flags_flags_check;
ALTER TABLE message_flags
  ADD CONSTRAINT message_flags_flags_check CHECK (flags > 0 AND flags < 128) NOT VALID;
CREATE INDEX message_flags_called ON message_flags (user_id, message_id) WHERE flags & 64 <> 0;

-- Where an outgoing-webhook bot is called: 1 the own form, 2 that of Slack. The token says to the program there that it
-- is this server which calls; it opens nothing here.
CREATE TABLE bot_services (
  user_id integer PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  base_url text NOT NULL CHECK (octet_length(base_url) <= 2048),
  interface smallint NOT NULL CHECK (interface IN (1, 2)),
  token text NOT NULL,
  -- When its owner was last told that it cannot be reached.
  told_at timestamptz
);

-- Calls that wait, or are under way: `running_until` is when whoever makes one is taken for dead.
CREATE TABLE bot_calls (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  bot_id integer NOT NULL REFERENCES bot_services ON DELETE CASCADE,
  message_id bigint NOT NULL REFERENCES messages ON DELETE CASCADE,
  trigger text NOT NULL CHECK (trigger IN ('mention', 'direct_message')),
  attempts integer NOT NULL DEFAULT 0,
  next_try_at timestamptz NOT NULL DEFAULT now(),
  running_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (bot_id, message_id)
);
CREATE INDEX bot_calls_due ON bot_calls (next_try_at);
CREATE INDEX bot_calls_message ON bot_calls (message_id);
