-- How often somebody may try to sign in, and from where they did before.

-- What counted attempts before. Processes of the release before still write here until they are replaced, so it is
-- emptied now and dropped by a later migration.
DELETE FROM login_failures;
COMMENT ON TABLE login_failures IS 'Not used any more; kept for processes of the release before 0044.';

-- A bucket of tokens for each thing that attempts are counted for: a name, an address, all strangers together, a
-- person's device. One attempt takes one token, and tokens come back with time, by the clock of this database.
-- In PostgreSQL and not in Redis: a flush must not forgive a guesser.
CREATE TABLE sign_in_buckets (
  -- A keyed hash: whoever reads this table does not learn which names were tried.
  subject bytea PRIMARY KEY,
  tokens double precision NOT NULL CHECK (tokens >= 0),
  at timestamptz NOT NULL,
  -- Attempts in a row that failed.
  streak integer NOT NULL DEFAULT 0 CHECK (streak >= 0)
);
CREATE INDEX sign_in_buckets_at ON sign_in_buckets (at);

-- Browsers in which somebody has signed in. The token is with the browser only; here is its keyed hash.
CREATE TABLE known_devices (
  token_lookup bytea NOT NULL,
  user_id integer NOT NULL REFERENCES users,
  -- The keyed hash of the name they typed, for people of a directory who do not type their address.
  name_lookup bytea,
  last_used_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (token_lookup, user_id)
);
CREATE INDEX known_devices_user ON known_devices (user_id, last_used_at);
CREATE INDEX known_devices_used ON known_devices (last_used_at);

-- Addresses from which somebody has signed in: an IPv4 address, or the /64 of an IPv6 one.
CREATE TABLE known_addresses (
  user_id integer NOT NULL REFERENCES users,
  address text NOT NULL CHECK (length(address) <= 100),
  name_lookup bytea,
  last_success_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, address)
);
CREATE INDEX known_addresses_name ON known_addresses (name_lookup) WHERE name_lookup IS NOT NULL;
CREATE INDEX known_addresses_success ON known_addresses (last_success_at);

-- Links that are made to be opened from a mailbox. Of the key there is a keyed hash.
CREATE TABLE mailed_links (
  lookup bytea PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('device')),
  user_id integer NOT NULL REFERENCES users,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX mailed_links_expires ON mailed_links (expires_at);

-- Which entry of the directory an account belongs to, by what the directory never changes. An address may pass to
-- another person; this does not.
CREATE TABLE directory_identities (
  user_id integer PRIMARY KEY REFERENCES users,
  entry text NOT NULL UNIQUE CHECK (length(entry) BETWEEN 1 AND 1000),
  bound_at timestamptz NOT NULL DEFAULT now()
);

-- When an administrator gave the account another address than it came with. Until its owner has shown that the
-- mailbox is theirs, nobody gets the account for having that address.
ALTER TABLE users ADD COLUMN address_given_at timestamptz;
