-- Administrators read the part of the audit log that is about their organization, a page at a time, by person, act and
-- time. The list of nouns is that of ORGANIZATION_NOUNS in accounts/audit/store.ts; a test compares them.
CREATE INDEX audit_log_organization ON audit_log (seq)
  WHERE split_part(act, ' ', 1) IN ('user', 'bot', 'invitation', 'group', 'channel', 'subscription',
    'default_channel', 'folder', 'org', 'domain', 'emoji', 'linkifier', 'playground', 'profile_field');
-- Who acted is the number `by` in the details. They are canonical JSON, so it has one spelling; a cast to json would
-- refuse entries with characters that only a text can have.
CREATE INDEX audit_log_actor ON audit_log (substring(details FROM '"by":([0-9]+)[,}]'), seq);
CREATE INDEX audit_log_act ON audit_log (act, seq);
CREATE INDEX audit_log_at ON audit_log (at, seq);
