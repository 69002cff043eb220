-- A topic that is renamed as a whole is one row here (decision 0106). What its messages have in `topic` is from then on its key:
-- the small letters of the name that it had first. A topic that was never renamed has no row, and its key is its name.
CREATE TABLE topics (
  conversation_id integer NOT NULL REFERENCES conversations,
  -- lower(messages.topic) of its messages. Where that name belongs to another topic, a sign that no name has, and a number.
  key text NOT NULL CHECK (length(key) <= 60),
  name text NOT NULL CHECK (name <> '' AND length(name) <= 60),
  links jsonb NOT NULL DEFAULT '[]',
  words tsvector NOT NULL,
  -- The newest message when it got this name. Later ones have the links that they were sent with.
  last_id bigint NOT NULL,
  -- The last rename that is no resolving: when it was, its id, and the newest message then.
  moved_at timestamptz,
  moved_rename_id bigint,
  moved_last_id bigint,
  PRIMARY KEY (conversation_id, key)
);
CREATE UNIQUE INDEX topics_name ON topics (conversation_id, lower(name));
CREATE INDEX topics_words ON topics USING gin (words);
CREATE INDEX topics_signs ON topics USING gin (sign_pairs(name));
CREATE SEQUENCE topic_keys;

-- The history that all messages of a topic share. Its ids are drawn together with those of message_edits, so that both
-- stand in one order.
CREATE TABLE topic_renames (
  id bigint PRIMARY KEY,
  conversation_id integer NOT NULL,
  key text NOT NULL,
  user_id integer NOT NULL REFERENCES users,
  at timestamptz NOT NULL,
  -- Null where each message had its own spelling, which is still in messages.topic.
  prev_name text,
  name text NOT NULL,
  is_resolve_toggle boolean NOT NULL,
  -- The newest message then.
  last_id bigint NOT NULL,
  FOREIGN KEY (conversation_id, key) REFERENCES topics ON DELETE CASCADE
);
CREATE INDEX topic_renames_topic ON topic_renames (conversation_id, key, id);

-- A message that leaves its topic takes the renames of the topic along, each as a row of its own in the place of that id.
ALTER TABLE message_edits ADD COLUMN rename_id bigint;

-- A process of an older release takes a key for a name. As long as one runs, no topic is renamed as a row.
ALTER TABLE processes ADD COLUMN knows_topic_keys boolean NOT NULL DEFAULT false;

-- The key of the topic that has this name now. Null for a name that none has, and that is the key of another topic.
CREATE FUNCTION topic_key(place integer, wanted text) RETURNS text LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  found_key text;
BEGIN
  SELECT t.key INTO found_key FROM topics t WHERE t.conversation_id = place AND lower(t.name) = lower(wanted);
  IF FOUND THEN
    RETURN found_key;
  END IF;
  PERFORM FROM topics t WHERE t.conversation_id = place AND t.key = lower(wanted);
  IF FOUND THEN
    RETURN NULL;
  END IF;
  RETURN lower(wanted);
END $$;

-- What a plain message to this name is to have in `topic`. Null if that is not the spelling of a renamed topic, or if the
-- name is another topic's key.
CREATE FUNCTION sent_to(place integer, wanted text) RETURNS text LANGUAGE plpgsql STABLE STRICT
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  key_as_named text;
BEGIN
  SELECT CASE WHEN t.name = wanted THEN t.key END INTO key_as_named FROM topics t
   WHERE t.conversation_id = place AND lower(t.name) = lower(wanted);
  IF FOUND THEN
    RETURN key_as_named;
  END IF;
  PERFORM FROM topics t WHERE t.conversation_id = place AND t.key = lower(wanted);
  IF FOUND THEN
    RETURN NULL;
  END IF;
  RETURN wanted;
END $$;

-- What a message of this topic is to have in `topic`, and the name that is shown of it. A name whose key is another
-- topic's gets a new key.
CREATE FUNCTION take_topic(place integer, wanted text, OUT stored text, OUT shown text) LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  SELECT t.key, t.name INTO stored, shown FROM topics t
   WHERE t.conversation_id = place AND lower(t.name) = lower(wanted);
  IF FOUND THEN
    RETURN;
  END IF;
  stored := wanted;
  shown := wanted;
  PERFORM FROM topics t WHERE t.conversation_id = place AND t.key = lower(wanted);
  IF NOT FOUND THEN
    RETURN;
  END IF;
  -- Renames hold this lock, so the name stays free.
  PERFORM FROM conversation_counters n WHERE n.conversation_id = place FOR UPDATE;
  SELECT t.key, t.name INTO stored, shown FROM topics t
   WHERE t.conversation_id = place AND lower(t.name) = lower(wanted);
  IF FOUND THEN
    RETURN;
  END IF;
  stored := chr(1) || nextval('topic_keys');
  shown := wanted;
  INSERT INTO topics (conversation_id, key, name, words, last_id) VALUES (place, stored, wanted, words_of(wanted), 0);
