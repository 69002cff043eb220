-- Payments from one place of the venue to another: out of deposit addresses of EVM chains into the hot wallet, and the gas
-- that tokens need for it.

ALTER TABLE custody_payments
  -- The address that sends it; empty for the hot wallet. Each counts its own transactions.
  ADD COLUMN sender text NOT NULL DEFAULT '' CHECK (length(sender) <= 100),
  -- What it pays to the venue itself, as the signer reads it; a payout has rows of its own.
  ADD COLUMN own_outputs text NOT NULL DEFAULT '[]' CHECK (length(own_outputs) <= 10000),
  DROP CONSTRAINT custody_payments_network_nonce_key,
  ADD UNIQUE (network, sender, nonce);

-- Through which deposit the coins of an address were fetched.
CREATE TABLE custody_swept (
  network text NOT NULL REFERENCES custody_networks,
  address text NOT NULL,
  coin text NOT NULL,
  through bigint NOT NULL,
  PRIMARY KEY (network, address, coin)
);
