-- What operators may do. A grant belongs to a person and not to a role of the chat.
CREATE TABLE operator_grants (
  user_id integer NOT NULL REFERENCES users,
  name text NOT NULL CHECK (name IN ('look', 'support', 'markets', 'treasury', 'everything')),
  -- The request that two operators agreed on; null for what the host's command line gave.
  request_id bigint,
  given_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (user_id, name)
);

-- What one operator asked for and another one has to approve. Commands to the engine have a table of their own,
-- operator_commands.
CREATE TABLE operator_requests (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Who gets the grant, and which.
  subject_id integer NOT NULL REFERENCES users,
  name text NOT NULL CHECK (name IN ('look', 'support', 'markets', 'treasury', 'everything')),
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 1000),
  requested_by_id integer NOT NULL REFERENCES users CHECK (requested_by_id <> subject_id),
  status text NOT NULL DEFAULT 'awaiting' CHECK (status IN ('awaiting', 'approved', 'rejected', 'expired')),
  decided_by_id integer REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL,
  decided_at timestamptz,
  CONSTRAINT operator_requests_two_people CHECK (
    status <> 'approved'
    OR (decided_by_id IS NOT NULL AND decided_by_id <> requested_by_id AND decided_by_id <> subject_id))
);
-- Of one grant for one person, one request waits.
CREATE UNIQUE INDEX operator_requests_awaiting ON operator_requests (subject_id, name) WHERE status = 'awaiting';
ALTER TABLE operator_grants ADD FOREIGN KEY (request_id) REFERENCES operator_requests;

CREATE FUNCTION has_grant(person integer, needed text) RETURNS boolean LANGUAGE sql STABLE
  SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM operator_grants g JOIN users u ON u.id = g.user_id
                  WHERE g.user_id = person AND g.name IN (needed, 'everything')
                    AND u.is_active AND u.bot_type IS NULL)
$$;

INSERT INTO operator_grants (user_id, name)
SELECT id, CASE WHEN role = 100 THEN 'everything' ELSE 'look' END
  FROM users WHERE role <= 200 AND is_active AND bot_type IS NULL;

-- Once two people have everything, a grant exists only because two agreed on it. What was decided stays decided.
CREATE FUNCTION guard_grant() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM users WHERE id = new.user_id AND is_active AND bot_type IS NULL) THEN
    RAISE EXCEPTION 'only an active person has grants' USING ERRCODE = 'RJ066';
  END IF;
  IF new.request_id IS NULL THEN
    IF (SELECT count(*) FROM operator_grants g JOIN users u ON u.id = g.user_id
         WHERE g.name = 'everything' AND u.is_active AND u.bot_type IS NULL) >= 2 THEN
      RAISE EXCEPTION 'a grant takes a request that two operators agreed on' USING ERRCODE = 'RJ066';
    END IF;
  ELSIF NOT EXISTS (SELECT FROM operator_requests
                     WHERE id = new.request_id AND status = 'approved'
                       AND subject_id = new.user_id AND name = new.name) THEN
    RAISE EXCEPTION 'request % was not approved for this grant', new.request_id USING ERRCODE = 'RJ066';
  END IF;
  RETURN new;
END $$;
CREATE TRIGGER operator_grant_guarded BEFORE INSERT OR UPDATE ON operator_grants
  FOR EACH ROW EXECUTE FUNCTION guard_grant();

CREATE FUNCTION keep_operator_request() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF old.status <> 'awaiting'
     OR (old.subject_id, old.name, old.reason, old.requested_by_id)
        IS DISTINCT FROM (new.subject_id, new.name, new.reason, new.requested_by_id) THEN
    RAISE EXCEPTION 'request % stays as it is', old.id USING ERRCODE = 'RJ066';
  END IF;
  RETURN new;
END $$;
CREATE TRIGGER operator_request_kept BEFORE UPDATE ON operator_requests
  FOR EACH ROW EXECUTE FUNCTION keep_operator_request();

-- Whoever is deactivated loses the grants in the same commit, and what they asked for or were to get is off.
CREATE FUNCTION void_operator_grants() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  DELETE FROM operator_grants WHERE user_id = new.id;
  UPDATE operator_requests SET status = 'rejected', decided_at = clock_timestamp()
   WHERE status = 'awaiting' AND new.id IN (subject_id, requested_by_id);
  RETURN new;
END $$;
CREATE TRIGGER operator_grants_standing AFTER UPDATE OF is_active, bot_type ON users
  FOR EACH ROW WHEN (NOT new.is_active OR new.bot_type IS NOT NULL)
  EXECUTE FUNCTION void_operator_grants();

-- An approval takes an operator with the right for that command: by a grant, or by the secret of earlier releases.
CREATE OR REPLACE FUNCTION guard_approval() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  kind text;
BEGIN
  SELECT command::json ->> 'type' INTO kind FROM operator_commands
   WHERE id = new.command_id AND status = 'awaiting_approval' AND requested_by_id <> new.operator_id;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'command % does not wait for the approval of somebody else than who asked', new.command_id
      USING ERRCODE = 'RJ006';
  END IF;
  IF NOT is_operator(new.operator_id)
     AND NOT has_grant(new.operator_id, CASE WHEN kind = 'set_phase' THEN 'markets' ELSE 'treasury' END) THEN
    RAISE EXCEPTION 'person % is no operator and approves nothing', new.operator_id USING ERRCODE = 'RJ006';
  END IF;
  RETURN new;
END $$;

-- A command line that wants to act for an operator. It has 256 random bits in a file; the operator types a short code
-- into their browser. Here are the keyed hashes of both.
CREATE TABLE cli_grants (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  token_lookup bytea NOT NULL UNIQUE CHECK (length(token_lookup) = 32),
  code_lookup bytea NOT NULL CHECK (length(code_lookup) = 32),
  status text NOT NULL DEFAULT 'asked' CHECK (status IN ('asked', 'confirmed', 'ended', 'denied', 'expired')),
  -- The machine and the login that asked, and the address that the database saw them come from.
  host text NOT NULL CHECK (length(host) <= 255),
  login text NOT NULL CHECK (length(login) <= 255),
  address text NOT NULL CHECK (length(address) <= 100),
  asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL,
  -- Who confirmed or denied it, and the session that it became.
  user_id integer REFERENCES users,
  decided_at timestamptz,
  session_id bigint REFERENCES sessions ON DELETE SET NULL,
  CONSTRAINT cli_grants_confirmed CHECK (status <> 'confirmed' OR (user_id IS NOT NULL AND decided_at IS NOT NULL))
);
-- While it waits, no other has its code.
CREATE UNIQUE INDEX cli_grants_code ON cli_grants (code_lookup) WHERE status = 'asked';
CREATE INDEX cli_grants_session ON cli_grants (session_id) WHERE session_id IS NOT NULL;
CREATE INDEX cli_grants_asked_at ON cli_grants (asked_at);

-- Wrong codes that operators typed: few within an hour.
CREATE TABLE cli_wrong_codes (
  user_id integer NOT NULL REFERENCES users,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX cli_wrong_codes_user ON cli_wrong_codes (user_id, at);
