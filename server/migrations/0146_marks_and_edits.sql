-- Whether what somebody relied on is still as it was, in pairs: nothing about `about[i]` has changed since `snapshots[i]`.
CREATE FUNCTION facts_hold(about integer[], snapshots pg_snapshot[]) RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT cardinality(facts_hold.about) = cardinality(snapshots)
     AND NOT EXISTS (
           SELECT FROM unnest(facts_hold.about, snapshots) AS relied (about, seen)
            -- One look at the index for each, however many changes there are.
            CROSS JOIN LATERAL (
              SELECT FROM fact_changes c
               WHERE c.about = relied.about AND c.xid >= pg_snapshot_xmin(relied.seen)
                 AND NOT pg_visible_in_snapshot(c.xid, relied.seen) LIMIT 1) AS news)
     AND NOT EXISTS (
           SELECT FROM fact_floor f, unnest(snapshots) AS seen WHERE pg_snapshot_xmin(seen) < f.xid)
$$;

-- Writes what somebody has read, if it still is what the caller has seen (decision 0107): the watermarks of some homes and
-- their blocks, computed by messages/read-state/marks.ts. `marks` is a list of homes, each with the watermark before and
-- after; `blocks` one of blocks, each with its bits before and after, in hexadecimal, null for none. Returns false if what
-- was remembered no longer holds, and null if somebody else has marked meanwhile. Then nothing is written.
CREATE FUNCTION write_read_state(person integer, marks jsonb, blocks jsonb, about integer[], snapshots pg_snapshot[],
                                 payload text, audience jsonb)
RETURNS boolean LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  -- Markings of one person wait for each other here. What is read after this is as the last of them left it.
  PERFORM FROM read_marks m
    WHERE m.user_id = person AND m.home_id IN (SELECT g.home FROM jsonb_to_recordset(marks) AS g (home integer))
    ORDER BY m.home_id FOR UPDATE;
  IF NOT facts_hold(about, snapshots) THEN
    RETURN false;
  END IF;
  IF EXISTS (
       SELECT FROM jsonb_to_recordset(marks) AS g (home integer, before bigint)
         LEFT JOIN read_marks m ON m.user_id = person AND m.home_id = g.home
        WHERE m.read_through IS DISTINCT FROM g.before)
     OR EXISTS (
       SELECT FROM jsonb_to_recordset(blocks) AS g (home integer, block integer, before text, is_known boolean)
         LEFT JOIN read_blocks b ON b.user_id = person AND b.home_id = g.home AND b.block = g.block
        WHERE g.is_known AND b.bits IS DISTINCT FROM decode(g.before, 'hex')) THEN
    RETURN NULL;
  END IF;

  UPDATE read_marks m SET read_through = g.after
    FROM jsonb_to_recordset(marks) AS g (home integer, before bigint, after bigint)
   WHERE m.user_id = person AND m.home_id = g.home AND g.after <> g.before;
  DELETE FROM read_blocks b
   USING jsonb_to_recordset(blocks) AS g (home integer, block integer, after text)
   WHERE b.user_id = person AND b.home_id = g.home AND b.block = g.block AND g.after IS NULL;
  INSERT INTO read_blocks (user_id, home_id, block, bits)
  SELECT person, g.home, g.block, decode(g.after, 'hex')
    FROM jsonb_to_recordset(blocks) AS g (home integer, block integer, before text, after text)
   WHERE g.after IS NOT NULL AND g.after IS DISTINCT FROM g.before
  ON CONFLICT (user_id, home_id, block) DO UPDATE SET bits = excluded.bits;
  INSERT INTO outbox (type, payload, audience) VALUES ('update_message_flags', payload, audience);
  RETURN true;
END $$;
