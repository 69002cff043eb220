-- What a process may remember of rights and settings, and how a write checks that it still holds (decision 0089).

-- Each change of a remembered fact, by its transaction. A memory keeps the snapshot that it was read in; it is out of
-- date if a change is visible now that its snapshot does not know. Rows are only added, so changes of different people
-- never wait for each other here.
CREATE TABLE fact_changes (
  -- A person; 0 for what concerns everybody (channels, groups, settings); -1 for alert words.
  about integer NOT NULL CHECK (about >= -1),
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX fact_changes_about ON fact_changes (about);
CREATE INDEX fact_changes_at ON fact_changes (at);

-- One row. Changes of transactions before this one may be forgotten, so a snapshot that reaches behind it proves nothing.
CREATE TABLE fact_floor (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  xid xid8 NOT NULL DEFAULT '0'
);
INSERT INTO fact_floor DEFAULT VALUES;

-- Forgets changes of more than ten minutes ago. After a restore of a dump the floor can lie in the future; then it
-- comes down to now.
CREATE FUNCTION forget_fact_changes(rows_max integer) RETURNS integer LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  gone integer;
  last xid8;
BEGIN
  PERFORM FROM fact_floor FOR UPDATE;
  WITH old AS (
    DELETE FROM fact_changes WHERE ctid = ANY (ARRAY(
      SELECT c.ctid FROM fact_changes c
       WHERE c.at < clock_timestamp() - interval '10 minutes' ORDER BY c.at LIMIT rows_max))
    RETURNING xid
  )
  SELECT count(*), max(xid) INTO gone, last FROM old;
  UPDATE fact_floor f
     SET xid = least(greatest(f.xid, ((last::text)::numeric + 1)::text::xid8),
                     pg_snapshot_xmax(pg_current_snapshot()))
   WHERE last IS NOT NULL OR f.xid > pg_snapshot_xmax(pg_current_snapshot());
  RETURN gone;
END $$;

-- Many at once are noted as a change for everybody.
CREATE FUNCTION note_fact_changes(people integer[]) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO fact_changes (about)
  SELECT DISTINCT p FROM unnest(CASE WHEN cardinality(people) > 500 THEN ARRAY[0] ELSE people END) p
   WHERE NOT EXISTS (SELECT FROM fact_changes c WHERE c.about = p AND c.xid = pg_current_xact_id());
END $$;

-- Facts that concern everybody. These tables change seldom.
CREATE FUNCTION note_common_fact() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM note_fact_changes(ARRAY[0]);
  RETURN NULL;
END $$;

CREATE TRIGGER facts AFTER INSERT OR UPDATE OR DELETE ON organization
  FOR EACH ROW EXECUTE FUNCTION note_common_fact();
CREATE TRIGGER facts AFTER INSERT OR UPDATE OR DELETE ON permission_settings
  FOR EACH ROW EXECUTE FUNCTION note_common_fact();
CREATE TRIGGER facts AFTER INSERT OR UPDATE OR DELETE ON user_groups
  FOR EACH ROW EXECUTE FUNCTION note_common_fact();
CREATE TRIGGER facts AFTER INSERT OR UPDATE OR DELETE ON user_group_subgroups
  FOR EACH ROW EXECUTE FUNCTION note_common_fact();
CREATE TRIGGER facts AFTER INSERT OR UPDATE OR DELETE ON linkifiers
  FOR EACH ROW EXECUTE FUNCTION note_common_fact();
-- All but the number of the first message, which sending writes, and what nobody remembers.
CREATE TRIGGER facts AFTER INSERT OR DELETE OR UPDATE OF
    id, name, invite_only, history_public_to_subscribers, is_archived, conversation_id, is_web_public, topics_policy
  ON channels FOR EACH ROW EXECUTE FUNCTION note_common_fact();

CREATE FUNCTION note_alert_words() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM note_fact_changes(ARRAY[-1]);
  RETURN NULL;
END $$;
CREATE TRIGGER facts AFTER INSERT OR UPDATE OR DELETE ON alert_words
  FOR EACH ROW EXECUTE FUNCTION note_alert_words();

-- Settings of channels and of groups name people; of these only the active ones count. A bot relies on its owner's role.
CREATE FUNCTION note_person() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM note_fact_changes(
    CASE WHEN (OLD.is_active, OLD.role) IS DISTINCT FROM (NEW.is_active, NEW.role)
         THEN ARRAY[0, NEW.id] ELSE ARRAY[NEW.id] END);
  RETURN NULL;
END $$;
CREATE TRIGGER facts AFTER UPDATE OF
    email, full_name, role, is_active, bot_type, bot_owner_id, settings, avatar_version, chat_key_lookup
  ON users FOR EACH ROW EXECUTE FUNCTION note_person();

-- Whom somebody has muted changes how that person's messages arrive.
CREATE FUNCTION note_muted() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM note_fact_changes(ARRAY[coalesce(NEW.muted_id, OLD.muted_id)]);
  RETURN NULL;
END $$;
CREATE TRIGGER facts AFTER INSERT OR DELETE ON muted_users
  FOR EACH ROW EXECUTE FUNCTION note_muted();

-- One statement can change thousands of these rows.
CREATE FUNCTION note_rows_of_people() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM note_fact_changes(ARRAY(SELECT DISTINCT user_id FROM changed LIMIT 501));
  RETURN NULL;
END $$;
CREATE TRIGGER facts_added AFTER INSERT ON subscriptions
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_rows_of_people();
CREATE TRIGGER facts_changed AFTER UPDATE ON subscriptions
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_rows_of_people();
CREATE TRIGGER facts_removed AFTER DELETE ON subscriptions
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_rows_of_people();
CREATE TRIGGER facts_added AFTER INSERT ON user_group_members
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_rows_of_people();
CREATE TRIGGER facts_changed AFTER UPDATE ON user_group_members
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_rows_of_people();
CREATE TRIGGER facts_removed AFTER DELETE ON user_group_members
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_rows_of_people();
