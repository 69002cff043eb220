-- The journal gets parts by the numbers of its rows (decision 0104). Those that exist become one part as they are. It ends
-- some ten million rows from here, so that engines can go on writing meanwhile. That this bound holds is checked by the next
-- migration, outside the lock that this one needs.
DO $$
DECLARE
  head bigint;
BEGIN
  SELECT coalesce(max(h.seq), 0) INTO head FROM projection_checkpoints p CROSS JOIN LATERAL (
    SELECT j.seq FROM trading_journal j WHERE j.shard = p.shard ORDER BY j.seq DESC LIMIT 1) AS h;
  EXECUTE format('ALTER TABLE trading_journal ADD CONSTRAINT trading_journal_bound CHECK (seq >= 1 AND seq < %s) NOT VALID',
    (head / 1000000 + 11) * 1000000);
END $$;
