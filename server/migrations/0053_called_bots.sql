-- One more flag on a message, beside those of 0014: 64, a bot was called to it from outside the channel and may read it.
-- Rows that are there already are below the old bound, so nothing is checked again.
ALTER TABLE message_flags DROP CONSTRAINT message_flags_flags_check;
ALTER TABLE message_flags
  ADD CONSTRAINT message_flags_flags_check CHECK (flags > 0 AND flags < 128) NOT VALID;
CREATE INDEX message_flags_called ON message_flags (user_id, message_id) WHERE flags & 64 <> 0;
