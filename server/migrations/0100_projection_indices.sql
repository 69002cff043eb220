-- No read uses this index: it only refuses a cause that is posted twice. For a trade the keys of the trade and of the
-- entry refuse that already, and nearly all entries are of trades. It stays for movements of money. It is built before
-- the old one goes, so that there is no moment without it.
CREATE UNIQUE INDEX ledger_entries_movement
  ON ledger_entries (reference_id, reference_type, kind, account_id, coin, network)
  WHERE reference_type <> 'trade';
DROP INDEX ledger_entries_cause;
