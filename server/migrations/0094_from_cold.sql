-- Coins that come back from the cold wallet. Its keys are nowhere near: operators ask for a transaction, sign it on a machine
-- of their own, and bring the bytes.

ALTER TABLE custody_payments DROP CONSTRAINT custody_payments_kind_check;
ALTER TABLE custody_payments ADD CONSTRAINT custody_payments_kind_check
  CHECK (kind IN ('payout', 'sweep', 'gas', 'to_cold', 'child', 'from_cold'));

-- What operators asked for. The role custody makes a payment of it, or says why it cannot.
CREATE TABLE custody_cold_requests (
  request_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  network text NOT NULL REFERENCES custody_networks,
  coin text NOT NULL CHECK (length(coin) BETWEEN 1 AND 32),
  amount numeric(38, 0) NOT NULL CHECK (amount > 0),
  operator_id integer NOT NULL REFERENCES users,
  at timestamptz NOT NULL,
  payment_id bigint REFERENCES custody_payments,
  refusal text NOT NULL DEFAULT '' CHECK (length(refusal) <= 300),
  CHECK (payment_id IS NULL OR refusal = '')
);
CREATE INDEX custody_cold_requests_open ON custody_cold_requests (network, request_id)
  WHERE payment_id IS NULL AND refusal = '';

-- Outputs of the cold wallet that such a payment spends (Bitcoin family).
CREATE TABLE custody_cold_spends (
  network text NOT NULL,
  txid text NOT NULL CHECK (length(txid) = 64),
  vout integer NOT NULL CHECK (vout >= 0),
  payment_id bigint NOT NULL REFERENCES custody_payments,
  PRIMARY KEY (network, txid, vout)
);
CREATE INDEX custody_cold_spends_payment ON custody_cold_spends (payment_id);
