-- Whom an event may concern: people by their ids, the subscribers of a channel by its negated id, and 0 for everybody.
-- A queue that is far behind finds its events by an index of these, and does not read those of others. Who gets an event
-- is decided from its audience, as before; this only leaves out what cannot be for the reader.
CREATE FUNCTION concerns_of(audience jsonb, rights_of integer[]) RETURNS integer[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT COST 200 AS $$
DECLARE
  -- An event for more people than this counts as one for everybody: the index has a bound for each row.
  people_max constant integer := 1000;
  concerns integer[] := rights_of;
  list jsonb;
BEGIN
  IF audience ? 'everyone' THEN
    concerns := concerns || 0;
  END IF;
  IF audience ? 'channel' THEN
    concerns := concerns || -(audience ->> 'channel')::integer;
    IF audience ->> 'who' <> 'subscribers' THEN
      concerns := concerns || 0;
    END IF;
  END IF;
  FOREACH list IN ARRAY ARRAY[audience -> 'users', audience -> 'also', audience -> 'called'] LOOP
    -- An error here would stop the relay.
    CONTINUE WHEN jsonb_typeof(list) IS DISTINCT FROM 'array' OR list = '[]';
    IF jsonb_array_length(list) > people_max THEN
      concerns := concerns || 0;
    ELSE
      concerns := concerns || translate(list::text, '[]', '{}')::integer[];
    END IF;
  END LOOP;
  RETURN CASE WHEN cardinality(rights_of) > people_max THEN concerns[cardinality(rights_of) + 1:] || 0 ELSE concerns END;
END $$;

-- Parts of the log that will be made have the index. Of those that are there, small ones get it now; the others go in
-- time, and a queue reads them as before. What is not sorted in yet is read by everybody who asks, so that stays small.
CREATE INDEX event_log_concerns ON ONLY event_log USING gin (concerns_of(audience, rights_of))
  WITH (gin_pending_list_limit = 256) WHERE type <> 'trading_batch';
DO $$
DECLARE
  part regclass;
  has_many boolean;
BEGIN
  FOR part IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'public.event_log'::regclass LOOP
    EXECUTE format('SELECT count(*) > 50000 FROM (SELECT FROM %s LIMIT 50001) AS first', part) INTO has_many;
    IF NOT has_many THEN
      EXECUTE format('CREATE INDEX %I ON %s USING gin (concerns_of(audience, rights_of)) WITH (gin_pending_list_limit = 256) WHERE type <> ''trading_batch''',
        part::text || '_concerns', part);
      EXECUTE format('ALTER INDEX public.event_log_concerns ATTACH PARTITION public.%I', part::text || '_concerns');
    END IF;
  END LOOP;
END $$;
