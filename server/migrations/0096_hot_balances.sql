-- The hot wallets as the payer last measured them. Only the role custody reaches nodes; operators read this.

-- What can be paid with, in units of 10^-24, as fine as any chain counts.
CREATE TABLE custody_hot_balances (
  network text NOT NULL REFERENCES custody_networks,
  coin text NOT NULL CHECK (length(coin) <= 32),
  amount numeric(96, 0) NOT NULL,
  measured_at timestamptz NOT NULL,
  PRIMARY KEY (network, coin)
);
