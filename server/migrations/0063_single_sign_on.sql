-- Accounts that are opened through a provider, and what a provider said about sessions that ended there.

-- A provider's person, and their account here. The address plays no part: it can pass to somebody else.
CREATE TABLE oidc_identities (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  issuer text NOT NULL CHECK (length(issuer) BETWEEN 1 AND 500),
  subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 255),
  user_id integer NOT NULL REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  UNIQUE (issuer, subject)
);
CREATE INDEX oidc_identities_user ON oidc_identities (user_id);

-- Back-channel logouts that were obeyed. Each is good once; a row is kept until its token is too old to be accepted.
CREATE TABLE oidc_logouts (
  issuer text NOT NULL CHECK (length(issuer) BETWEEN 1 AND 500),
  jti text NOT NULL CHECK (length(jti) BETWEEN 1 AND 255),
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (issuer, jti)
);
CREATE INDEX oidc_logouts_at ON oidc_logouts (at);

-- The provider's answer names the sign-in by its state alone.
CREATE UNIQUE INDEX sign_ins_state ON sign_ins (state_lookup) WHERE state_lookup IS NOT NULL;

-- Which ways to sign in the organization has switched off.
ALTER TABLE organization ADD COLUMN authentication_methods_off text[] NOT NULL DEFAULT '{}'
  CHECK (authentication_methods_off <@ '{Email,LDAP,OpenID Connect}');
