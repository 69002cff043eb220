-- What operators decide about custody: pauses, blocks to read again, payments that cannot go on, and their signatures.

ALTER TABLE custody_networks
  -- Why operators have paused the network; empty when they have not. What the watcher finds is in `reason`.
  ADD COLUMN held_reason text NOT NULL DEFAULT '' CHECK (length(held_reason) <= 200),
  -- From here on blocks are read again, for transfers that were not recorded.
  ADD COLUMN rescan_from integer CHECK (rescan_from >= 1);

ALTER TABLE custody_wallets
  -- Operators want deposits up to this number fetched, however small they are (EVM).
  ADD COLUMN sweep_through bigint NOT NULL DEFAULT 0;

ALTER TABLE custody_payments
  -- Operators want a higher fee now.
  ADD COLUMN is_urgent boolean NOT NULL DEFAULT false;

-- Two operators decide that a payment shall not pay. `void`: what it would spend is spent by the venue itself. `drop`: it was
-- never signed, and what it would spend is free again.
CREATE TABLE custody_decisions (
  payment_id bigint NOT NULL REFERENCES custody_payments,
  way text NOT NULL CHECK (way IN ('void', 'drop')),
  operator_id integer NOT NULL REFERENCES users,
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 1000),
  at timestamptz NOT NULL,
  PRIMARY KEY (payment_id, way, operator_id)
);
CREATE TRIGGER custody_decisions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON custody_decisions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Signatures of operators over a payment. The signer alone decides what they are worth.
CREATE TABLE custody_signatures (
  payment_id bigint NOT NULL REFERENCES custody_payments,
  key text NOT NULL CHECK (length(key) <= 60),
  signature text NOT NULL CHECK (length(signature) <= 100),
  -- Who brought it.
  operator_id integer NOT NULL REFERENCES users,
  at timestamptz NOT NULL,
  PRIMARY KEY (payment_id, key)
);
CREATE TRIGGER custody_signatures_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON custody_signatures
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
