-- What the matching engine did, as tables for reading. Everything here follows from the journal: the
-- projector writes it from the batches' events, and a rebuild writes it anew beside the old tables. So
-- there are no foreign keys: they would slow bulk writes and could only ever say that the journal is wrong.
--
-- Prices are whole ticks of 10^-price_decimals, volumes whole lots of 10^-volume_decimals, amounts of money
-- units of 10^-18, times milliseconds since the epoch. Zero stands for "absent" in prices, times and volumes.

-- How far the projector is, for each shard: the row is its lock and is written in the transaction of the
-- rows it speaks of.
CREATE TABLE projection_checkpoints (
  shard smallint PRIMARY KEY,
  -- The last journal row that is wholly projected, and its last engine event.
  seq bigint NOT NULL DEFAULT 0,
  engine_seq bigint NOT NULL DEFAULT 0,
  -- Events of the log up to this position have been looked at.
  log_position bigint NOT NULL DEFAULT 0,
  -- Counters that make ids of our own and tell a new order from a known one; a replay gives the same.
  last_order_id bigint NOT NULL DEFAULT 0,
  last_entry_id bigint NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 10);
INSERT INTO projection_checkpoints (shard) VALUES (0);

-- Every order as it stands, once.
CREATE TABLE trading_orders (
  order_id bigint PRIMARY KEY,
  account_id bigint NOT NULL,
  client_order_id text NOT NULL,
  symbol text NOT NULL,
  side text NOT NULL,
  type text NOT NULL,
  -- Empty for market kinds.
  time_in_force text NOT NULL,
  post_only boolean NOT NULL,
  stp_mode text NOT NULL,
  price_decimals smallint NOT NULL,
  volume_decimals smallint NOT NULL,
  price bigint NOT NULL,
  stop_price bigint NOT NULL,
  volume bigint NOT NULL,
  total numeric(38, 0) NOT NULL,
  visible_volume bigint NOT NULL,
  filled_volume bigint NOT NULL,
  remaining_volume bigint NOT NULL,
  prevented_volume bigint NOT NULL,
  filled_total numeric(38, 0) NOT NULL,
  -- In the coin the order receives.
  fee numeric(38, 0) NOT NULL,
  -- In the coin the order gives.
  rebate numeric(38, 0) NOT NULL,
  held numeric(38, 0) NOT NULL,
  status text NOT NULL,
  status_reason text NOT NULL,
  created_ms bigint NOT NULL,
  updated_ms bigint NOT NULL,
  last_trade_ms bigint NOT NULL,
  triggered_ms bigint NOT NULL,
  expire_ms bigint NOT NULL,
  engine_seq bigint NOT NULL
);
-- History. Ids and times grow together, so this is also the order of ids.
CREATE INDEX trading_orders_account ON trading_orders (account_id, created_ms, order_id);
CREATE INDEX trading_orders_live ON trading_orders (account_id, order_id)
  WHERE status IN ('pending', 'open', 'partially_filled');

-- The terms as they were first asked for, which amendments leave alone, by the client's id: a repeated
-- request is compared with them. Never pruned, because a client id is unique for the life of the account.
CREATE TABLE client_orders (
  account_id bigint NOT NULL,
  client_order_id text NOT NULL,
  order_id bigint NOT NULL,
  symbol text NOT NULL,
  side text NOT NULL,
  type text NOT NULL,
  time_in_force text NOT NULL,
  post_only boolean NOT NULL,
  -- Empty when the request named none and the market's own was taken.
  stp_mode text NOT NULL,
  price_decimals smallint NOT NULL,
  volume_decimals smallint NOT NULL,
  price bigint NOT NULL,
  stop_price bigint NOT NULL,
  volume bigint NOT NULL,
  visible_volume bigint NOT NULL,
  -- Zero unless the request named a total.
  total numeric(38, 0) NOT NULL,
  expire_ms bigint NOT NULL,
  PRIMARY KEY (account_id, client_order_id)
);

