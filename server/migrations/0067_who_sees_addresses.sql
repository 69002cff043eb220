-- Who sees a person's address: 1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators. It is one of the person's
-- settings; here it is a column too, because everything that shows a person needs it. A bot has no address to protect.
ALTER TABLE users
  ADD COLUMN email_visibility smallint NOT NULL GENERATED ALWAYS AS (
    CASE WHEN bot_type IS NULL THEN coalesce((settings->>'email_address_visibility')::smallint, 1) ELSE 1 END
  ) STORED
  CHECK (email_visibility BETWEEN 1 AND 5);
