-- Heads of the audit log: its last entry at a time, signed with a key that the database does not have. They are
-- published, so whoever kept one can tell that entries were cut off or that the log was written anew.
CREATE TABLE audit_heads (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- The entry that was the last, and its hash. No reference: a head outlives what was done to the log.
  seq bigint NOT NULL CHECK (seq > 0),
  hash bytea NOT NULL CHECK (length(hash) = 32),
  at timestamptz(3) NOT NULL,
  -- The first digits of the SHA-256 of the public key.
  key_id text NOT NULL CHECK (key_id ~ '^[0-9a-f]{16}$'),
  -- Ed25519, over the text that accounts/audit/head.ts makes of the other columns.
  signature bytea NOT NULL CHECK (length(signature) = 64)
);
CREATE TRIGGER audit_heads_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_heads
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
