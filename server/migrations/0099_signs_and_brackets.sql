-- What stands between < and > is text here: the parser of PostgreSQL took it for a tag, and its words were not found.
--
-- PostgreSQL plans a function in SQL anew for each statement that calls it, and a message's row calls this one twice: for
-- its text, and for its topic in the index of the search. That took more time than finding the words. A function in
-- PL/pgSQL is planned once for each connection.
CREATE OR REPLACE FUNCTION words_of(written text) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  spelled constant text := translate(public.same_spelling(written), '<>', '  ');
BEGIN
  IF strpos(spelled, U&'\200C') = 0 THEN
    RETURN to_tsvector('public.chat', spelled);
  END IF;
  RETURN to_tsvector('public.chat', translate(spelled, U&'\200C', ' '))
      || to_tsvector('public.chat', translate(spelled, U&'\200C', ''));
END $$;
CREATE OR REPLACE FUNCTION query_of(asked text) RETURNS tsquery
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  SELECT plainto_tsquery('public.chat', translate(public.same_spelling(asked), U&'<>\200C', '   '))
$$;

-- Only messages with such a pair have other words than before.
UPDATE messages SET content_words = words_of(content)
 WHERE content LIKE '%<%>%' AND content_words IS DISTINCT FROM words_of(content);

-- The index holds the words of topics as they were. It is built again only where a topic has others now, because no
-- message can be sent meanwhile.
DO $$
BEGIN
  IF EXISTS (SELECT FROM messages WHERE topic LIKE '%<%>%') THEN
    DROP INDEX public.messages_words;
    CREATE INDEX messages_words ON public.messages USING gin ((content_words || public.words_of(topic)));
  END IF;
END $$;

-- Every two signs that stand side by side, such as :) or %%. A search for signs has no words to look up, and would
-- read all messages otherwise. Most messages have none, so the index is small.
-- The check before the list is for those: making a list takes many times as long.
CREATE FUNCTION sign_pairs(written text) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  spelled constant text := public.same_spelling(lower(written));
BEGIN
  IF spelled !~ '[^[:alnum:]_[:space:]]{2}' THEN
    RETURN '{}';
  END IF;
  RETURN (
    SELECT coalesce(array_agg(DISTINCT substr(runs[1], n, 2)), '{}')
      FROM regexp_matches(spelled, '[^[:alnum:]_[:space:]]{2,}', 'g') AS runs,
           generate_series(1, length(runs[1]) - 1) AS n);
END $$;
CREATE INDEX messages_signs ON messages USING gin (sign_pairs(content || ' ' || topic));
