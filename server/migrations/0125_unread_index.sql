-- What a register wants of an unread message: its id, topic and place. With all of it in the index that finds the
-- message, the message itself is not read. It replaces messages_home, whose columns are its first ones.
--
-- Building it reads every message, and nobody can write messages meanwhile: about 7 s for each million. With many messages,
-- build it before this migration for each part of the table with CONCURRENTLY; then this takes a moment
-- (docs/operating/upgrades.md).
CREATE INDEX messages_unread ON messages (home_id, seq)
  INCLUDE (id, conversation_id, place_seq, mentions_everyone, topic);
DROP INDEX messages_home;
