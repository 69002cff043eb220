-- Files that people uploaded. The bytes are in the store (a folder or S3), everything about them is here.
CREATE TABLE attachments (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_id integer NOT NULL REFERENCES users,
  -- As the owner called it, for people to read.
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 255),
  -- What follows /user_uploads/ in its address; it cannot be guessed.
  path_id text NOT NULL UNIQUE CHECK (length(path_id) <= 400),
  -- Where the store has it. Nobody is told.
  storage_key text NOT NULL UNIQUE,
  size bigint NOT NULL CHECK (size >= 0),
  -- By what the bytes say, never by what the client said.
  content_type text NOT NULL,
  created_at timestamptz NOT NULL,
  -- Since when no message has it; null while one does.
  unreferenced_since timestamptz,
  -- Of a picture, upright.
  width integer CHECK (width > 0),
  height integer CHECK (height > 0),
  thumbnail text NOT NULL DEFAULT 'none'
    CHECK (thumbnail IN ('none', 'pending', 'still', 'moving', 'failed'))
);
CREATE INDEX attachments_owner ON attachments (owner_id, id);
CREATE INDEX attachments_unreferenced ON attachments (unreferenced_since)
  WHERE unreferenced_since IS NOT NULL;

-- In which messages a file is. Whoever may read one of them may have the file.
CREATE TABLE attachment_messages (
  attachment_id integer NOT NULL REFERENCES attachments,
  message_id bigint NOT NULL REFERENCES messages ON DELETE CASCADE,
  PRIMARY KEY (attachment_id, message_id)
);
CREATE INDEX attachment_messages_message ON attachment_messages (message_id);

-- Bytes on their way into the store, written down before the first of them, so that what is abandoned is
-- found and removed.
CREATE TABLE uploads_under_way (
  storage_key text NOT NULL PRIMARY KEY,
  owner_id integer NOT NULL REFERENCES users,
  -- As announced; it counts as used until the upload ends.
  size bigint NOT NULL CHECK (size >= 0),
  -- What the resumable protocol keeps of it; null for an upload in one request.
  tus jsonb,
  -- What it became. Kept for a while, so that a client that missed the answer can ask again.
  attachment_id integer REFERENCES attachments ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  -- One request writes at a time, in whichever process; it holds the upload by a lease.
  lock_holder uuid,
  locked_until timestamptz,
  is_wanted boolean NOT NULL DEFAULT false
);
CREATE INDEX uploads_under_way_owner ON uploads_under_way (owner_id);
CREATE INDEX uploads_under_way_age ON uploads_under_way (created_at);

-- Bytes of the files that each person has.
CREATE TABLE upload_space (
  owner_id integer NOT NULL PRIMARY KEY REFERENCES users,
  bytes bigint NOT NULL CHECK (bytes >= 0)
);
