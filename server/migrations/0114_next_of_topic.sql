-- The next messages of a topic after one of them, in the order of ids, for a move in steps (decision 0097). The caller has
-- locked the conversation.
--
-- The planner does not know how large a topic is that has its name since a moment ago. It took it for a small one, and
-- read and sorted all of it for each step. Without sorting, each plan that is left begins after that message and ends
-- with the last one wanted.
CREATE FUNCTION next_of_topic(place integer, name text, after bigint, readable int8multirange, most integer)
RETURNS TABLE (id bigint, sent_at timestamptz, place_seq bigint) LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp
SET enable_sort = off SET enable_incremental_sort = off AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT m.id, m.sent_at, m.place_seq FROM messages m
     WHERE m.conversation_id = place AND lower(m.topic) = lower(name) AND m.id > after
       AND (readable IS NULL OR readable @> m.place_seq)
     ORDER BY m.id LIMIT most FOR UPDATE OF m;
END $$;
