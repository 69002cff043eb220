-- Messages: one row each, whoever may read them. What people have read is bits, what they have set on single
-- messages is sparse.

-- Ids are drawn while the counter of the message's conversation is locked, and never in advance, so that
-- within a conversation they become visible in their order.
CREATE SEQUENCE message_ids AS bigint;

CREATE TABLE messages (
  id bigint NOT NULL PRIMARY KEY,
  -- Where it stands now.
  conversation_id integer NOT NULL REFERENCES conversations,
  -- Where it was sent to, and its number there. Neither ever changes: read state is kept by them, so a move
  -- touches no reader.
  home_id integer NOT NULL REFERENCES conversations,
  seq bigint NOT NULL CHECK (seq > 0),
  -- The number, in the count of where it stands now, at which it came to stand there: its own at home, one
  -- drawn for the move elsewhere. Who was subscribed at that number was there when it came.
  place_seq bigint NOT NULL CHECK (place_seq > 0),
  sender_id integer NOT NULL REFERENCES users,
  -- Empty in direct conversations.
  topic text NOT NULL DEFAULT '' CHECK (length(topic) <= 60),
  topic_links jsonb NOT NULL DEFAULT '[]',
  content text NOT NULL,
  rendered text NOT NULL,
  client text NOT NULL CHECK (length(client) <= 100),
  sent_at timestamptz NOT NULL,
  edited_at timestamptz,
  moved_at timestamptz,
  -- Mentions everybody in the channel. One bit here instead of a row for each of them.
  mentions_everyone boolean NOT NULL DEFAULT false,
  has_link boolean NOT NULL DEFAULT false,
  has_image boolean NOT NULL DEFAULT false,
  has_attachment boolean NOT NULL DEFAULT false,
  content_words tsvector NOT NULL
) PARTITION BY RANGE (id);

-- Ten million ids a partition.
CREATE FUNCTION ensure_message_partitions(ahead bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  size constant bigint := 10000000;
  block bigint;
  last_block bigint;
  name text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('rialto.message_partitions'));
  SELECT last_value / size, (last_value + ahead) / size INTO block, last_block FROM message_ids;
  WHILE block <= last_block LOOP
    name := 'messages_from_' || block * size;
    IF to_regclass(name) IS NULL THEN
      EXECUTE format('CREATE TABLE %I PARTITION OF messages FOR VALUES FROM (%s) TO (%s)',
        name, block * size, (block + 1) * size);
    END IF;
    block := block + 1;
  END LOOP;
END $$;
SELECT ensure_message_partitions(10000000);

CREATE INDEX messages_conversation ON messages (conversation_id, id);
CREATE INDEX messages_topic ON messages (conversation_id, lower(topic), id);
CREATE INDEX messages_home ON messages (home_id, seq) INCLUDE (id);
CREATE INDEX messages_sender ON messages (sender_id, id);
-- What has left its home, and what has come from elsewhere.
CREATE INDEX messages_moved_away ON messages (home_id, seq) WHERE conversation_id <> home_id;
CREATE INDEX messages_moved_in ON messages (conversation_id, home_id, seq) WHERE conversation_id <> home_id;
CREATE INDEX messages_to_everyone ON messages (conversation_id, id) WHERE mentions_everyone;

-- The newest message that was sent to each conversation, whatever has become of it since.
ALTER TABLE conversation_counters
  ADD COLUMN last_id bigint NOT NULL DEFAULT 0,
  ADD COLUMN last_seq bigint NOT NULL DEFAULT 0;

-- What was changed by each edit: the state before it, and for moves where to.
CREATE TABLE message_edits (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  message_id bigint NOT NULL REFERENCES messages ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users,
  at timestamptz NOT NULL,
  prev_content text,
  prev_rendered text,
  prev_topic text,
  topic text,
  prev_channel_id integer REFERENCES channels,
  channel_id integer REFERENCES channels,
  CHECK ((prev_content IS NULL) = (prev_rendered IS NULL)),
  CHECK ((prev_topic IS NULL) = (topic IS NULL)),
  CHECK ((prev_channel_id IS NULL) = (channel_id IS NULL))
);
CREATE INDEX message_edits_message ON message_edits (message_id, id);

