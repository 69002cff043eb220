-- What the venue has against what it owes, and which markets a broken rule has stopped.

-- What there is reason to believe the venue holds: an entry for each time something came in or went out, written by whoever
-- saw it (a network, an operator, the simulated network) and never by the engine. The ledger says what is owed; these
-- two meet in the audit.
CREATE TABLE custody_evidence (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- The movement of the ledger that it stands for: 'deposit:NETWORK:ID', 'withdrawal:ID', 'capital:ID'. Seen once.
  cause text NOT NULL UNIQUE CHECK (length(cause) BETWEEN 1 AND 300),
  coin text NOT NULL,
  network text NOT NULL,
  -- Units of 10^-18; below zero for what went out.
  amount numeric(38, 0) NOT NULL CHECK (amount <> 0),
  source text NOT NULL CHECK (source IN ('simulated', 'operator', 'chain', 'migration')),
  -- Who says so: an operator's address, a network's watcher.
  who text NOT NULL,
  -- The row of operator_commands that books it, where there is one.
  command_id bigint,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX custody_evidence_command ON custody_evidence (command_id) WHERE command_id IS NOT NULL;
CREATE INDEX custody_evidence_operators ON custody_evidence (id) WHERE source = 'operator';
-- What turns out wrong is answered by another entry.
CREATE TRIGGER evidence_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON custody_evidence
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The sum of the evidence, so that the audit need not add up a year of it every second.
CREATE TABLE custody_assets (
  coin text NOT NULL,
  network text NOT NULL,
  amount numeric(38, 0) NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (coin, network)
) WITH (fillfactor = 50);
CREATE FUNCTION add_custody_assets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO custody_assets AS a (coin, network, amount)
  -- In one order, so that two who add to the same coins wait for each other and never in a circle.
  SELECT coin, network, sum(amount) FROM added GROUP BY coin, network ORDER BY coin, network
  ON CONFLICT (coin, network) DO UPDATE
     SET amount = a.amount + excluded.amount, updated_at = clock_timestamp();
  RETURN NULL;
END $$;
CREATE TRIGGER evidence_adds_up AFTER INSERT ON custody_evidence
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_custody_assets();

-- What the ledger holds already is believed: nobody wrote evidence before. First what is projected, then what the
-- engine has done or still has to do beyond the projections.
INSERT INTO custody_evidence (cause, coin, network, amount, source, who)
SELECT kind || ':' || reference, coin, substr(from_owner, 9), amount, 'migration', 'migration 0035'
  FROM trading_movements WHERE from_owner LIKE 'custody:%' AND status = 'settled'
UNION ALL
SELECT kind || ':' || reference, coin, substr(to_owner, 9), fee - amount, 'migration', 'migration 0035'
  FROM trading_movements WHERE to_owner LIKE 'custody:%' AND status = 'settled' AND amount > fee;
INSERT INTO custody_evidence (cause, coin, network, amount, source, who, command_id)
SELECT DISTINCT ON (cause) cause, coin, network, amount, 'migration', 'migration 0035', id
  FROM (SELECT 'deposit:' || (c ->> 'network') || ':' || (c ->> 'depositId') AS cause, c ->> 'coin' AS coin,
               c ->> 'network' AS network, (c ->> 'amount')::numeric AS amount, id
          FROM (SELECT id, command::json AS c FROM operator_commands
                 WHERE status IN ('waiting', 'awaiting_approval', 'done')
                   AND command LIKE '%"credit_deposit"%') AS commands
         WHERE c ->> 'type' = 'credit_deposit') AS deposits
 WHERE amount > 0
 ORDER BY cause, id
ON CONFLICT (cause) DO NOTHING;

-- The audit reads movements in the order in which they happened, and what the projections do not have yet.
CREATE INDEX trading_movements_seq ON trading_movements (engine_seq);
CREATE INDEX operator_commands_journal_seq ON operator_commands (journal_seq) WHERE journal_seq IS NOT NULL;

-- Markets that a broken rule has stopped. To let one trade again takes two people.
CREATE TABLE invariant_halts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  symbol text NOT NULL,
  -- The rule, and what breaks it.
  rule text NOT NULL,
  subject text NOT NULL,
  -- The auditor reads the projections; the engine looks at its own memory when it takes over.
  found_by text NOT NULL CHECK (found_by IN ('auditor', 'engine')),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  released_at timestamptz,
  released_by_id integer REFERENCES users,
  release_approved_by_id integer REFERENCES users,
  release_reason text NOT NULL DEFAULT '',
  CONSTRAINT invariant_halts_two_people CHECK (released_at IS NULL OR (
    released_by_id IS NOT NULL AND release_approved_by_id IS NOT NULL
    AND released_by_id <> release_approved_by_id))
);
-- Told again and again, a violation is one halt.
CREATE UNIQUE INDEX invariant_halts_open ON invariant_halts (symbol, rule, subject) WHERE released_at IS NULL;
CREATE INDEX invariant_halts_of_subject ON invariant_halts (rule, subject);
