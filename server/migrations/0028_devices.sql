-- Tokens of mobile apps that do not encrypt what they are sent. They are as long as their makers like, so they are
-- found by a hash.
CREATE TABLE push_tokens (
  user_id integer NOT NULL REFERENCES users,
  kind text NOT NULL CHECK (kind IN ('apns', 'fcm')),
  digest bytea NOT NULL,
  token text NOT NULL CHECK (length(token) BETWEEN 1 AND 4096),
  app_id text CHECK (length(app_id) <= 255),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, kind, digest)
);

-- Devices that get notifications encrypted for them. They come in two shapes: older apps name an account of theirs
-- (push_account_id) and the relay answers with its own number; newer ones are given a device id here and name a token.
CREATE TABLE devices (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users,
  push_account_id bigint,
  relay_device_id bigint,
  push_key_id bigint,
  push_token_id text CHECK (length(push_token_id) <= 100),
  pending_push_token_id text CHECK (length(pending_push_token_id) <= 100),
  token_kind text CHECK (token_kind IN ('apns', 'fcm')),
  token_updated_at timestamptz,
  push_key_sealed bytea,
  error_code text CHECK (length(error_code) <= 100),
  -- Which registration is the last: the outcome of an earlier one no longer matters.
  registration integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  is_reachable boolean NOT NULL
    GENERATED ALWAYS AS (relay_device_id IS NOT NULL OR push_token_id IS NOT NULL) STORED,
  UNIQUE (user_id, push_account_id)
);
CREATE INDEX devices_reachable ON devices (user_id) WHERE is_reachable;

-- Browsers that get notifications by the Web Push protocol. An address is as long as its maker likes.
CREATE TABLE web_push_subscriptions (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users,
  digest bytea NOT NULL,
  endpoint text NOT NULL CHECK (length(endpoint) <= 2000),
  -- The browser's public key and the secret that it shares with us, to encrypt for it.
  keys_sealed bytea NOT NULL,
  created_at timestamptz NOT NULL,
  UNIQUE (user_id, digest)
);

-- Who was notified of what, until it is read: then the notification is taken back.
CREATE TABLE push_notified (
  user_id integer NOT NULL REFERENCES users,
  message_id bigint NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (user_id, message_id)
);
CREATE INDEX push_notified_message ON push_notified (message_id);
CREATE INDEX push_notified_at ON push_notified (at);

-- How far the event log was searched for what is worth a notification.
CREATE TABLE push_cursor (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  position bigint NOT NULL
);
INSERT INTO push_cursor (position) SELECT position FROM event_head;
