-- When people were last here. One row each, written at most once in a while, whatever the number of their clients.
CREATE TABLE presences (
  user_id integer NOT NULL PRIMARY KEY REFERENCES users,
  -- When they last did something; null: never.
  last_active timestamptz,
  last_connected timestamptz NOT NULL,
  -- Drawn from the one row below while it is locked, so changes become visible in the order of their numbers, and
  -- whoever asks for what came after a number misses nothing.
  update_id bigint NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX presences_update ON presences (update_id);

CREATE TABLE presence_head (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  last_update_id bigint NOT NULL
) WITH (fillfactor = 10);
INSERT INTO presence_head (last_update_id) VALUES (0);

-- What people say of what they do. Only where there is something to say.
CREATE TABLE user_statuses (
  user_id integer NOT NULL PRIMARY KEY REFERENCES users,
  status_text text NOT NULL DEFAULT '' CHECK (length(status_text) <= 60),
  emoji_name text NOT NULL DEFAULT '' CHECK (length(emoji_name) <= 100),
  emoji_code text NOT NULL DEFAULT '' CHECK (length(emoji_code) <= 100),
  reaction_type text NOT NULL DEFAULT ''
    CHECK (reaction_type IN ('', 'unicode_emoji', 'realm_emoji', 'zulip_extra_emoji')),
  CHECK ((emoji_name = '') = (emoji_code = '') AND (emoji_name = '') = (reaction_type = '')),
  CHECK (status_text <> '' OR emoji_name <> '')
);

-- The few who do not show when they are here.
CREATE INDEX users_invisible ON users (id) WHERE settings -> 'presence_enabled' = 'false';
