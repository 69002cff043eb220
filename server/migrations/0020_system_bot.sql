-- The bot in whose name the organization itself speaks: what was created, renamed, moved, resolved. It belongs
-- to nobody, is in no group, and nobody can sign in as it.
ALTER TABLE users
  ADD COLUMN is_system boolean NOT NULL DEFAULT false,
  ADD CHECK (NOT is_system OR (bot_type IS NOT NULL AND bot_owner_id IS NULL AND password_hash IS NULL));

-- Far away from the numbers of people, which are drawn from one on. The key is random bytes that are the hash of
-- nothing anybody has, and there is nothing sealed to open.
INSERT INTO users (id, email, full_name, role, bot_type, is_system, chat_key_lookup, chat_key_sealed)
VALUES (2000000001, 'notification-bot@rialto.invalid', 'Notification Bot', 400, 1, true,
        decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'), '');
