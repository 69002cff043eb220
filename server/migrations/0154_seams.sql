-- A search for a quoted phrase of frequent words read all messages that have these words, and compared the text of each.
-- A seam is where two words meet: the last two characters of one, and the first two of the next. A text that has a phrase
-- has its seams, so the index finds the few texts that may have it, and only those are compared.
--
-- What is a word is decided for each character by itself, as the comparison does not know words either. So a word of the
-- phrase may be a part of a longer one in the text, at both ends of the phrase.
CREATE FUNCTION seams_of(written text) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT COST 1000 AS $$
DECLARE
  lowered constant text := lower(written);
  words constant text[] := regexp_split_to_array(
    -- Only other alphabets have several spellings.
    CASE WHEN octet_length(lowered) = length(lowered) THEN lowered ELSE public.same_spelling(lowered) END,
    '[^[:alnum:]_]+');
  word text;
  before text := '';
  seams text[] := '{}';
BEGIN
  FOREACH word IN ARRAY words LOOP
    -- The first and the last are empty where a text begins or ends with other characters.
    CONTINUE WHEN word = '';
    IF before <> '' THEN
      seams := seams || (right(before, 2) || ' ' || left(word, 2));
    END IF;
    before := word;
  END LOOP;
  RETURN seams;
END $$;

-- The seams that every text with this phrase has. A single character at an end of the phrase may be a part of a longer
-- word in the text, and says nothing.
CREATE FUNCTION sure_seams_of(asked text) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT seams_of(regexp_replace(regexp_replace(same_spelling(lower(asked)),
    '^[^[:alnum:]_]*[[:alnum:]_](?![[:alnum:]_])', ''), '(?<![[:alnum:]_])[[:alnum:]_][^[:alnum:]_]*$', ''))
$$;

-- Whether the text or the topic has the phrase. The price tells the planner to ask everything else before.
CREATE FUNCTION has_phrase(content text, topic text, asked text) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT COST 300 SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  phrase constant text := same_spelling(lower(asked));
  lowered text;
  written text;
BEGIN
  FOREACH written IN ARRAY ARRAY[content, topic] LOOP
    lowered := lower(written);
    IF octet_length(lowered) <> length(lowered) THEN
      lowered := same_spelling(lowered);
    END IF;
    IF strpos(lowered, phrase) > 0 THEN
      RETURN true;
    END IF;
  END LOOP;
  RETURN false;
END $$;

-- Parts of the table that will be made have the index. Of those that are there, small ones get it now: nobody can send
-- while it is built, and a large one takes minutes. There it is built later, with CONCURRENTLY
-- (docs/operating/upgrades.md). Until then a search in that part compares all messages that have the words.
CREATE INDEX messages_seams ON ONLY messages USING gin (seams_of(content || ' ' || topic) COLLATE "C");
DO $$
DECLARE
  part regclass;
  rows bigint;
BEGIN
  FOR part IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'public.messages'::regclass LOOP
    EXECUTE format('SELECT count(*) FROM (SELECT FROM %s LIMIT 100001) AS first', part) INTO rows;
    IF rows <= 100000 THEN
      EXECUTE format('CREATE INDEX %I ON %s USING gin (seams_of(content || '' '' || topic) COLLATE "C")',
        part::text || '_seams', part);
      EXECUTE format('ALTER INDEX public.messages_seams ATTACH PARTITION public.%I', part::text || '_seams');
      -- The planner takes the index for a rare seam only if it knows how often seams occur. Of an empty part it would
      -- learn that it stays empty.
      IF rows > 0 THEN
        EXECUTE format('ANALYZE %s', part);
      END IF;
    END IF;
  END LOOP;
END $$;
