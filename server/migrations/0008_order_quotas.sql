-- How many orders an account has placed on a day (UTC), counted only where a ceiling is configured. One row
-- an account: a new day overwrites it.
CREATE TABLE order_quotas (
  account_id bigint PRIMARY KEY REFERENCES trading_accounts,
  day date NOT NULL,
  used integer NOT NULL CHECK (used >= 0)
) WITH (fillfactor = 50);
