-- A row of history is written only for messages that the same transaction has locked, so the check that the message is there
-- finds nothing. For a partitioned table it is slow, and took half the time of a move (decision 0097). The other half of the
-- foreign key stays: history goes with its message, by this trigger.
CREATE FUNCTION forget_edits() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  DELETE FROM message_edits WHERE message_id = OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER forget_edits AFTER DELETE ON messages FOR EACH ROW EXECUTE FUNCTION forget_edits();
ALTER TABLE message_edits DROP CONSTRAINT message_edits_message_id_fkey;
