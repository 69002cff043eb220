-- Reads may share a signature with reads; a write shares it with nothing. So a claim says which of the two it was for.
-- What an older process claims during an upgrade counts as a write: that refuses more than it must, and for a minute.
ALTER TABLE request_claims ADD COLUMN is_read boolean NOT NULL DEFAULT false;
