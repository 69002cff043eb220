-- A movement of money whose cause the engine has forgotten waits until the projections show what became of
-- it. Whoever looks at the row is told so: then it is no engine that is missing.
ALTER TABLE operator_commands
  ADD COLUMN waits_for text NOT NULL DEFAULT '' CHECK (waits_for IN ('', 'projection'));

COMMENT ON COLUMN trading_movements.to_owner IS
  'An account''s id, one of the venue''s accounts, or custody:NETWORK, also of a withdrawal that is pending.';

-- What the venue deals in, once and for all. Whoever starts first on an empty database says it; one that holds
-- simulated deposits has said it already.
CREATE TABLE venue (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  money text NOT NULL CHECK (money IN ('real', 'simulated')),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE TRIGGER venue_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON venue
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
INSERT INTO venue (money)
SELECT 'simulated'
 WHERE EXISTS (SELECT FROM trading_movements WHERE kind = 'deposit' AND from_owner = 'custody:SIMULATED')
    OR EXISTS (SELECT FROM operator_commands
                WHERE command LIKE '%"credit_deposit"%' AND command::json ->> 'network' = 'SIMULATED');

-- Capital of the venue's own comes in and goes out over a network, and two people want it or it does not happen.
ALTER TABLE trading_movements
  DROP CONSTRAINT trading_movements_kind_check,
  ADD CONSTRAINT trading_movements_kind_check
    CHECK (kind IN ('deposit', 'withdrawal', 'transfer', 'adjustment', 'capital'));
ALTER TABLE operator_commands
  DROP CONSTRAINT operator_commands_adjust_approved,
  ADD CONSTRAINT operator_commands_adjust_approved CHECK (
    coalesce(command::json ->> 'type', '') NOT IN ('adjust', 'contribute_capital', 'withdraw_capital')
    OR status IN ('awaiting_approval', 'withdrawn')
    OR (requested_by_id IS NOT NULL AND approved_by_id IS NOT NULL));
