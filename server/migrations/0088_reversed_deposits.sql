-- Deposits that a chain has undone after they were credited: operators take them back, and they may come again.

ALTER TABLE custody_transfers
  -- The row of operator_commands that takes it back, once two operators have agreed.
  ADD COLUMN reversal_id bigint,
  -- Which part of the reversal that is: later ones collect what was missing.
  ADD COLUMN reversal_part integer NOT NULL DEFAULT 0 CHECK (reversal_part >= 0),
  -- What its account no longer had, and nobody covered, in units of 10^-18.
  ADD COLUMN missing numeric(38, 0) NOT NULL DEFAULT 0 CHECK (missing >= 0);
CREATE INDEX custody_transfers_reversing ON custody_transfers (network, deposit_id)
  WHERE reversal_id IS NOT NULL;
