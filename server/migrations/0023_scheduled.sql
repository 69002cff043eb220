-- Messages to be sent later. What is still to be done has a time of its next try; a message that was sent keeps its
-- row for a while, so that whoever changes it too late learns that it was sent.
CREATE TABLE scheduled_messages (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users,
  -- One of the two: a channel with a topic, or people without the owner, unless the owner is alone.
  channel_id integer REFERENCES channels,
  people integer[],
  topic text NOT NULL DEFAULT '',
  content text NOT NULL CHECK (content <> ''),
  rendered text NOT NULL,
  -- As which program it is sent, and whether that makes it read by its owner.
  client text NOT NULL,
  read_by_sender boolean NOT NULL,
  deliver_at timestamptz NOT NULL,
  -- Null when there is nothing to try: it was sent, or it failed and waits for its owner.
  next_try_at timestamptz CHECK (next_try_at >= deliver_at),
  attempts integer NOT NULL DEFAULT 0,
  sent_at timestamptz,
  message_id bigint,
  failure text,
  CHECK ((channel_id IS NULL) <> (people IS NULL)),
  CHECK ((sent_at IS NULL) = (message_id IS NULL)),
  -- To be sent, sent, or failed: exactly one of the three.
  CHECK ((next_try_at IS NOT NULL)::int + (sent_at IS NOT NULL)::int + (failure IS NOT NULL)::int = 1)
);
CREATE INDEX scheduled_messages_due ON scheduled_messages (next_try_at) WHERE next_try_at IS NOT NULL;
CREATE INDEX scheduled_messages_own ON scheduled_messages (user_id, deliver_at, id) WHERE sent_at IS NULL;
CREATE INDEX scheduled_messages_sent ON scheduled_messages (sent_at) WHERE sent_at IS NOT NULL;

-- Messages of which people want to be reminded. A reminder that was given is gone.
CREATE TABLE reminders (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users,
  message_id bigint NOT NULL,
  note text NOT NULL CHECK (length(note) <= 1000),
  content text NOT NULL,
  rendered text NOT NULL,
  deliver_at timestamptz NOT NULL,
  -- Null: given up, because its owner is no longer there.
  next_try_at timestamptz CHECK (next_try_at >= deliver_at),
  attempts integer NOT NULL DEFAULT 0
);
CREATE INDEX reminders_due ON reminders (next_try_at) WHERE next_try_at IS NOT NULL;
CREATE INDEX reminders_own ON reminders (user_id, deliver_at, id);
