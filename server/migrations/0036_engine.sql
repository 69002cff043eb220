-- What the engine is asked by rows has a bound: a line of the journal is kept for ever.
ALTER TABLE operator_commands
  ADD CONSTRAINT operator_commands_bounded CHECK (octet_length(command) <= 65536) NOT VALID;

-- How far the wall clock of the leading engine's machine is from the time that the engine gives to commands.
ALTER TABLE trading_leases ADD COLUMN clock_offset_ms bigint NOT NULL DEFAULT 0;

-- Commands that made the core throw. The second time, each is refused at the door.
CREATE TABLE poisoned_commands (
  shard smallint NOT NULL,
  -- SHA-256 of the command as JSON, its members in order, without its time and its checkpoint.
  hash bytea NOT NULL,
  -- That JSON; of one that is very long, only type and account.
  command text NOT NULL,
  error text NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (shard, hash)
);
