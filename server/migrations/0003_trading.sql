-- Definitions: coins, the networks they move on, and markets. Amounts here are decimal texts' values
-- as numeric; the ledger's unit is 10^-18 of a coin.
CREATE TABLE coins (
  symbol text PRIMARY KEY CHECK (symbol ~ '^[a-z0-9]{2,12}$'),
  name_en text NOT NULL,
  name_fa text NOT NULL
);

CREATE TABLE coin_networks (
  coin text NOT NULL REFERENCES coins,
  network text NOT NULL CHECK (network ~ '^[A-Z0-9_]{2,16}$'),
  network_name_en text NOT NULL,
  network_name_fa text NOT NULL,
  is_default boolean NOT NULL DEFAULT false,
  token_name text NOT NULL DEFAULT '',
  token_symbol text NOT NULL,
  address_url text NOT NULL CHECK (address_url LIKE '%{address}%'),
  contract_address_url text NOT NULL DEFAULT '',
  transaction_url text NOT NULL CHECK (transaction_url LIKE '%{txid}%'),
  contract_address text NOT NULL DEFAULT '',
  memo_required boolean NOT NULL DEFAULT false,
  memo_regex text NOT NULL DEFAULT '',
  address_regex text NOT NULL CHECK (address_regex LIKE '^%$'),
  token_decimal smallint NOT NULL CHECK (token_decimal BETWEEN 0 AND 24),
  deposit_fee numeric(38, 18) NOT NULL DEFAULT 0 CHECK (deposit_fee >= 0),
  withdraw_fee numeric(38, 18) NOT NULL DEFAULT 0 CHECK (withdraw_fee >= 0),
  deposit_status text NOT NULL DEFAULT 'active' CHECK (deposit_status IN ('active', 'paused', 'disabled')),
  withdraw_status text NOT NULL DEFAULT 'active' CHECK (withdraw_status IN ('active', 'paused', 'disabled')),
  minimum_deposit numeric(38, 18) NOT NULL DEFAULT 0 CHECK (minimum_deposit >= 0),
  minimum_withdraw numeric(38, 18) NOT NULL DEFAULT 0 CHECK (minimum_withdraw >= 0),
  deposit_confirmations integer NOT NULL CHECK (deposit_confirmations >= 0),
  withdraw_precision smallint NOT NULL CHECK (withdraw_precision BETWEEN 0 AND 18),
  PRIMARY KEY (coin, network)
);
CREATE UNIQUE INDEX coin_networks_default ON coin_networks (coin) WHERE is_default;

CREATE TABLE markets (
  symbol text PRIMARY KEY,
  base text NOT NULL REFERENCES coins,
  quote text NOT NULL REFERENCES coins,
  base_precision smallint NOT NULL CHECK (base_precision >= 0),
  quote_precision smallint NOT NULL CHECK (quote_precision >= 0),
  minimum_quote_size numeric(38, 18) NOT NULL CHECK (minimum_quote_size > 0),
  max_market_order_ask numeric(38, 18) NOT NULL CHECK (max_market_order_ask > 0),
  max_market_order_bid numeric(38, 18) NOT NULL CHECK (max_market_order_bid > 0),
  phase text NOT NULL DEFAULT 'pre_open' CHECK (phase IN
    ('pre_open', 'post_only', 'continuous', 'cancel_only', 'halted', 'delisted')),
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (symbol = base || quote),
  CHECK (base <> quote),
  -- Price times volume is then exact at 10^-18, with no rounding at all.
  CHECK (base_precision + quote_precision <= 18)
);

-- What each account has, in units of 10^-18. Nine coins of that fill 64 bits, hence numeric.
CREATE TABLE balances (
  account_id bigint NOT NULL REFERENCES trading_accounts,
  coin text NOT NULL REFERENCES coins,
  available numeric(38, 0) NOT NULL DEFAULT 0 CHECK (available >= 0),
  held numeric(38, 0) NOT NULL DEFAULT 0 CHECK (held >= 0),
  pending_withdraw numeric(38, 0) NOT NULL DEFAULT 0 CHECK (pending_withdraw >= 0),
  pending_deposit numeric(38, 0) NOT NULL DEFAULT 0 CHECK (pending_deposit >= 0),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, coin)
);

CREATE TABLE fee_tiers (
  tier smallint PRIMARY KEY CHECK (tier >= 0),
  min_volume_30d numeric(38, 18) NOT NULL,
  -- Millionths: 1500 is 0.15 %.
  maker_millionths integer NOT NULL,
  taker_millionths integer NOT NULL CHECK (taker_millionths >= 0),
  -- A rebate never exceeds the taker fee of the same trade.
  CHECK (maker_millionths >= -taker_millionths)
);
INSERT INTO fee_tiers VALUES (0, 0, 1000, 1500);
