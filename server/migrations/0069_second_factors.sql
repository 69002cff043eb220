-- A secret for codes by time that its owner has not confirmed yet. It becomes the factor, or replaces the present one,
-- when its owner shows a first code.
CREATE TABLE totp_enrolments (
  user_id integer PRIMARY KEY REFERENCES users,
  sealed bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
