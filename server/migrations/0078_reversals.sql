-- Deposits that a network has undone are taken back, and what networks charge is booked.
ALTER TABLE trading_movements
  -- Of a reversal: what nobody had of the amount, and whether the venue was to cover it.
  ADD COLUMN missing numeric(38, 0) NOT NULL DEFAULT 0 CHECK (missing >= 0 AND missing <= amount),
  ADD COLUMN cover boolean NOT NULL DEFAULT false,
  DROP CONSTRAINT trading_movements_kind_check,
  ADD CONSTRAINT trading_movements_kind_check
    CHECK (kind IN ('deposit', 'withdrawal', 'transfer', 'adjustment', 'capital', 'reversal', 'chain_cost'));
COMMENT ON COLUMN trading_movements.reference IS
  'For a deposit "network:depositId", for a reversal "network:depositId:part", else the sender''s id.';
COMMENT ON COLUMN custody_evidence.cause IS
  'The movement of the ledger that it stands for, as "kind:reference". The evidence of a reversal is that of its part 0.';

-- The audit counts costs that nobody could pay yet as neither gone nor booked.
CREATE INDEX operator_commands_unpaid_costs ON operator_commands (id)
  WHERE status = 'refused' AND command LIKE '%"book_chain_cost"%';
