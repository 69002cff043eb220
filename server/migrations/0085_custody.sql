-- Deposits on real networks: how far each network was read, which address belongs to whom, and what came in.

CREATE TABLE custody_networks (
  network text PRIMARY KEY CHECK (length(network) BETWEEN 1 AND 32),
  -- What tells the chain from every other one, as its node said at the first sight. It never changes.
  identity text NOT NULL,
  -- The last block whose transfers are recorded. Who moves on compares it first, under the lock of this row.
  scanned_height integer NOT NULL CHECK (scanned_height >= 0),
  scanned_hash text NOT NULL,
  -- The newest block of the node, and when it was last seen to change.
  tip_height integer NOT NULL CHECK (tip_height >= 0),
  tip_hash text NOT NULL,
  tip_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- A paused network is read on where that is possible; nothing of it is credited.
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'paused')),
  reason text NOT NULL DEFAULT '' CHECK ((reason = '') = (status = 'active')),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- The number of the next deposit address. A number is never given twice. Its own table, so that who asks for an address
-- does not wait for a block that is being recorded.
CREATE TABLE custody_counters (
  network text PRIMARY KEY REFERENCES custody_networks,
  next_index integer NOT NULL DEFAULT 0 CHECK (next_index >= 0)
);

-- The newest blocks, by which a reorganisation is found. Older ones are deleted.
CREATE TABLE custody_blocks (
  network text NOT NULL REFERENCES custody_networks,
  height integer NOT NULL,
  hash text NOT NULL,
  PRIMARY KEY (network, height)
);

CREATE TABLE custody_addresses (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  network text NOT NULL REFERENCES custody_networks,
  purpose text NOT NULL CHECK (purpose IN ('deposit', 'hot', 'change', 'cold')),
  -- None for an address of the venue that memos tell apart.
  account_id bigint REFERENCES trading_accounts,
  index integer NOT NULL CHECK (index >= 0),
  address text NOT NULL CHECK (length(address) BETWEEN 1 AND 200),
  memo text NOT NULL DEFAULT '' CHECK (length(memo) <= 100),
  -- A keyed hash of the row. The key is not in the database, so who changes a row there cannot make it fit.
  proof bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (network, address, memo),
  UNIQUE (network, purpose, index)
);
CREATE INDEX custody_addresses_account ON custody_addresses (account_id, network, id DESC);

CREATE TABLE custody_transfers (
  deposit_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  network text NOT NULL REFERENCES custody_networks,
  txid text NOT NULL CHECK (length(txid) <= 100),
  -- Stable wherever the transaction is mined: the number of the output, or of the log in its own receipt.
  place text NOT NULL CHECK (length(place) <= 200),
  coin text NOT NULL,
  -- None: it belongs to nobody yet, and is credited to `suspense`.
  account_id bigint REFERENCES trading_accounts,
  address text NOT NULL,
  memo text NOT NULL DEFAULT '',
  -- What the chain counts; 256 bits have 78 digits.
  units numeric(78, 0) NOT NULL CHECK (units > 0),
  -- The same in units of 10^-18; a coin without decimals has 18 digits more. 0 where it is too fine for the ledger.
  amount numeric(96, 0) NOT NULL CHECK (amount >= 0),
  fee numeric(38, 0) NOT NULL DEFAULT 0 CHECK (fee >= 0),
  -- Confirmations that it needs: those of the coin, or more where the chain itself demands them.
  needed integer NOT NULL CHECK (needed >= 1),
  -- Its block; none while it is in no block of the chain.
  height integer,
  block_hash text,
  -- The height of the chain when it was last seen in a block or in the pool.
  seen_height integer NOT NULL,
  status text NOT NULL CHECK (status IN
    ('detected', 'confirming', 'credited', 'below_minimum', 'held', 'orphaned', 'rejected', 'reversed')),
  status_reason text NOT NULL DEFAULT '',
  -- How often it was credited and taken back.
  generation integer NOT NULL DEFAULT 0,
  -- The row of operator_commands that credits it.
  command_id bigint,
  -- Whether the ledger has done so.
  is_booked boolean NOT NULL DEFAULT false,
  detected_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  credited_at timestamptz,
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (network, txid, place),
  CHECK ((height IS NULL) = (block_hash IS NULL)),
  CHECK ((status = 'credited') <= (command_id IS NOT NULL))
);
CREATE INDEX custody_transfers_account ON custody_transfers (account_id, deposit_id);
-- What the watcher looks at with every block.
CREATE INDEX custody_transfers_open ON custody_transfers (network, height)
  WHERE status IN ('detected', 'confirming', 'held');
CREATE INDEX custody_transfers_small ON custody_transfers (account_id, network, coin)
  WHERE status = 'below_minimum';
-- What a reorganisation looks for.
CREATE INDEX custody_transfers_height ON custody_transfers (network, height) WHERE height IS NOT NULL;
-- Credited, and in no block any more.
CREATE INDEX custody_transfers_lost ON custody_transfers (network, deposit_id)
  WHERE command_id IS NOT NULL AND height IS NULL AND status <> 'reversed';
-- Given to the ledger, which has not answered yet.
CREATE INDEX custody_transfers_unbooked ON custody_transfers (network, deposit_id)
  WHERE command_id IS NOT NULL AND NOT is_booked;
-- What is on its way to an account.
CREATE INDEX custody_transfers_pending ON custody_transfers (account_id, coin)
  WHERE status IN ('detected', 'confirming', 'below_minimum', 'held');
