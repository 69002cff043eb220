-- What a session was opened with, and the second factors that people have.

ALTER TABLE sessions
  -- A browser, or the command line of an operator.
  ADD COLUMN kind text NOT NULL DEFAULT 'browser' CHECK (kind IN ('browser', 'cli')),
  -- How its owner proved who they are. Sessions of before were opened with a password.
  ADD COLUMN methods text[] NOT NULL DEFAULT '{password}'
    CHECK (methods <@ '{password,totp,passkey,recovery,oidc}' AND cardinality(methods) BETWEEN 1 AND 5),
  -- When a second factor was last shown in this session, or the only factor of an account without one.
  ADD COLUMN factor_at timestamptz,
  -- Wrong answers in a row when a factor was asked for again.
  ADD COLUMN factor_failures integer NOT NULL DEFAULT 0 CHECK (factor_failures >= 0),
  -- The known device that it was opened in.
  ADD COLUMN device_lookup bytea,
  -- The provider that vouched for its owner, that provider's name for the session, and its sealed token.
  ADD COLUMN oidc_provider text CHECK (length(oidc_provider) <= 64),
  ADD COLUMN oidc_sid text CHECK (length(oidc_sid) <= 255),
  ADD COLUMN id_token_sealed bytea CHECK (length(id_token_sealed) <= 16384),
  ADD COLUMN end_reason text CHECK (length(end_reason) <= 100);
CREATE INDEX sessions_oidc ON sessions (oidc_provider, oidc_sid) WHERE oidc_sid IS NOT NULL AND ended_at IS NULL;

ALTER TABLE users
  -- What passkeys know a person by. It says nothing about them.
  ADD COLUMN webauthn_handle bytea UNIQUE CHECK (length(webauthn_handle) = 32),
  -- A phrase that heads every email to this person, so that they can tell ours from a forged one.
  ADD COLUMN phrase_sealed bytea,
  -- When this person must have a second factor; null if the organization does not ask for one.
  ADD COLUMN factor_due_at timestamptz;

-- A sign-in under way: what the browser has proved, and what is still asked. The browser has 256 random bits in a cookie;
-- here is their keyed hash.
CREATE TABLE sign_ins (
  lookup bytea PRIMARY KEY,
  -- Known once a first proof was given.
  user_id integer REFERENCES users,
  stage text NOT NULL CHECK (stage IN ('started', 'factor', 'enrol', 'done')),
  methods text[] NOT NULL DEFAULT '{}' CHECK (cardinality(methods) <= 5),
  tries integer NOT NULL DEFAULT 0 CHECK (tries >= 0),
  -- The challenge that a passkey has to sign, good once.
  challenge bytea,
  challenge_at timestamptz,
  -- For a provider: its id, the keyed hash of the state, and what must stay secret, sealed as JSON.
  provider text CHECK (length(provider) <= 64),
  state_lookup bytea,
  sealed bytea CHECK (length(sealed) <= 16384),
  -- The name that was typed, sealed, to remember the device by.
  name_sealed bytea,
  next text CHECK (length(next) <= 2000),
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX sign_ins_expires ON sign_ins (expires_at);
CREATE INDEX sign_ins_user ON sign_ins (user_id) WHERE used_at IS NULL;

CREATE TABLE totp_secrets (
  user_id integer PRIMARY KEY REFERENCES users,
  sealed bytea NOT NULL,
  -- The step of the last code that was accepted: a code is good once.
  last_step bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Null until its owner has shown a first code.
  confirmed_at timestamptz
);

CREATE TABLE recovery_codes (
  user_id integer NOT NULL REFERENCES users,
  lookup bytea NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (user_id, lookup)
);

CREATE TABLE passkeys (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  credential bytea NOT NULL UNIQUE CHECK (length(credential) BETWEEN 1 AND 1023),
  user_id integer NOT NULL REFERENCES users,
  public_key bytea NOT NULL CHECK (length(public_key) <= 4096),
  counter bigint NOT NULL CHECK (counter >= 0),
  transports text[] NOT NULL DEFAULT '{}' CHECK (cardinality(transports) <= 10),
  -- Whether it can open the account without a password: it lives in the device and checks its user.
  alone boolean NOT NULL,
  backed_up boolean NOT NULL,
  label text NOT NULL CHECK (length(label) BETWEEN 1 AND 64),
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  -- A counter that went back: somebody may have copied it. It opens nothing until its owner decides.
  suspected_at timestamptz
);
CREATE INDEX passkeys_user ON passkeys (user_id);
