-- Invitations: to an address, by letter, and by a link that many may use. What an invitation gives is checked again when
-- it is used, against what its inviter may do then.

CREATE TABLE invitation_links (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  inviter_id integer NOT NULL REFERENCES users,
  role smallint NOT NULL CHECK (role IN (100, 200, 300, 400, 600)),
  channel_ids integer[] NOT NULL,
  group_ids integer[] NOT NULL,
  includes_defaults boolean NOT NULL,
  -- Null: what the organization says by default. Empty: nothing.
  welcome_text text CHECK (length(welcome_text) <= 8000),
  invited_at timestamptz NOT NULL,
  -- Null: never.
  expires_at timestamptz,
  revoked_at timestamptz,
  -- The link's key is found by its keyed hash, and opens for whoever may see the link.
  key_lookup bytea NOT NULL UNIQUE CHECK (length(key_lookup) = 32),
  key_sealed bytea NOT NULL
);
CREATE INDEX invitation_links_inviter ON invitation_links (inviter_id);

CREATE TABLE invitations (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email text NOT NULL CHECK (length(email) BETWEEN 3 AND 255),
  -- As the inviter called the person; a suggestion.
  full_name text NOT NULL DEFAULT '' CHECK (length(full_name) <= 100),
  inviter_id integer NOT NULL REFERENCES users,
  -- Asked for by somebody who has this link. Then it gives what the link gives, and what stands here is not read.
  link_id integer REFERENCES invitation_links,
  role smallint NOT NULL CHECK (role IN (100, 200, 300, 400, 600)),
  channel_ids integer[] NOT NULL,
  group_ids integer[] NOT NULL,
  includes_defaults boolean NOT NULL,
  welcome_text text CHECK (length(welcome_text) <= 8000),
  notifies_inviter boolean NOT NULL,
  invited_at timestamptz NOT NULL,
  expires_at timestamptz,
  reminded_at timestamptz,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'used', 'revoked')),
  -- Since when it is no longer open.
  ended_at timestamptz,
  user_id integer REFERENCES users,
  CHECK ((state = 'open') = (ended_at IS NULL)),
  CHECK ((state = 'used') = (user_id IS NOT NULL))
);
CREATE INDEX invitations_email ON invitations (lower(email)) WHERE state = 'open';
CREATE INDEX invitations_inviter ON invitations (inviter_id) WHERE state = 'open';
-- How many were sent of late, and to whom somebody at a link had letters sent.
CREATE INDEX invitations_invited ON invitations (invited_at);
CREATE INDEX invitations_link_email ON invitations (lower(email), invited_at) WHERE link_id IS NOT NULL;

-- The keys in letters, as keyed hashes. A letter and its reminder have one each; sending again replaces them all.
CREATE TABLE invitation_keys (
  lookup bytea PRIMARY KEY CHECK (length(lookup) = 32),
  invitation_id integer NOT NULL REFERENCES invitations ON DELETE CASCADE
);
CREATE INDEX invitation_keys_invitation ON invitation_keys (invitation_id);
