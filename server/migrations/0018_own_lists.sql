-- Whom people do not want to read.
CREATE TABLE muted_users (
  user_id integer NOT NULL REFERENCES users,
  muted_id integer NOT NULL REFERENCES users,
  muted_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, muted_id),
  CHECK (user_id <> muted_id)
);
-- With every message: who has muted its sender.
CREATE INDEX muted_users_muted ON muted_users (muted_id);

-- Words that people want to be told of, whoever writes them.
CREATE TABLE alert_words (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users,
  word text NOT NULL CHECK (length(word) BETWEEN 1 AND 100),
  -- The first run of letters and digits in it, in small letters; empty when it has none. A text is looked up by the
  -- runs in it, so that words of which it has not even the first cost nothing.
  first_token text NOT NULL
);
CREATE UNIQUE INDEX alert_words_own ON alert_words (user_id, lower(word));
CREATE INDEX alert_words_token ON alert_words (first_token);

-- Texts to be sent again and again.
CREATE TABLE saved_snippets (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users,
  title text NOT NULL CHECK (length(title) BETWEEN 1 AND 60),
  content text NOT NULL CHECK (length(content) BETWEEN 1 AND 10000),
  created_at timestamptz NOT NULL
);
CREATE INDEX saved_snippets_user ON saved_snippets (user_id, id);

-- Which views people want at hand, in the order in which they chose them.
CREATE TABLE navigation_views (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users,
  fragment text NOT NULL CHECK (length(fragment) BETWEEN 1 AND 500),
  is_pinned boolean NOT NULL,
  -- Null: shown under its fragment, or by the name that clients have for it.
  name text CHECK (length(name) BETWEEN 1 AND 100),
  UNIQUE (user_id, fragment),
  UNIQUE (user_id, name)
);
