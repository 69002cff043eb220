-- No bot stands above its owner. Rows from before that was checked are lowered here; the server holds a bot to its
-- owner's role at every request as well, so what an older process writes meanwhile gives nothing.
CREATE TEMPORARY TABLE lowered ON COMMIT DROP AS
SELECT b.id, b.date_joined, greatest(b.role, coalesce(o.role, 400))::smallint AS role
  FROM users b LEFT JOIN users o ON o.id = b.bot_owner_id
 WHERE b.bot_type IS NOT NULL AND NOT b.is_system AND b.role < coalesce(o.role, 400);

UPDATE users u SET role = l.role FROM lowered l WHERE u.id = l.id;

-- The groups of roles have the ids 1 to 8 and follow from the role.
DELETE FROM user_group_members m USING lowered l WHERE m.user_id = l.id AND m.group_id <= 8;
INSERT INTO user_group_members (group_id, user_id)
SELECT CASE l.role WHEN 100 THEN 7 WHEN 200 THEN 6 WHEN 300 THEN 5 WHEN 400 THEN 3 ELSE 2 END, l.id FROM lowered l
UNION ALL
SELECT 4, l.id FROM lowered l, organization g
 WHERE l.role = 400 AND l.date_joined <= now() - g.waiting_period_days * interval '1 day';

-- What a person's bots are is asked whenever the person's role changes.
CREATE INDEX users_bot_owner ON users (bot_owner_id) WHERE bot_owner_id IS NOT NULL;

-- By what names are found that look alike; the server makes them. Without them (the name was written by an older
-- release) a name is still compared, one by one, until upkeep has made its keys.
ALTER TABLE users ADD COLUMN name_keys text[];
CREATE INDEX users_name_keys ON users USING gin (name_keys);
CREATE INDEX users_name_unkeyed ON users (id) WHERE name_keys IS NULL;

CREATE FUNCTION forget_name_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.full_name IS DISTINCT FROM OLD.full_name AND NEW.name_keys IS NOT DISTINCT FROM OLD.name_keys THEN
    NEW.name_keys := NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER name_keys_follow BEFORE UPDATE OF full_name ON users
  FOR EACH ROW EXECUTE FUNCTION forget_name_keys();
