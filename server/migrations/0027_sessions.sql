-- Browsers that are signed in. The token itself is with the browser only; here is its keyed hash.
CREATE TABLE sessions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users,
  token_lookup bytea NOT NULL UNIQUE,
  created_at timestamptz NOT NULL,
  -- To the minute: a write for every request would cost more than it tells.
  last_seen_at timestamptz NOT NULL,
  -- Kept until upkeep removes it, so that whoever was deactivated is told so rather than asked to sign in.
  ended_at timestamptz,
  -- For the owner to recognise it by.
  address text NOT NULL CHECK (length(address) <= 100),
  agent text NOT NULL CHECK (length(agent) <= 200)
);
CREATE INDEX sessions_user ON sessions (user_id, id) WHERE ended_at IS NULL;
CREATE INDEX sessions_seen ON sessions (last_seen_at);
