-- The messages that people sent under a UUID of their own, so that the same request later is answered and not sent
-- again. `request` is a hash of what was sent; `path` completes the answer after the message has moved or is gone.
CREATE TABLE sent_once (
  sender_id integer NOT NULL REFERENCES users,
  local_id uuid NOT NULL,
  request bytea NOT NULL CHECK (length(request) = 32),
  message_id bigint,
  path text,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (sender_id, local_id),
  CHECK ((message_id IS NULL) = (path IS NULL))
);
CREATE INDEX sent_once_at ON sent_once (at);
