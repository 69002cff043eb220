-- A process remembers the rows of people as text (decision 0094). So people who come or go, and what they write in their
-- profiles, are noted as changes too. Each by its own number, however many: the text of the others stays.
CREATE FUNCTION note_people() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO fact_changes (about) SELECT DISTINCT id FROM changed;
  RETURN NULL;
END $$;
CREATE TRIGGER facts_added AFTER INSERT ON users
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_people();
CREATE TRIGGER facts_removed AFTER DELETE ON users
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_people();

CREATE FUNCTION note_profiles() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO fact_changes (about) SELECT DISTINCT user_id FROM changed;
  RETURN NULL;
END $$;
CREATE TRIGGER facts_added AFTER INSERT ON profile_values
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_profiles();
CREATE TRIGGER facts_changed AFTER UPDATE ON profile_values
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_profiles();
CREATE TRIGGER facts_removed AFTER DELETE ON profile_values
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_profiles();