END $$;

-- As in migration 0114, except that the name is a topic's present one.
CREATE OR REPLACE FUNCTION next_of_topic(place integer, name text, after bigint, readable int8multirange, most integer)
RETURNS TABLE (id bigint, sent_at timestamptz, place_seq bigint) LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp
SET enable_sort = off SET enable_incremental_sort = off AS $$
#variable_conflict use_column
DECLARE
  wanted constant text := topic_key(place, name);
BEGIN
  RETURN QUERY
    SELECT m.id, m.sent_at, m.place_seq FROM messages m
     WHERE m.conversation_id = place AND lower(m.topic) = wanted AND m.id > after
       AND (readable IS NULL OR readable @> m.place_seq)
     ORDER BY m.id LIMIT most FOR UPDATE OF m;
END $$;

-- As in migration 0116, except: a message can have flags for people whom it mentions (`flagged`, `bits`), can arrive as
-- read for others than its sender (`read_by`), and can make people follow its topic (`follow`). The conversation may be
-- one of direct messages. Local ids are claimed only where there are any. The topic is given by its present name, and
-- written as its key (`stored`).
CREATE OR REPLACE FUNCTION post_messages(target integer, posts jsonb)
RETURNS TABLE (nth integer, message_id bigint) LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  claimed integer[];
  fresh integer[];
  fit integer[];
  -- What each of these has as its topic.
  stored text[];
  ids bigint[];
  base bigint;
  floor xid8;
  one record;
  -- The bits of a block of the read state, as messages/read-state/marks.ts has them.
  size constant integer := 8192;
  through bigint;
  known integer;