CREATE TABLE reactions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  message_id bigint NOT NULL REFERENCES messages ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users,
  reaction_type text NOT NULL
    CHECK (reaction_type IN ('unicode_emoji', 'realm_emoji', 'zulip_extra_emoji')),
  emoji_code text NOT NULL CHECK (length(emoji_code) <= 100),
  emoji_name text NOT NULL CHECK (length(emoji_name) <= 100),
  UNIQUE (message_id, user_id, reaction_type, emoji_code)
);

-- Widgets (polls, to-do lists) are messages about a message.
CREATE TABLE submessages (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  message_id bigint NOT NULL REFERENCES messages ON DELETE CASCADE,
  sender_id integer NOT NULL REFERENCES users,
  msg_type text NOT NULL CHECK (length(msg_type) <= 100),
  content text NOT NULL
);
CREATE INDEX submessages_message ON submessages (message_id, id);

-- Flags that somebody has on a message, other than read: 1 starred, 2 collapsed, 4 mentioned, 8 topic
-- wildcard, 16 alert word, 32 named personally. Only where one is set.
CREATE TABLE message_flags (
  user_id integer NOT NULL REFERENCES users,
  message_id bigint NOT NULL REFERENCES messages ON DELETE CASCADE,
  flags smallint NOT NULL CHECK (flags > 0 AND flags < 64),
  PRIMARY KEY (user_id, message_id)
);
CREATE INDEX message_flags_message ON message_flags (message_id);
CREATE INDEX message_flags_starred ON message_flags (user_id, message_id) WHERE flags & 1 <> 0;

-- What somebody has read of what was sent to a conversation, by the numbers there.
--   read(seq) = there is a block row ? its bit : seq <= read_through
-- Whoever changes it locks this row first.
CREATE TABLE read_marks (
  user_id integer NOT NULL REFERENCES users,
  home_id integer NOT NULL REFERENCES conversations,
  read_through bigint NOT NULL DEFAULT 0 CHECK (read_through >= 0),
  PRIMARY KEY (user_id, home_id)
) WITH (fillfactor = 70);
CREATE INDEX read_marks_home ON read_marks (home_id, read_through);

CREATE TABLE read_blocks (
  user_id integer NOT NULL,
  home_id integer NOT NULL,
  -- Numbers block * 8192 and on.
  block integer NOT NULL CHECK (block >= 0),
  bits bytea NOT NULL CHECK (length(bits) = 1024),
  PRIMARY KEY (user_id, home_id, block),
  FOREIGN KEY (user_id, home_id) REFERENCES read_marks
);
CREATE INDEX read_blocks_home ON read_blocks (home_id, block);
ALTER TABLE read_blocks ALTER COLUMN bits SET STORAGE PLAIN;

-- Which message a client's own number for it became, so that a repeated send is answered and not repeated.
CREATE TABLE local_echoes (
  sender_id integer NOT NULL REFERENCES users,
  queue_id text NOT NULL CHECK (length(queue_id) <= 100),
  local_id text NOT NULL CHECK (length(local_id) <= 100),
  message_id bigint,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (sender_id, queue_id, local_id)
);
CREATE INDEX local_echoes_at ON local_echoes (at);

-- The organization's own emoji. A deactivated one keeps its name for the reactions that use it.
CREATE TABLE custom_emoji (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL CHECK (name ~ '^[a-z0-9_-]{1,100}$'),
  author_id integer REFERENCES users,
  source_url text NOT NULL,
  is_deactivated boolean NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX custom_emoji_name ON custom_emoji (name) WHERE NOT is_deactivated;