-- Every trade with both its sides; each side's own trades and the public tape are read from it.
CREATE TABLE trading_trades (
  trade_id bigint PRIMARY KEY,
  symbol text NOT NULL,
  price_decimals smallint NOT NULL,
  volume_decimals smallint NOT NULL,
  price bigint NOT NULL,
  volume bigint NOT NULL,
  total numeric(38, 0) NOT NULL,
  taker_side text NOT NULL,
  buyer_order_id bigint NOT NULL,
  buyer_account_id bigint NOT NULL,
  buyer_fee_ppm integer NOT NULL,
  -- In the base coin.
  buyer_fee numeric(38, 0) NOT NULL,
  seller_order_id bigint NOT NULL,
  seller_account_id bigint NOT NULL,
  seller_fee_ppm integer NOT NULL,
  -- In the quote coin.
  seller_fee numeric(38, 0) NOT NULL,
  -- To the maker, in the coin of the taker's fee.
  rebate numeric(38, 0) NOT NULL,
  time_ms bigint NOT NULL,
  engine_seq bigint NOT NULL
);
CREATE INDEX trading_trades_symbol ON trading_trades (symbol, time_ms, trade_id);
CREATE INDEX trading_trades_buyer ON trading_trades (buyer_account_id, time_ms, trade_id);
CREATE INDEX trading_trades_seller ON trading_trades (seller_account_id, time_ms, trade_id);
CREATE INDEX trading_trades_buy_order ON trading_trades (buyer_order_id);
CREATE INDEX trading_trades_sell_order ON trading_trades (seller_order_id);

-- What changed an account's total in a coin. Holds move money within the total and leave no entry; fees
-- have entries of their own.
CREATE TABLE ledger_entries (
  account_id bigint NOT NULL,
  -- Counts from shard × 10^15, in the order in which things happened.
  entry_id bigint NOT NULL,
  coin text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('deposit', 'withdrawal', 'withdrawal_fee', 'trade', 'trade_fee',
                                     'transfer', 'rebate', 'adjustment')),
  direction text NOT NULL CHECK (direction IN ('in', 'out')),
  amount numeric(38, 0) NOT NULL CHECK (amount > 0),
  -- Of the account's total: available, held and on its way out.
  balance_before numeric(38, 0) NOT NULL CHECK (balance_before >= 0),
  balance_after numeric(38, 0) NOT NULL CHECK (balance_after >= 0),
  reference_type text NOT NULL,
  reference_id text NOT NULL,
  -- Of a deposit, whose id is unique on its network only; else empty.
  network text NOT NULL,
  time_ms bigint NOT NULL,
  engine_seq bigint NOT NULL,
  PRIMARY KEY (account_id, entry_id)
);
CREATE INDEX ledger_entries_coin ON ledger_entries (account_id, coin, entry_id);
-- A cause is posted once, whatever is repeated.
CREATE UNIQUE INDEX ledger_entries_cause
  ON ledger_entries (reference_id, reference_type, kind, account_id, coin, network);

-- Movements of money other than trades, by the id that their sender gave them: what a repeated movement is
-- looked up in when the engine has forgotten it.
CREATE TABLE trading_movements (
  kind text NOT NULL CHECK (kind IN ('deposit', 'withdrawal', 'transfer', 'adjustment')),
  -- For a deposit "network:depositId", else the sender's id.
  reference text NOT NULL,
  coin text NOT NULL,
  amount numeric(38, 0) NOT NULL,
  -- An account's id, 'fees', 'suspense', 'adjustments' or 'custody:NETWORK'; empty while not yet known.
  from_owner text NOT NULL,
  to_owner text NOT NULL,
  fee numeric(38, 0) NOT NULL DEFAULT 0,
  -- A withdrawal is pending first; everything else is settled at once.
  status text NOT NULL CHECK (status IN ('pending', 'settled', 'canceled')),
  created_ms bigint NOT NULL,
  updated_ms bigint NOT NULL,
  engine_seq bigint NOT NULL,
  PRIMARY KEY (kind, reference)
);

-- What the venue itself owns. Custody is below zero by what the chain must hold, so that the sum over all
-- owners of a coin is zero.
CREATE TABLE venue_balances (
  owner text NOT NULL,
  coin text NOT NULL,
  amount numeric(38, 0) NOT NULL,
  updated_ms bigint NOT NULL,
  PRIMARY KEY (owner, coin)
);

