-- Direct messages and mentions of people go by the same statement as plain messages (decision 0107). What decides about
-- them is remembered too: who is named by a text, and which emoji the organization has.

-- -2 stands for the names of all people: who is there, and what they are called.
ALTER TABLE fact_changes DROP CONSTRAINT fact_changes_about_check;
ALTER TABLE fact_changes ADD CONSTRAINT fact_changes_about_check CHECK (about >= -2);

CREATE FUNCTION note_names() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM note_fact_changes(ARRAY[-2]);
  RETURN NULL;
END $$;
CREATE TRIGGER facts_of_names AFTER INSERT OR DELETE OR UPDATE OF full_name ON users
  FOR EACH STATEMENT EXECUTE FUNCTION note_names();

CREATE TRIGGER facts AFTER INSERT OR UPDATE OR DELETE ON custom_emoji
  FOR EACH ROW EXECUTE FUNCTION note_common_fact();

-- As in migration 0116, except: a message can have flags for people whom it mentions (`flagged`, `bits`), can arrive as
-- read for others than its sender (`read_by`), and can make people follow its topic (`follow`). The conversation may be
-- one of direct messages. Local ids are claimed only where there are any.
CREATE OR REPLACE FUNCTION post_messages(target integer, posts jsonb)
RETURNS TABLE (nth integer, message_id bigint) LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  claimed integer[];
  fresh integer[];
  fit integer[];
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
  SELECT array_agg(p.n ORDER BY p.n) INTO fit
    FROM jsonb_to_recordset(posts) AS p (n integer, topic text, needs_topic boolean, local_id text)
   WHERE p.n = ANY (fresh) AND (p.local_id IS NULL OR p.n = ANY (claimed))
     -- One look at the index, at the place of the topic. As EXISTS, it would be planned as a table of all topics of the
     -- channel, made from all of its messages.
     AND (NOT p.needs_topic OR (
           SELECT m.conversation_id = target AND lower(m.topic) = lower(p.topic) FROM messages m
            WHERE (m.conversation_id, lower(m.topic)) >= (target, lower(p.topic))
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
  SELECT d.id, target, target, base + d.i, base + d.i, p.sender, p.topic, p.topic_links, p.content, p.rendered,
         p.client, p.sent_at, p.has_link, p.has_image, words_of(p.plain)
    FROM unnest(fit, ids) WITH ORDINALITY AS d (n, id, i)
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
      SELECT who.id::integer AS reader, p.topic, (p.follow ->> 'channel')::integer AS channel,
             (p.follow ->> 'at')::timestamptz AS at, (p.follow ->> 'max')::integer AS most,
             p.follow ->> 'event' AS event, p.follow ->> 'muted_event' AS muted_event
        FROM unnest(fit) WITH ORDINALITY AS d (n, i)
        JOIN jsonb_to_recordset(posts) AS p (n integer, topic text, follow jsonb) ON p.n = d.n
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
