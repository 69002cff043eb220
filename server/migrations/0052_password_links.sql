-- A mailed link may also let its owner choose a new password. Such a link belongs to the address that it was made for:
-- whoever is given another address afterwards does not get in by a link to the mailbox before.
ALTER TABLE mailed_links
  DROP CONSTRAINT mailed_links_purpose_check,
  ADD CONSTRAINT mailed_links_purpose_check CHECK (purpose IN ('device', 'password')),
  ADD COLUMN email text,
  ADD CONSTRAINT mailed_links_password_email CHECK (purpose <> 'password' OR email IS NOT NULL);

-- A new password ends all open links of its owner.
CREATE INDEX mailed_links_user ON mailed_links (user_id) WHERE used_at IS NULL;