-- Minutes, hours and days are kept; every other resolution is a sum of at most 31 of the next finer kept
-- one, so that a page of a thousand candles never reads more than some ten thousand rows, and a trade
-- touches three rows instead of fifteen. Intervals without trades have no row; readers fill them.
-- Prices and volumes are units of 10^-18, because a market's precision may change within an interval.
CREATE TABLE candles (
  symbol text NOT NULL,
  minutes integer NOT NULL CHECK (minutes IN (1, 60, 1440)),
  start_ms bigint NOT NULL,
  open numeric(38, 0) NOT NULL,
  high numeric(38, 0) NOT NULL,
  low numeric(38, 0) NOT NULL,
  close numeric(38, 0) NOT NULL,
  volume numeric(38, 0) NOT NULL,
  total numeric(38, 0) NOT NULL,
  trade_count bigint NOT NULL,
  PRIMARY KEY (symbol, minutes, start_ms)
);

-- What an account traded in a market on a day (UTC), in the market's quote coin: for its 30-day volume.
CREATE TABLE account_volumes (
  account_id bigint NOT NULL,
  symbol text NOT NULL,
  day_ms bigint NOT NULL,
  total numeric(38, 0) NOT NULL,
  PRIMARY KEY (account_id, symbol, day_ms)
);

-- Would-be trades of one family with itself.
CREATE TABLE prevented_matches (
  engine_seq bigint NOT NULL,
  -- Counts within the engine event.
  number integer NOT NULL,
  symbol text NOT NULL,
  taker_order_id bigint NOT NULL,
  maker_order_id bigint NOT NULL,
  price bigint NOT NULL,
  price_decimals smallint NOT NULL,
  -- By which both shrank; zero in the modes that expire an order.
  volume bigint NOT NULL,
  volume_decimals smallint NOT NULL,
  mode text NOT NULL,
  time_ms bigint NOT NULL,
  PRIMARY KEY (engine_seq, number)
);
CREATE INDEX prevented_matches_taker ON prevented_matches (taker_order_id);
CREATE INDEX prevented_matches_maker ON prevented_matches (maker_order_id);

-- Markets and balances become projections too: what the engine holds true, without a say of their own.
ALTER TABLE markets
  DROP CONSTRAINT markets_base_fkey,
  DROP CONSTRAINT markets_quote_fkey,
  DROP CONSTRAINT markets_minimum_quote_size_check,
  DROP CONSTRAINT markets_max_market_order_ask_check,
  DROP CONSTRAINT markets_max_market_order_bid_check,
  ADD COLUMN minimum_volume numeric(38, 18) NOT NULL DEFAULT 0,
  ADD COLUMN maximum_volume numeric(38, 18) NOT NULL DEFAULT 0,
  ADD COLUMN minimum_price numeric(38, 18) NOT NULL DEFAULT 0,
  ADD COLUMN maximum_price numeric(38, 18) NOT NULL DEFAULT 0,
  ADD COLUMN listing_price numeric(38, 18) NOT NULL DEFAULT 0,
  -- Millionths, like fee rates.
  ADD COLUMN price_band_millionths integer NOT NULL DEFAULT 0,
  ADD COLUMN market_slippage_millionths integer NOT NULL DEFAULT 0,
  ADD COLUMN halt_millionths integer NOT NULL DEFAULT 0,
  ADD COLUMN halt_minutes integer NOT NULL DEFAULT 0,
  ADD COLUMN default_stp_mode text NOT NULL DEFAULT 'expire_taker',
  ADD COLUMN max_open_orders integer NOT NULL DEFAULT 0,
  ADD COLUMN max_conditional_orders integer NOT NULL DEFAULT 0,
  ADD COLUMN iceberg_parts integer NOT NULL DEFAULT 0,
  -- When the phase ends by itself; zero if it does not.
  ADD COLUMN phase_until_ms bigint NOT NULL DEFAULT 0,
  -- Of the last trade; zero before the first.
  ADD COLUMN last_price numeric(38, 18) NOT NULL DEFAULT 0,
  ADD COLUMN last_trade_ms bigint NOT NULL DEFAULT 0;
ALTER TABLE balances
  DROP CONSTRAINT balances_account_id_fkey,
  DROP CONSTRAINT balances_coin_fkey;
