-- Trades get a part of their table for each day (decision 0099). Those that exist become one part as they are, up to the
-- day after tomorrow. That this bound holds is checked by the next migration, outside the lock that this one needs.
DO $$
BEGIN
  EXECUTE format('ALTER TABLE trading_trades ADD CONSTRAINT trading_trades_bound CHECK (time_ms < %s) NOT VALID',
    (floor(extract(epoch FROM clock_timestamp()) / 86400)::bigint + 2) * 86400000);
END $$;
