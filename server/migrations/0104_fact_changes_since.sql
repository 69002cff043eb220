-- A memory asks only for changes that its snapshot can lack, which are the newest: not for all of the last ten minutes.
CREATE INDEX fact_changes_about_xid ON fact_changes (about, xid);
DROP INDEX fact_changes_about;
