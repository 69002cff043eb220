-- Reconciliation: what is on the chains is compared with the ledger, and a coin of which something is missing is stopped.

-- One comparison of a coin on a network. Amounts are in units of 10^-24, as fine as any chain counts.
CREATE TABLE custody_reports (
  report_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  network text NOT NULL REFERENCES custody_networks,
  coin text NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('equal', 'surplus', 'shortfall', 'postponed')),
  -- Why nothing could be compared.
  reason text NOT NULL DEFAULT '' CHECK (length(reason) <= 100 AND (reason <> '') = (outcome = 'postponed')),
  -- The block as of which the chain was asked, and the row of the journal that the ledger had come to.
  height integer,
  block_hash text,
  journal_seq bigint,
  on_chain numeric(96, 0),
  custody numeric(96, 0),
  uncredited numeric(96, 0),
  unsettled numeric(96, 0),
  costs numeric(96, 0),
  difference numeric(96, 0),
  at timestamptz NOT NULL,
  CHECK ((outcome = 'postponed') = (difference IS NULL)),
  CHECK (difference IS NULL OR difference = on_chain - (-custody + uncredited - unsettled - costs)),
  CHECK (CASE outcome WHEN 'equal' THEN difference = 0 WHEN 'surplus' THEN difference > 0
                      WHEN 'shortfall' THEN difference < 0 ELSE true END)
);
CREATE INDEX custody_reports_newest ON custody_reports (network, coin, report_id DESC);
CREATE TRIGGER custody_reports_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON custody_reports
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- When a network is compared next. Who takes the turn moves it on first, so that one process compares.
CREATE TABLE custody_turns (
  network text PRIMARY KEY REFERENCES custody_networks,
  due_at timestamptz NOT NULL
);

-- A coin of which something was missing. Nothing of it is paid while a row is open; operators end it, and only after a
-- comparison without a difference.
CREATE TABLE custody_stops (
  stop_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  network text NOT NULL REFERENCES custody_networks,
  coin text NOT NULL,
  report_id bigint NOT NULL REFERENCES custody_reports,
  stopped_at timestamptz NOT NULL,
  ended_at timestamptz,
  ended_by_id integer REFERENCES users,
  CHECK ((ended_at IS NULL) = (ended_by_id IS NULL))
);
CREATE UNIQUE INDEX custody_stops_open ON custody_stops (coin, network) WHERE ended_at IS NULL;

CREATE FUNCTION guard_custody_stop() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF old.ended_at IS NOT NULL THEN
    RAISE EXCEPTION 'stop % has ended', old.stop_id USING ERRCODE = 'check_violation';
  END IF;
  IF (SELECT r.outcome FROM custody_reports r
       WHERE r.network = new.network AND r.coin = new.coin AND r.outcome <> 'postponed'
       ORDER BY r.report_id DESC LIMIT 1) IS DISTINCT FROM 'equal' THEN
    RAISE EXCEPTION 'the newest comparison of % on % shows a difference', new.coin, new.network
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN new;
END $$;
CREATE TRIGGER custody_stop_guarded BEFORE UPDATE ON custody_stops
  FOR EACH ROW EXECUTE FUNCTION guard_custody_stop();

-- Custody stops markets too.
ALTER TABLE invariant_halts
  DROP CONSTRAINT invariant_halts_found_by_check,
  ADD CONSTRAINT invariant_halts_found_by_check CHECK (found_by IN ('auditor', 'engine', 'custody'));

-- Signed, and in no block: what is sent again, and what a comparison counts as not gone.
CREATE INDEX custody_attempts_unmined ON custody_attempts (network, payment_id)
  WHERE height IS NULL AND raw IS NOT NULL;
