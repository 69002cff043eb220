-- Proof of reserves: what the venue owes, as a tree in which everybody finds their own sum, and what it holds on chains.

CREATE TABLE reserve_publications (
  publication_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  asked_by text NOT NULL CHECK (length(asked_by) <= 320),
  asked_at timestamptz NOT NULL,
  -- Who makes it; after a while another process may.
  taken_at timestamptz,
  status text NOT NULL DEFAULT 'asked' CHECK (status IN ('asked', 'published', 'failed')),
  -- Why it could not be made.
  reason text NOT NULL DEFAULT '' CHECK (length(reason) <= 200 AND (reason <> '') = (status = 'failed')),
  published_at timestamptz,
  CHECK ((status = 'published') = (published_at IS NOT NULL))
);
CREATE INDEX reserve_publications_asked ON reserve_publications (publication_id) WHERE status = 'asked';
CREATE INDEX reserve_publications_published ON reserve_publications (publication_id) WHERE status = 'published';

-- The tree of one coin.
CREATE TABLE reserve_snapshots (
  publication_id bigint NOT NULL REFERENCES reserve_publications,
  coin text NOT NULL,
  -- The event of the engine as of which the sums are.
  engine_seq bigint NOT NULL,
  root bytea NOT NULL CHECK (length(root) = 32),
  -- In units of 10^-18; 128 bits have 39 digits.
  sum numeric(39, 0) NOT NULL CHECK (sum >= 0),
  leaves integer NOT NULL CHECK (leaves >= 1),
  PRIMARY KEY (publication_id, coin)
);

CREATE TABLE reserve_leaves (
  publication_id bigint NOT NULL,
  coin text NOT NULL,
  place integer NOT NULL CHECK (place >= 0),
  -- 0 for what belongs to nobody yet.
  account_id bigint NOT NULL,
  -- Shown to its account alone.
  salt bytea NOT NULL CHECK (length(salt) = 32),
  sum numeric(38, 0) NOT NULL CHECK (sum >= 0),
  PRIMARY KEY (publication_id, coin, account_id),
  FOREIGN KEY (publication_id, coin) REFERENCES reserve_snapshots
);

-- Every level of a tree, so that a path takes one row from each.
CREATE TABLE reserve_nodes (
  publication_id bigint NOT NULL,
  coin text NOT NULL,
  level smallint NOT NULL CHECK (level >= 0),
  place integer NOT NULL CHECK (place >= 0),
  sum numeric(39, 0) NOT NULL CHECK (sum >= 0),
  hash bytea NOT NULL CHECK (length(hash) = 32),
  PRIMARY KEY (publication_id, coin, level, place),
  FOREIGN KEY (publication_id, coin) REFERENCES reserve_snapshots
);

-- What was on a network, as of a block.
CREATE TABLE reserve_chains (
  publication_id bigint NOT NULL,
  coin text NOT NULL,
  network text NOT NULL REFERENCES custody_networks,
  height integer NOT NULL,
  block_hash text NOT NULL,
  decimals smallint NOT NULL CHECK (decimals BETWEEN 0 AND 24),
  -- Smallest units of the chain.
  units numeric(78, 0) NOT NULL CHECK (units >= 0),
  PRIMARY KEY (publication_id, coin, network),
  FOREIGN KEY (publication_id, coin) REFERENCES reserve_snapshots
);

CREATE TABLE reserve_addresses (
  publication_id bigint NOT NULL,
  coin text NOT NULL,
  network text NOT NULL,
  address text NOT NULL,
  units numeric(78, 0) NOT NULL CHECK (units > 0),
  PRIMARY KEY (publication_id, coin, network, address),
  FOREIGN KEY (publication_id, coin, network) REFERENCES reserve_chains
);

-- What was published stays.
CREATE FUNCTION guard_publication() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF old.status <> 'asked' THEN
    RAISE EXCEPTION 'publication % has ended as %', old.publication_id, old.status USING ERRCODE = 'check_violation';
  END IF;
  RETURN new;
END $$;
CREATE TRIGGER reserve_publication_guarded BEFORE UPDATE ON reserve_publications
  FOR EACH ROW EXECUTE FUNCTION guard_publication();
CREATE TRIGGER reserve_snapshots_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON reserve_snapshots
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER reserve_leaves_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON reserve_leaves
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER reserve_nodes_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON reserve_nodes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER reserve_chains_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON reserve_chains
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER reserve_addresses_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON reserve_addresses
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
