-- Operators prove who they are: each person who may act for the venue has a secret of their own, and only its hash is
-- here. Whoever has no row here is no operator, whatever their role is.
CREATE TABLE operator_secrets (
  user_id integer PRIMARY KEY REFERENCES users,
  secret_hash text NOT NULL CHECK (length(secret_hash) <= 200),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Wrong secrets in a row, and when the last of them came.
  failures smallint NOT NULL DEFAULT 0,
  failed_at timestamptz
);

-- Secrets that wait until other operators have agreed to them; one for each person, and a new one replaces it.
CREATE TABLE operator_enrolments (
  user_id integer PRIMARY KEY REFERENCES users,
  secret_hash text NOT NULL CHECK (length(secret_hash) <= 200),
  asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- The first who agreed, where two must.
  approved_by_id integer REFERENCES users CHECK (approved_by_id <> user_id)
);

-- Whoever loses the role or is deactivated loses the secret in the same commit. Given back the role, they are enrolled
-- anew, by others.
CREATE FUNCTION void_operator_secret() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM operator_secrets WHERE user_id = new.id;
  DELETE FROM operator_enrolments WHERE user_id = new.id;
  RETURN new;
END $$;
CREATE TRIGGER operator_standing AFTER UPDATE OF role, is_active, bot_type ON users
  FOR EACH ROW WHEN (new.role > 200 OR NOT new.is_active OR new.bot_type IS NOT NULL)
  EXECUTE FUNCTION void_operator_secret();

CREATE FUNCTION is_operator(person integer) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM operator_secrets s JOIN users u ON u.id = s.user_id
                  WHERE s.user_id = person AND u.is_active AND u.role <= 200 AND u.bot_type IS NULL)
$$;

-- Who agreed to what another operator asked for. A row is the only way on for what moves money.
CREATE TABLE operator_approvals (
  command_id bigint PRIMARY KEY REFERENCES operator_commands,
  operator_id integer NOT NULL REFERENCES users,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
INSERT INTO operator_approvals (command_id, operator_id, at)
SELECT id, approved_by_id, coalesce(approved_at, created_at)
  FROM operator_commands WHERE approved_by_id IS NOT NULL;

CREATE FUNCTION guard_approval() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM operator_commands
                  WHERE id = new.command_id AND status = 'awaiting_approval'
                    AND requested_by_id <> new.operator_id) THEN
    RAISE EXCEPTION 'command % does not wait for the approval of somebody else than who asked', new.command_id
      USING ERRCODE = 'RJ006';
  END IF;
  IF NOT is_operator(new.operator_id) THEN
    RAISE EXCEPTION 'person % is no operator and approves nothing', new.operator_id USING ERRCODE = 'RJ006';
  END IF;
  RETURN new;
END $$;
CREATE TRIGGER operator_approval_guarded BEFORE INSERT ON operator_approvals
  FOR EACH ROW EXECUTE FUNCTION guard_approval();
CREATE TRIGGER operator_approvals_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_approvals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Money that two people must move: the engine sees the command when the approval of the second is here, and what was
-- approved is what is carried out.
CREATE FUNCTION guard_money() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF tg_op = 'UPDATE' AND (new.command <> old.command
                           OR new.requested_by_id IS DISTINCT FROM old.requested_by_id) THEN
    RAISE EXCEPTION 'command % moves money and stays as it was asked for', old.id USING ERRCODE = 'RJ006';
  END IF;
  IF new.status NOT IN ('awaiting_approval', 'withdrawn')
     AND (tg_op = 'INSERT' OR old.status = 'awaiting_approval'
          OR new.approved_by_id IS DISTINCT FROM old.approved_by_id)
     AND NOT EXISTS (SELECT FROM operator_approvals
                      WHERE command_id = new.id AND operator_id = new.approved_by_id) THEN
    RAISE EXCEPTION 'command % moves money and lacks the approval of a second operator', new.id
      USING ERRCODE = 'RJ006';
  END IF;
  RETURN new;
END $$;
CREATE TRIGGER operator_command_money
  BEFORE INSERT OR UPDATE OF status, command, requested_by_id, approved_by_id ON operator_commands
  FOR EACH ROW WHEN (new.command::json ->> 'type' IN ('adjust', 'contribute_capital', 'withdraw_capital'))
  EXECUTE FUNCTION guard_money();

-- The key under which secrets are looked up, sealed with the master key. It stays when the master key is changed: what
-- is looked up, such as a browser's session, is known to us as its hash only and could not be hashed anew.
CREATE TABLE lookup_key (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  sealed bytea NOT NULL
);
