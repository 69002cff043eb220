-- What operators did, in the order they did it. Every row carries the hash of the one before, so a row
-- that was changed, left out or put in between shows. How a hash is made stands in accounts/audit/entry.ts.
CREATE TABLE audit_log (
  -- Gapless: the primary key keeps two writers from following the same row.
  seq bigint PRIMARY KEY CHECK (seq > 0),
  at timestamptz(3) NOT NULL,
  -- The address of who acted; empty for whoever has the command line of a deployment without operators.
  operator text NOT NULL,
  act text NOT NULL CHECK (act ~ '^[a-z_]+( [a-z_]+)*$'),
  subject text NOT NULL,
  -- Canonical JSON. It is a text because the hash covers its characters.
  details text NOT NULL CHECK (length(details) <= 65536),
  outcome text NOT NULL CHECK (outcome IN
    ('done', 'requested', 'awaiting_approval', 'approved', 'withdrawn', 'refused', 'denied')),
  -- The row of operator_commands that it is about, where there is one.
  command_id bigint,
  previous_hash bytea NOT NULL CHECK (length(previous_hash) = 32),
  hash bytea NOT NULL CHECK (length(hash) = 32)
);
-- What became of a command is told once.
CREATE UNIQUE INDEX audit_log_command_end ON audit_log (command_id)
  WHERE outcome IN ('done', 'refused', 'withdrawn');
CREATE INDEX audit_log_command ON audit_log (command_id, seq) WHERE command_id IS NOT NULL;
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Who asked and who agreed, as people and not only as names that may change.
ALTER TABLE operator_commands
  ADD COLUMN requested_by_id integer REFERENCES users,
  ADD COLUMN approved_by_id integer REFERENCES users,
  ADD COLUMN approved_at timestamptz,
  -- What the act is called in the audit log; empty for what no operator asked for.
  ADD COLUMN act text NOT NULL DEFAULT '',
  ADD COLUMN subject text NOT NULL DEFAULT '',
  ADD COLUMN reason text NOT NULL DEFAULT '',
  ADD CONSTRAINT operator_commands_two_people CHECK (approved_by_id <> requested_by_id),
  -- Money that no trade and no deposit moves is moved by two people or not at all.
  ADD CONSTRAINT operator_commands_adjust_approved CHECK (
    command::json ->> 'type' IS DISTINCT FROM 'adjust'
    OR status IN ('awaiting_approval', 'withdrawn')
    OR (requested_by_id IS NOT NULL AND approved_by_id IS NOT NULL));
-- Most rows are accounts being opened; these are the ones that people asked for.
CREATE INDEX operator_commands_of_people ON operator_commands (id) WHERE requested_by_id IS NOT NULL;
CREATE INDEX operator_commands_subject ON operator_commands (subject, id) WHERE act <> '';

-- What is over stays as it ended. Above all, a command that was withdrawn while an engine was carrying it
-- out must not become done: then that engine's commit fails, with everything the command did.
CREATE FUNCTION keep_operator_command() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF old.status IN ('done', 'refused', 'withdrawn') AND new.status <> old.status THEN
    RAISE EXCEPTION 'command % is % and cannot become %', old.id, old.status, new.status
      USING ERRCODE = 'RJ003';
  END IF;
  RETURN new;
END $$;
CREATE TRIGGER operator_command_final BEFORE UPDATE OF status ON operator_commands
  FOR EACH ROW EXECUTE FUNCTION keep_operator_command();
