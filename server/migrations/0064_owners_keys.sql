-- Trading keys that their owners make and rotate: with a secret of ours, or with a public key of theirs.

ALTER TABLE trading_keys DROP CONSTRAINT trading_keys_type_check;
ALTER TABLE trading_keys
  ALTER COLUMN secret_sealed DROP NOT NULL,
  -- Of an Ed25519 key; its private half never comes here.
  ADD COLUMN public_key bytea CHECK (length(public_key) = 32),
  -- The key that takes its place when it ends.
  ADD COLUMN replaced_by text REFERENCES trading_keys ON DELETE SET NULL,
  ADD CONSTRAINT trading_keys_type_check CHECK (type IN ('hmac', 'ed25519')),
  -- What a key is checked with follows from its type, and its name tells the type.
  ADD CONSTRAINT trading_keys_proof CHECK (
    (type = 'hmac') = (secret_sealed IS NOT NULL)
    AND (type = 'ed25519') = (public_key IS NOT NULL)
    AND (type = 'ed25519') = starts_with(key_id, 'svc_edk_'));
CREATE INDEX trading_keys_replaced_by ON trading_keys (replaced_by) WHERE replaced_by IS NOT NULL;
