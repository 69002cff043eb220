-- What people have of their own: pictures, and what they say of themselves in fields that the
-- organization chose.

-- J: drawn from the name. U: uploaded.
ALTER TABLE users ADD COLUMN avatar_source text NOT NULL DEFAULT 'J' CHECK (avatar_source IN ('J', 'U'));

-- Small and bounded, so the database is the right place: no other store to lose or to back up.
CREATE TABLE avatars (
  user_id integer PRIMARY KEY REFERENCES users,
  content_type text NOT NULL CHECK (content_type IN ('image/png', 'image/jpeg', 'image/gif', 'image/webp')),
  image bytea NOT NULL CHECK (octet_length(image) <= 5242880)
);
ALTER TABLE avatars ALTER COLUMN image SET STORAGE EXTERNAL;

CREATE TABLE profile_fields (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- 1 short text, 2 long text, 3 one of a list, 4 date, 5 link, 6 people, 7 external account, 8 pronouns.
  type smallint NOT NULL CHECK (type BETWEEN 1 AND 8),
  name text NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 40),
  hint text NOT NULL DEFAULT '' CHECK (length(hint) <= 80),
  field_data jsonb,
  "order" integer NOT NULL,
  display_in_profile_summary boolean NOT NULL DEFAULT false,
  is_required boolean NOT NULL DEFAULT false,
  editable_by_user boolean NOT NULL DEFAULT true,
  use_for_user_matching boolean NOT NULL DEFAULT false
);

CREATE TABLE profile_values (
  user_id integer NOT NULL REFERENCES users,
  field_id integer NOT NULL REFERENCES profile_fields ON DELETE CASCADE,
  value text NOT NULL CHECK (length(value) BETWEEN 1 AND 10000),
  PRIMARY KEY (user_id, field_id)
);
CREATE INDEX profile_values_field ON profile_values (field_id);
