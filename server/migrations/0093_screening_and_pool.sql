-- What somebody else said about the parties of a deposit or a withdrawal, where the deployment asks; and deposits that wait in
-- the pool of a node.

ALTER TABLE custody_transfers
  -- Empty: nobody was asked. `silent`: there was no good answer, and it is asked again.
  ADD COLUMN screening text NOT NULL DEFAULT '' CHECK (screening IN ('', 'allow', 'hold', 'reject', 'silent')),
  ADD COLUMN screened_at timestamptz,
  -- It was seen in a pool, and has never been in a block.
  ADD COLUMN is_pooled boolean NOT NULL DEFAULT false;
CREATE INDEX custody_transfers_pooled ON custody_transfers (network, deposit_id)
  WHERE is_pooled AND status IN ('detected', 'orphaned');

ALTER TABLE withdrawals
  ADD COLUMN screening text NOT NULL DEFAULT '' CHECK (screening IN ('', 'allow', 'hold', 'reject', 'silent')),
  ADD COLUMN screened_at timestamptz;
