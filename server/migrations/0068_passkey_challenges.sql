-- Challenges that the passkeys of people who are signed in have to sign. Those of a sign-in are in its own row.
CREATE TABLE passkey_challenges (
  challenge bytea PRIMARY KEY CHECK (length(challenge) = 32),
  user_id integer NOT NULL REFERENCES users,
  purpose text NOT NULL CHECK (purpose IN ('register', 'assert')),
  -- SHA-256 of the act that the assertion is for; null if it is for no single act.
  bound_to bytea CHECK (length(bound_to) = 32),
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX passkey_challenges_user ON passkey_challenges (user_id, created_at);
CREATE INDEX passkey_challenges_expires ON passkey_challenges (expires_at);