BEGIN
  -- The order of all senders: the people, their claims, the counter. A deactivation that is under way is waited for.
  PERFORM FROM users u
    WHERE u.id IN (SELECT p.sender FROM jsonb_to_recordset(posts) AS p (sender integer))
    ORDER BY u.id FOR SHARE;

  IF posts @? '$[*].local_id' THEN
    -- A local id that is in use already belongs to an earlier request: the long way finds its message.
    WITH given AS (
      SELECT p.* FROM jsonb_to_recordset(posts)
          AS p (n integer, sender integer, queue_id text, local_id text, request text)
       WHERE p.local_id IS NOT NULL ORDER BY p.sender, p.local_id, p.n
    ), once AS (
      INSERT INTO sent_once (sender_id, local_id, request)
      SELECT g.sender, g.local_id::uuid, decode(g.request, 'hex') FROM given g WHERE g.request IS NOT NULL
      ON CONFLICT DO NOTHING RETURNING sender_id, local_id::text
    ), echoes AS (
      INSERT INTO local_echoes (sender_id, queue_id, local_id)
      SELECT g.sender, g.queue_id, g.local_id FROM given g WHERE g.request IS NULL
      ON CONFLICT DO NOTHING RETURNING sender_id, queue_id, local_id
    )
    -- Of a local id that comes twice in one call, the first is sent.
    SELECT array_agg(firsts.n) INTO claimed FROM (
      SELECT min(g.n) AS n FROM given g JOIN once o ON g.request IS NOT NULL AND o.sender_id = g.sender
         AND o.local_id = lower(g.local_id) GROUP BY o.sender_id, o.local_id
      UNION ALL
      SELECT min(g.n) FROM given g JOIN echoes e ON g.request IS NULL AND e.sender_id = g.sender
         AND e.queue_id = g.queue_id AND e.local_id = g.local_id GROUP BY e.sender_id, e.queue_id, e.local_id
    ) AS firsts;
  END IF;

  SELECT seq INTO STRICT base FROM conversation_counters WHERE conversation_id = target FOR UPDATE;

  -- A statement of its own: it sees everything that was committed before the counter was locked. A change is news if
  -- it is visible here and was not in a snapshot that the sender's facts were read in.
  SELECT xid INTO STRICT floor FROM fact_floor;
  SELECT array_agg(p.n ORDER BY p.n) INTO fresh
    FROM jsonb_to_recordset(posts)
        AS p (n integer, sender integer, role smallint, about integer[], snapshots pg_snapshot[])
    JOIN users u ON u.id = p.sender AND u.is_active AND u.role <= p.role
   WHERE cardinality(p.about) = cardinality(p.snapshots)
     AND NOT EXISTS (
           SELECT FROM unnest(p.about, p.snapshots) AS relied (about, seen)
            -- One look at the index for each, however many changes there are.
            CROSS JOIN LATERAL (
              SELECT FROM fact_changes c
               WHERE c.about = relied.about AND c.xid >= pg_snapshot_xmin(relied.seen)
                 AND NOT pg_visible_in_snapshot(c.xid, relied.seen) LIMIT 1) AS news)
     AND NOT EXISTS (SELECT FROM unnest(p.snapshots) AS seen WHERE pg_snapshot_xmin(seen) < floor);
  -- In a topic that was renamed a message takes the topic's spelling, and the name that such a topic had before needs a key
  -- of its own. The long way sees to both.
  SELECT array_agg(p.n ORDER BY p.n), array_agg(p.stored ORDER BY p.n) INTO fit, stored
    FROM (SELECT given.*, sent_to(target, given.topic) AS stored
            FROM jsonb_to_recordset(posts) AS given (n integer, topic text, needs_topic boolean, local_id text) OFFSET 0) AS p
   WHERE p.n = ANY (fresh) AND (p.local_id IS NULL OR p.n = ANY (claimed))
     AND p.stored IS NOT NULL
     -- One look at the index, at the place of the topic. As EXISTS, it would be planned as a table of all topics of the
     -- channel, made from all of its messages.
     AND (NOT p.needs_topic OR (
           SELECT m.conversation_id = target AND lower(m.topic) = lower(p.stored) FROM messages m
            WHERE (m.conversation_id, lower(m.topic)) >= (target, lower(p.stored))
            ORDER BY m.conversation_id, lower(m.topic) LIMIT 1));

  IF claimed IS NOT NULL THEN
    -- What is not sent claims nothing.
    DELETE FROM sent_once s USING jsonb_to_recordset(posts) AS p (n integer, sender integer, local_id text, request text)
     WHERE p.n = ANY (claimed) AND p.n <> ALL (coalesce(fit, '{}')) AND p.request IS NOT NULL
       AND s.sender_id = p.sender AND s.local_id = p.local_id::uuid;
    DELETE FROM local_echoes s
     USING jsonb_to_recordset(posts) AS p (n integer, sender integer, queue_id text, local_id text, request text)
     WHERE p.n = ANY (claimed) AND p.n <> ALL (coalesce(fit, '{}')) AND p.request IS NULL
       AND s.sender_id = p.sender AND s.queue_id = p.queue_id AND s.local_id = p.local_id;
  END IF;
  IF fit IS NULL THEN
    RETURN QUERY SELECT n, NULL::bigint FROM unnest(fresh) AS n;
    RETURN;
  END IF;

  FOR i IN 1..cardinality(fit) LOOP
    ids[i] := nextval('message_ids');
  END LOOP;
  UPDATE conversation_counters
     SET seq = base + cardinality(fit), last_seq = base + cardinality(fit), last_id = ids[cardinality(fit)]
   WHERE conversation_id = target;
  UPDATE channels SET first_message_id = ids[1] WHERE conversation_id = target AND first_message_id IS NULL;

  INSERT INTO messages (id, conversation_id, home_id, seq, place_seq, sender_id, topic, topic_links, content, rendered,
                        client, sent_at, has_link, has_image, content_words)
  SELECT d.id, target, target, base + d.i, base + d.i, p.sender, d.stored, p.topic_links, p.content, p.rendered,
         p.client, p.sent_at, p.has_link, p.has_image, words_of(p.plain)
    FROM unnest(fit, ids, stored) WITH ORDINALITY AS d (n, id, stored, i)
    JOIN jsonb_to_recordset(posts) AS p (n integer, sender integer, topic text, topic_links jsonb, content text,
                                         rendered text, client text, sent_at timestamptz, has_link boolean,
                                         has_image boolean, plain text) ON p.n = d.n
   ORDER BY d.i;

  IF posts @? '$[*].flagged' THEN
    INSERT INTO message_flags (user_id, message_id, flags)
    SELECT f.person, d.id, f.bits
      FROM unnest(fit, ids) AS d (n, id)
      JOIN jsonb_to_recordset(posts) AS p (n integer, flagged integer[], bits integer[]) ON p.n = d.n
     CROSS JOIN LATERAL unnest(p.flagged, p.bits) AS f (person, bits)
     ORDER BY d.id, f.person;
  END IF;

  INSERT INTO outbox (type, payload, audience)
  SELECT 'message', p.event_a || d.id || p.event_b || base + d.i || p.event_c, p.audience
    FROM unnest(fit, ids) WITH ORDINALITY AS d (n, id, i)
    JOIN jsonb_to_recordset(posts) AS p (n integer, event_a text, event_b text, event_c text, audience jsonb)
      ON p.n = d.n
   ORDER BY d.i;

  -- People who are mentioned by name follow the topic, as conversations/topics/automatic.ts has it: whatever they have set
  -- for it before, unless they have set as many as is allowed.
  IF posts @? '$[*].follow' THEN
    FOR one IN
      SELECT who.id::integer AS reader, d.stored AS topic, (p.follow ->> 'channel')::integer AS channel,
             (p.follow ->> 'at')::timestamptz AS at, (p.follow ->> 'max')::integer AS most,
             p.follow ->> 'event' AS event, p.follow ->> 'muted_event' AS muted_event
        FROM unnest(fit, stored) WITH ORDINALITY AS d (n, stored, i)
        JOIN jsonb_to_recordset(posts) AS p (n integer, follow jsonb) ON p.n = d.n
       CROSS JOIN LATERAL jsonb_array_elements_text(p.follow -> 'people') AS who (id)
       ORDER BY who.id::integer, d.i
    LOOP
      SELECT t.visibility_policy INTO known FROM user_topics t
       WHERE t.user_id = one.reader AND t.channel_id = one.channel AND lower(t.topic) = lower(one.topic);
      CONTINUE WHEN known = 3;
      INSERT INTO user_topics AS t (user_id, channel_id, topic, visibility_policy, updated_at)
      SELECT one.reader, one.channel, one.topic, 3, one.at
       WHERE (SELECT count(*) FROM user_topics o WHERE o.user_id = one.reader) < one.most
      ON CONFLICT (user_id, channel_id, lower(topic)) DO UPDATE
         SET topic = excluded.topic, visibility_policy = excluded.visibility_policy, updated_at = excluded.updated_at;
      CONTINUE WHEN NOT FOUND;
      INSERT INTO outbox (type, payload, audience)
      SELECT told.type, told.payload, jsonb_build_object('users', jsonb_build_array(one.reader))
        FROM (VALUES (1, 'muted_topics', one.muted_event), (2, 'user_topic', one.event)) AS told (place, type, payload)
       WHERE told.place = 2 OR known = 1 ORDER BY told.place;
    END LOOP;
  END IF;

  IF claimed IS NOT NULL THEN
    UPDATE sent_once s SET message_id = d.id, path = p.path || d.id
      FROM unnest(fit, ids) AS d (n, id)
      JOIN jsonb_to_recordset(posts) AS p (n integer, sender integer, local_id text, request text, path text)
        ON p.n = d.n
     WHERE p.request IS NOT NULL AND s.sender_id = p.sender AND s.local_id = p.local_id::uuid;
    UPDATE local_echoes s SET message_id = d.id
      FROM unnest(fit, ids) AS d (n, id)
      JOIN jsonb_to_recordset(posts) AS p (n integer, sender integer, queue_id text, local_id text, request text)
        ON p.n = d.n
     WHERE p.request IS NULL AND s.sender_id = p.sender AND s.queue_id = p.queue_id AND s.local_id = p.local_id;
  END IF;

  -- Marks each message as read for its sender, and for people who have muted them: moves the watermark if it stands right before the message, and sets the
  -- message's bit otherwise. A watermark that could move further does so when the person next reads.
  FOR one IN
    SELECT who.reader, base + d.i AS seq, ((base + d.i) / size)::integer AS block
      FROM unnest(fit) WITH ORDINALITY AS d (n, i)
      JOIN jsonb_to_recordset(posts) AS p (n integer, sender integer, is_read boolean, read_by integer[]) ON p.n = d.n
     CROSS JOIN LATERAL (
       SELECT p.sender AS reader WHERE p.is_read UNION SELECT unnest(p.read_by)) AS who
     ORDER BY who.reader, d.i
  LOOP
    -- Markings of one person wait for each other here.
    SELECT m.read_through INTO through FROM read_marks m
     WHERE m.user_id = one.reader AND m.home_id = target FOR UPDATE;
    IF NOT FOUND THEN
      INSERT INTO read_marks (user_id, home_id) VALUES (one.reader, target) ON CONFLICT DO NOTHING;
      SELECT m.read_through INTO STRICT through FROM read_marks m
       WHERE m.user_id = one.reader AND m.home_id = target FOR UPDATE;
    END IF;
    UPDATE read_blocks b SET bits = set_bit(b.bits, (one.seq % size)::integer, 1)
     WHERE b.user_id = one.reader AND b.home_id = target AND b.block = one.block;
    CONTINUE WHEN FOUND;
    IF through = one.seq - 1 THEN
      UPDATE read_marks m SET read_through = one.seq WHERE m.user_id = one.reader AND m.home_id = target;
      CONTINUE;
    END IF;
    -- The bits that the watermark stands for; number 0, which no message has, counts as read.
    known := greatest(least(through - one.block::bigint * size + 1, size), 0);
    INSERT INTO read_blocks (user_id, home_id, block, bits)
    VALUES (one.reader, target, one.block, set_bit(
      decode(repeat('ff', known / 8), 'hex')
        || CASE WHEN known % 8 = 0 THEN ''::bytea ELSE set_byte('\x00'::bytea, 0, 255 >> (8 - known % 8)) END
        || decode(repeat('00', size / 8 - (known + 7) / 8), 'hex'),
      (one.seq % size)::integer, 1));
  END LOOP;

  RETURN QUERY SELECT f.n, d.id FROM unnest(fresh) AS f (n) LEFT JOIN unnest(fit, ids) AS d (n, id) ON d.n = f.n;
