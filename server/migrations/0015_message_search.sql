-- Full-text search. English words are found by their stem; other words as they are written, Persian ones in
-- any of the spellings that people use for the same word.

-- As PostgreSQL's own configuration for English, but without stop words: in a chat, "to do" is a topic.
CREATE TEXT SEARCH DICTIONARY chat_stem (TEMPLATE = snowball, Language = english);
CREATE TEXT SEARCH CONFIGURATION chat (COPY = pg_catalog.english);
ALTER TEXT SEARCH CONFIGURATION chat ALTER MAPPING REPLACE english_stem WITH chat_stem;

-- One spelling for each word: Persian letters for the Arabic ones that look the same, plain digits, and no
-- vowel signs or stretching.
CREATE FUNCTION same_spelling(written text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  SELECT translate(
    written,
    U&'\064A\0649\0643\0629\06C0\0623\0625\0671\06F0\06F1\06F2\06F3\06F4\06F5\06F6\06F7\06F8\06F9'
    '\0660\0661\0662\0663\0664\0665\0666\0667\0668\0669'
    '\0640\064B\064C\064D\064E\064F\0650\0651\0652\0654\0670',
    U&'\06CC\06CC\06A9\0647\0647\0627\0627\0627'
    '01234567890123456789')
$$;

-- The words of a text. What is joined by a half-space counts as its parts and as one word.
CREATE FUNCTION words_of(written text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  SELECT CASE WHEN strpos(written, U&'\200C') = 0 THEN to_tsvector('public.chat', same_spelling(written))
    ELSE to_tsvector('public.chat', translate(same_spelling(written), U&'\200C', ' '))
      || to_tsvector('public.chat', translate(same_spelling(written), U&'\200C', '')) END
$$;

-- All words of what somebody looks for.
CREATE FUNCTION query_of(asked text) RETURNS tsquery
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  SELECT plainto_tsquery('public.chat', translate(same_spelling(asked), U&'\200C', ' '))
$$;

CREATE INDEX messages_words ON messages USING gin ((content_words || words_of(topic)));
