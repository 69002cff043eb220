-- A dump is restored with an empty search_path, so whatever is called then has to name its schema. words_of did not,
-- and the index of the search was lost: pg_restore went on without it, and psql stopped there.
--
-- These two stay without a setting of their own: PostgreSQL writes the body of such a function into the query.
CREATE OR REPLACE FUNCTION words_of(written text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  SELECT CASE WHEN strpos(written, U&'\200C') = 0 THEN to_tsvector('public.chat', public.same_spelling(written))
    ELSE to_tsvector('public.chat', translate(public.same_spelling(written), U&'\200C', ' '))
      || to_tsvector('public.chat', translate(public.same_spelling(written), U&'\200C', '')) END
$$;
CREATE OR REPLACE FUNCTION query_of(asked text) RETURNS tsquery
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  SELECT plainto_tsquery('public.chat', translate(public.same_spelling(asked), U&'\200C', ' '))
$$;

-- Everything else finds our tables whatever the connection's search_path is: triggers also fire in a session of
-- pg_restore or of an operator who has set another one.
ALTER FUNCTION open_conversation(text, integer[]) SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION has_active_owners(bigint) SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION is_suspended_by_operator(bigint) SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION suspend_with_owner(bigint, text) SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION is_operator(integer) SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION check_journal_order() SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION open_trading_account() SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION keep_operator_command() SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION order_suspensions() SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION follow_owner() SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION guard_phases() SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION forget_name_keys() SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION void_operator_secret() SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION guard_approval() SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION guard_money() SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION refuse_change() SET search_path = pg_catalog, public, pg_temp;

-- A database that was restored before this has no such index, or one that was never finished. Parts that are there
-- become parts of the new one.
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_index WHERE indexrelid = to_regclass('public.messages_words') AND indisvalid) THEN
    RETURN;
  END IF;
  DROP INDEX IF EXISTS public.messages_words;
  CREATE INDEX messages_words ON public.messages USING gin ((content_words || public.words_of(topic)));
END $$;

-- Which database this is: a restored one is another, in the same cluster or not.
CREATE FUNCTION database_identity() RETURNS text LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  cluster text := '';
BEGIN
  -- Some hosts of PostgreSQL keep it to themselves.
  IF has_function_privilege('pg_control_system()', 'EXECUTE') THEN
    SELECT system_identifier::text INTO cluster FROM pg_control_system();
  END IF;
  RETURN cluster || '.' || (SELECT oid::text FROM pg_database WHERE datname = current_database());
END $$;

-- Positions and transaction numbers of an event queue mean something in the database in which it was registered only:
-- elsewhere a client would miss events, so there it has to register again.
ALTER TABLE event_queues ADD COLUMN database text NOT NULL DEFAULT database_identity();