END $$;

-- Changes the text of a message of the actor's, if it still is the message that the caller has seen, under the present name
-- of its topic, and nothing but its text changes by that: nobody has a mention in it, and it has no files. Returns false if
-- what was remembered no longer holds, and null if it has to be done the long way. Then nothing is written.
CREATE FUNCTION edit_message(actor integer, given jsonb, about integer[], snapshots pg_snapshot[])
RETURNS boolean LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  edit record;
  was text;
BEGIN
  SELECT * INTO STRICT edit FROM jsonb_to_record(given) AS g (
    id bigint, conversation integer, place_seq bigint, topic text, role smallint, seen text, content text, rendered text,
    plain text, at timestamptz, has_link boolean, has_image boolean, bits integer, edits_max integer, bytes_max bigint,
    payload text, audience jsonb);
  -- In the order of all who write to the conversation.
  PERFORM FROM users u WHERE u.id = actor FOR SHARE;
  PERFORM FROM conversation_counters n WHERE n.conversation_id = edit.conversation FOR UPDATE;
  IF NOT facts_hold(about, snapshots)
     OR NOT EXISTS (SELECT FROM users u WHERE u.id = actor AND u.is_active AND u.role <= edit.role) THEN
    RETURN false;
  END IF;
  SELECT m.rendered INTO was FROM messages m
   WHERE m.id = edit.id AND m.conversation_id = edit.conversation AND m.place_seq = edit.place_seq
     AND coalesce((SELECT t.name FROM topics t WHERE t.conversation_id = m.conversation_id AND t.key = lower(m.topic)),
                  m.topic) = edit.topic
     AND m.content = edit.seen AND m.sender_id = actor FOR NO KEY UPDATE;
  IF NOT FOUND
     OR EXISTS (SELECT FROM message_flags f WHERE f.message_id = edit.id AND f.flags & edit.bits <> 0)
     OR EXISTS (SELECT FROM attachment_messages a WHERE a.message_id = edit.id)
     OR EXISTS (SELECT FROM submessages x WHERE x.message_id = edit.id)
     OR (SELECT count(*) >= edit.edits_max
             OR coalesce(sum(octet_length(e.prev_content) + octet_length(e.prev_rendered)), 0)
                + octet_length(edit.seen) + octet_length(was) > edit.bytes_max
           FROM message_edits e WHERE e.message_id = edit.id AND e.prev_content IS NOT NULL) THEN
    RETURN NULL;
  END IF;
  INSERT INTO message_edits (message_id, user_id, at, prev_content, prev_rendered)
  VALUES (edit.id, actor, edit.at, edit.seen, was);
  UPDATE messages m
     SET content = edit.content, rendered = edit.rendered, edited_at = edit.at, content_words = words_of(edit.plain),
         mentions_everyone = false, has_link = edit.has_link, has_image = edit.has_image, has_attachment = false
   WHERE m.id = edit.id;
  INSERT INTO outbox (type, payload, audience) VALUES ('update_message', edit.payload, edit.audience);
  RETURN true;
END $$;

-- Whether every process that runs knows keys. One of an older release does not say so.
CREATE FUNCTION all_know_topic_keys() RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT NOT EXISTS (SELECT FROM processes WHERE NOT knows_topic_keys AND seen_at > now() - interval '1 minute')
$$;
