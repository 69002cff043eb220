-- Conversations, channels with everything that can be set on them, who is subscribed and since when, and
-- what people have set for channels and topics of their own.

-- Where messages are sent to: a channel, or a set of people who write to each other directly. A channel
-- has exactly one.
CREATE TABLE conversations (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('channel', 'direct')),
  -- Everybody in a direct conversation, the sender too, ascending, each once. The bound keeps the unique
  -- index within what an index entry can hold.
  people integer[] CHECK (cardinality(people) BETWEEN 1 AND 500),
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((kind = 'direct') = (people IS NOT NULL)),
  UNIQUE (id, kind)
);
CREATE UNIQUE INDEX conversations_people ON conversations (people) WHERE kind = 'direct';
CREATE INDEX conversations_person ON conversations USING gin (people) WHERE kind = 'direct';

-- The last number given to a message of each conversation. A table of its own, because its rows are locked
-- by everybody who writes there: a sender FOR UPDATE, whoever joins or leaves FOR SHARE. Whoever needs
-- several locks them first, in the order of their ids.
CREATE TABLE conversation_counters (
  conversation_id integer PRIMARY KEY REFERENCES conversations,
  seq bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- Opens a conversation together with its counter.
CREATE FUNCTION open_conversation(kind text, people integer[] DEFAULT NULL) RETURNS integer
LANGUAGE sql VOLATILE AS $$
  WITH opened AS (
    INSERT INTO conversations (kind, people) VALUES (kind, people) RETURNING id
  ), counted AS (
    INSERT INTO conversation_counters (conversation_id) SELECT id FROM opened
  )
  SELECT id FROM opened
$$;

CREATE TABLE channel_folders (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  description text NOT NULL DEFAULT '' CHECK (length(description) <= 1024),
  -- Where it stands among the others; a new one stands last, because ids grow.
  "order" integer NOT NULL,
  creator_id integer REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT now(),
  is_archived boolean NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX channel_folders_name ON channel_folders (lower(name)) WHERE NOT is_archived;

-- Who may do what in a channel is in permission_settings.
ALTER TABLE channels
  ADD COLUMN conversation_id integer NOT NULL UNIQUE DEFAULT open_conversation('channel'),
  ADD COLUMN conversation_kind text NOT NULL DEFAULT 'channel' CHECK (conversation_kind = 'channel'),
  ADD COLUMN is_web_public boolean NOT NULL DEFAULT false,
  ADD COLUMN folder_id integer REFERENCES channel_folders,
  ADD COLUMN topics_policy text NOT NULL DEFAULT 'inherit'
    CHECK (topics_policy IN ('inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only')),
  -- Null: what the organization has set; -1: for ever.
  ADD COLUMN message_retention_days integer CHECK (message_retention_days = -1 OR message_retention_days > 0),
  ADD COLUMN default_push_notifications boolean NOT NULL DEFAULT false,
  ADD COLUMN first_message_id bigint,
  ADD COLUMN is_recently_active boolean NOT NULL DEFAULT true,
  -- The secret part of the address under which the channel takes mail.
  ADD COLUMN email_token text NOT NULL DEFAULT replace(gen_random_uuid()::text, '-', ''),
  ADD FOREIGN KEY (conversation_id, conversation_kind) REFERENCES conversations (id, kind),
  ADD CHECK (NOT (is_web_public AND invite_only));
CREATE INDEX channels_folder ON channels (folder_id) WHERE folder_id IS NOT NULL;

-- The row stays when its person leaves, and keeps colour, mute and pin for a return.
ALTER TABLE subscriptions
  ADD COLUMN is_active boolean NOT NULL DEFAULT true,
  -- Which messages arrived while subscribed, by their number in the conversation; open at the end as long
  -- as the subscription is active.
  ADD COLUMN received int8multirange NOT NULL DEFAULT '{[1,)}',
  -- Null: what the person has set in general.
  ADD COLUMN desktop_notifications boolean,
  ADD COLUMN audible_notifications boolean,
  ADD COLUMN push_notifications boolean,
  ADD COLUMN email_notifications boolean,
  ADD COLUMN wildcard_mentions_notify boolean,
  ADD CHECK (is_active = coalesce(upper_inf(received), false));
DROP INDEX subscriptions_channel;
CREATE INDEX subscriptions_channel ON subscriptions (channel_id, user_id) WHERE is_active;

-- What a new member is subscribed to.
CREATE TABLE default_channels (
  channel_id integer PRIMARY KEY REFERENCES channels
);

-- What somebody has set for a topic: 1 muted, 2 unmuted, 3 followed. No row: as the channel is.
CREATE TABLE user_topics (
  user_id integer NOT NULL REFERENCES users,
  channel_id integer NOT NULL REFERENCES channels,
  topic text NOT NULL CHECK (length(topic) <= 60),
  visibility_policy smallint NOT NULL CHECK (visibility_policy BETWEEN 1 AND 3),
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX user_topics_topic ON user_topics (user_id, channel_id, lower(topic));
CREATE INDEX user_topics_channel ON user_topics (channel_id, lower(topic));

-- Whoever made a channel administers it.
INSERT INTO permission_settings (kind, object_id, setting, members, subgroups)
SELECT 'channel', id, 'can_administer_channel_group', ARRAY[creator_id], '{}'
  FROM channels WHERE creator_id IS NOT NULL;
