-- A movement of money whose cause the engine has forgotten waits until the projections show what became of
-- it. Whoever looks at the row is told so: then it is no engine that is missing.
ALTER TABLE operator_commands
  ADD COLUMN waits_for text NOT NULL DEFAULT '' CHECK (waits_for IN ('', 'projection'));

COMMENT ON COLUMN trading_movements.to_owner IS
  'An account''s id, one of the venue''s accounts, or custody:NETWORK, also of a withdrawal that is pending.';
