-- When to look for messages past their retention. One row for each conversation, with a time that none of its messages
-- is older than: it may be too early, which costs a look, and never too late. So sending and deleting write nothing
-- here. The worker writes the true time when it has looked (chat/messages/removing).
CREATE TABLE retention_queue (
  conversation_id integer PRIMARY KEY REFERENCES conversations,
  oldest_ms bigint NOT NULL,
  -- The rule of the channel: null for that of the organization, -1 for ever. Only the triggers below write it.
  days integer
) WITH (fillfactor = 80);

-- A conversation has no messages when it is opened. Its first one has the time of another machine's clock, which may be
-- behind the clock here: an hour covers that.
CREATE FUNCTION queue_for_retention() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO retention_queue (conversation_id, oldest_ms)
  VALUES (NEW.id, floor(extract(epoch FROM NEW.created_at) * 1000) - 3600000);
  RETURN NULL;
END $$;
CREATE TRIGGER queue_for_retention AFTER INSERT ON conversations
  FOR EACH ROW EXECUTE FUNCTION queue_for_retention();

CREATE FUNCTION follow_retention_rule() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE retention_queue SET days = NEW.message_retention_days
   WHERE conversation_id = NEW.conversation_id AND days IS DISTINCT FROM NEW.message_retention_days;
  RETURN NULL;
END $$;
CREATE TRIGGER follow_retention_rule AFTER INSERT OR UPDATE OF message_retention_days ON channels
  FOR EACH ROW EXECUTE FUNCTION follow_retention_rule();

-- A message that comes from another channel may be older than all that are there. Processes of the release before move
-- messages too, so this is a trigger.
CREATE FUNCTION requeue_for_retention() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  sent_ms constant bigint := floor(extract(epoch FROM NEW.sent_at) * 1000);
BEGIN
  UPDATE retention_queue SET oldest_ms = sent_ms
   WHERE conversation_id = NEW.conversation_id AND oldest_ms > sent_ms;
  RETURN NULL;
END $$;
CREATE TRIGGER requeue_for_retention AFTER UPDATE OF conversation_id ON messages
  FOR EACH ROW WHEN (NEW.conversation_id <> OLD.conversation_id) EXECUTE FUNCTION requeue_for_retention();

INSERT INTO retention_queue (conversation_id, oldest_ms, days)
SELECT d.id, floor(extract(epoch FROM coalesce(oldest.sent_at, now() - interval '1 hour')) * 1000), c.message_retention_days
  FROM conversations d
  LEFT JOIN channels c ON c.conversation_id = d.id
  LEFT JOIN LATERAL (
    SELECT m.sent_at FROM messages m WHERE m.conversation_id = d.id ORDER BY m.id LIMIT 1) AS oldest ON true;

-- The rule of the organization is the same for all of these rows, so its change writes none of them.
CREATE INDEX retention_queue_organization ON retention_queue (oldest_ms) WHERE days IS NULL;
CREATE INDEX retention_queue_channel ON retention_queue ((oldest_ms + days * 86400000::bigint)) WHERE days > 0;
