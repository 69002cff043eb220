-- Chat keys besides the main one, which stays in its owner's row: keys of apps, and keys that people make for their own
-- programs, with terms.

CREATE TABLE chat_keys (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users,
  -- An app got it by a sign-in, or its owner made it.
  kind text NOT NULL CHECK (kind IN ('app', 'own')),
  -- The keyed hash of the key. It is shown once and never again.
  lookup bytea NOT NULL UNIQUE CHECK (length(lookup) = 32),
  label text NOT NULL CHECK (length(label) BETWEEN 1 AND 64),
  can text[] NOT NULL CHECK (can <@ '{read,write,admin}' AND cardinality(can) BETWEEN 1 AND 3),
  -- The channels that it is for; null for all of its owner's.
  channel_ids integer[] CHECK (cardinality(channel_ids) <= 100),
  -- Whether it is for direct messages too.
  direct boolean NOT NULL,
  -- The networks from where it works; null for all.
  addresses text[] CHECK (cardinality(addresses) BETWEEN 1 AND 20),
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  -- Its successor, after a rotation; until it ends, both work.
  replaced_by bigint REFERENCES chat_keys ON DELETE SET NULL,
  -- A key that stands for a second factor does not last.
  CHECK (NOT 'admin' = ANY (can)
    OR (expires_at IS NOT NULL AND expires_at <= created_at + interval '31 days'))
);
CREATE INDEX chat_keys_user ON chat_keys (user_id, id);
CREATE INDEX chat_keys_expires ON chat_keys (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX chat_keys_replaced_by ON chat_keys (replaced_by) WHERE replaced_by IS NOT NULL;
