-- Payments: transactions by which the venue pays on a chain, from the unsigned text to the last confirmation.

-- What is spent in order: one row a network, held by who makes a payment.
CREATE TABLE custody_wallets (
  network text PRIMARY KEY REFERENCES custody_networks,
  -- The next address for change (Bitcoin family).
  next_change integer NOT NULL DEFAULT 0 CHECK (next_change >= 0),
  -- The next number of a transaction of the hot wallet (EVM). None until the chain was asked.
  next_nonce bigint CHECK (next_nonce >= 0),
  -- The newest record of the signer that we know: an old copy of its memory does not have it.
  signer_seq bigint NOT NULL DEFAULT 0
);
INSERT INTO custody_wallets (network) SELECT network FROM custody_networks;

-- Outputs of the Bitcoin family that our keys can spend.
CREATE TABLE custody_utxos (
  network text NOT NULL REFERENCES custody_networks,
  txid text NOT NULL CHECK (length(txid) = 64),
  vout integer NOT NULL CHECK (vout >= 0),
  branch smallint NOT NULL CHECK (branch IN (0, 1)),
  index integer NOT NULL CHECK (index >= 0),
  units numeric(38, 0) NOT NULL CHECK (units > 0),
  -- Confirmations without which it is not spent.
  needed integer NOT NULL CHECK (needed >= 1),
  -- Its block; none while it is in no block of the chain.
  height integer,
  -- The payment that spends it.
  payment_id bigint,
  PRIMARY KEY (network, txid, vout)
);
-- What came in before there were payments. Places of EVM chains begin with a letter.
INSERT INTO custody_utxos (network, txid, vout, branch, index, units, needed, height)
SELECT t.network, t.txid, t.place::integer, 0, a.index, t.units, t.needed, t.height
  FROM custody_transfers t JOIN custody_addresses a USING (network, address)
 WHERE t.place ~ '^[0-9]{1,7}$' AND length(t.txid) = 64 AND t.height IS NOT NULL AND a.purpose = 'deposit';
CREATE INDEX custody_utxos_free ON custody_utxos (network, height) WHERE payment_id IS NULL;
CREATE INDEX custody_utxos_height ON custody_utxos (network, height);

CREATE TABLE custody_payments (
  payment_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  network text NOT NULL REFERENCES custody_networks,
  kind text NOT NULL CHECK (kind IN ('payout', 'sweep', 'gas', 'to_cold', 'child')),
  -- Of the hot wallet (EVM).
  nonce bigint CHECK (nonce >= 0),
  state text NOT NULL DEFAULT 'signing' CHECK (state IN
    ('signing', 'broadcasting', 'confirming', 'done', 'needs_operator')),
  reason text NOT NULL DEFAULT '' CHECK (length(reason) <= 300),
  -- Not before this time.
  retry_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (network, nonce)
);
CREATE INDEX custody_payments_open ON custody_payments (network, payment_id) WHERE state <> 'done';
ALTER TABLE custody_utxos ADD FOREIGN KEY (payment_id) REFERENCES custody_payments;

-- What a payment pays. A withdrawal belongs to one payment for ever.
CREATE TABLE custody_payment_outputs (
  payment_id bigint NOT NULL REFERENCES custody_payments,
  withdraw_id bigint NOT NULL UNIQUE REFERENCES withdrawals,
  address text NOT NULL,
  coin text NOT NULL,
  -- As the signer reads it.
  amount text NOT NULL,
  PRIMARY KEY (payment_id, withdraw_id)
);
CREATE TRIGGER custody_payment_outputs_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON custody_payment_outputs
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Versions of a payment. All of them spend the same, so at most one is mined.
CREATE TABLE custody_attempts (
  payment_id bigint NOT NULL REFERENCES custody_payments,
  n integer NOT NULL CHECK (n >= 1),
  network text NOT NULL,
  purpose text NOT NULL DEFAULT 'pay' CHECK (purpose IN ('pay', 'void')),
  -- What the signer is asked for: the same text each time.
  unsigned text NOT NULL CHECK (length(unsigned) <= 2000000),
  -- What the network takes at most, in its smallest units.
  fee numeric(38, 0) NOT NULL CHECK (fee >= 0),
  -- Its size in virtual bytes, or its gas: what the fee is for.
  size bigint NOT NULL CHECK (size > 0),
  -- What it leaves over, for a child that pays for it (Bitcoin family).
  change_vout integer,
  change_index integer,
  change_units numeric(38, 0),
  -- Both from the signer. Stored before a node gets the bytes.
  txid text CHECK (length(txid) <= 100),
  raw text,
  -- Its block, and whether the transaction failed there (EVM).
  height integer,
  has_failed boolean NOT NULL DEFAULT false,
  -- What the network took, if that is known only afterwards (EVM).
  fee_paid numeric(38, 0),
  -- When the signer made it.
  signed_at timestamptz,
  broadcasts integer NOT NULL DEFAULT 0,
  broadcast_at timestamptz,
  last_error text NOT NULL DEFAULT '' CHECK (length(last_error) <= 500),
  PRIMARY KEY (payment_id, n),
  UNIQUE (network, txid),
  CHECK ((txid IS NULL) = (raw IS NULL))
);
CREATE INDEX custody_attempts_height ON custody_attempts (network, height) WHERE height IS NOT NULL;
