-- Patterns that turn text into links, in the order in which they are tried.
CREATE TABLE linkifiers (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  pattern text NOT NULL UNIQUE CHECK (length(pattern) BETWEEN 1 AND 1000),
  url_template text NOT NULL CHECK (length(url_template) BETWEEN 1 AND 1000),
  example_input text CHECK (length(example_input) <= 1000),
  reverse_template text CHECK (length(reverse_template) <= 1000),
  alternative_url_templates text[] NOT NULL DEFAULT '{}',
  "order" integer NOT NULL
);

-- The pictures of the organization's own emoji, apart from the rows that every message looks at.
CREATE TABLE custom_emoji_images (
  emoji_id integer NOT NULL PRIMARY KEY REFERENCES custom_emoji,
  content_type text NOT NULL,
  image bytea NOT NULL CHECK (length(image) <= 5242880)
);

-- Where code can be tried out, by language.
CREATE TABLE playgrounds (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  pygments_language text NOT NULL CHECK (length(pygments_language) BETWEEN 1 AND 40),
  url_template text NOT NULL CHECK (length(url_template) BETWEEN 1 AND 1000),
  UNIQUE (pygments_language, name)
);
