-- Changes of email addresses, and the recovery of accounts whose owner has lost everything.

ALTER TABLE mailed_links
  DROP CONSTRAINT mailed_links_purpose_check,
  ADD CONSTRAINT mailed_links_purpose_check CHECK (purpose IN
    ('device', 'password', 'address_new', 'address_old', 'register', 'recovery', 'recovery_cancel')),
  -- Whoever registers has no account yet: the link belongs to its address.
  ALTER COLUMN user_id DROP NOT NULL,
  ADD CONSTRAINT mailed_links_owner CHECK (user_id IS NOT NULL OR (purpose = 'register' AND email IS NOT NULL));
CREATE INDEX mailed_links_registered ON mailed_links (expires_at) WHERE purpose = 'register';

-- Somebody gets another address when the mailboxes have agreed.
CREATE TABLE address_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users,
  old_email text NOT NULL CHECK (length(old_email) <= 254),
  new_email text NOT NULL CHECK (length(new_email) <= 254),
  -- The person: both mailboxes confirm. An administrator: the new one confirms, and the old one may cancel for a while.
  by_id integer NOT NULL REFERENCES users,
  asked_at timestamptz NOT NULL DEFAULT now(),
  old_confirmed_at timestamptz,
  new_confirmed_at timestamptz,
  -- It takes effect no earlier.
  not_before timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  outcome text CHECK (outcome IN ('done', 'canceled', 'taken', 'replaced', 'expired')),
  CHECK ((ended_at IS NULL) = (outcome IS NULL))
);
CREATE UNIQUE INDEX address_changes_open ON address_changes (user_id) WHERE ended_at IS NULL;
CREATE INDEX address_changes_ended ON address_changes (ended_at);

-- After a recovery a person must add a factor before anything else, whatever the organization asks of others.
ALTER TABLE users ADD COLUMN factor_owed boolean NOT NULL DEFAULT false;

-- Two operators let a person in who has lost the password and every factor. Time and emails protect its owner.
CREATE TABLE recoveries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users,
  state text NOT NULL DEFAULT 'asked'
    CHECK (state IN ('asked', 'waiting', 'usable', 'used', 'canceled', 'expired')),
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
  asked_by_id integer NOT NULL REFERENCES users CHECK (asked_by_id <> user_id),
  asked_at timestamptz NOT NULL DEFAULT now(),
  approved_by_id integer REFERENCES users CHECK (approved_by_id <> asked_by_id AND approved_by_id <> user_id),
  approved_at timestamptz,
  -- When the waiting ends.
  usable_at timestamptz,
  -- When it ends by itself: not approved in time, or its link was not used.
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  CHECK ((approved_by_id IS NULL) = (approved_at IS NULL)),
  CHECK ((ended_at IS NULL) = (state IN ('asked', 'waiting', 'usable'))),
  CHECK (state NOT IN ('waiting', 'usable', 'used') OR (approved_at IS NOT NULL AND usable_at IS NOT NULL))
);
CREATE UNIQUE INDEX recoveries_open ON recoveries (user_id) WHERE ended_at IS NULL;
