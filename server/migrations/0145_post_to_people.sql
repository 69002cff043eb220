-- What decides about direct messages and mentions of people is remembered too (decision 0107): who is named by a text, and
-- which emoji the organization has. The statement that sends them comes with migration 0160.

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
