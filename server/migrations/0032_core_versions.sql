-- Which version of the matching core wrote a row or a snapshot. A release replays what earlier versions
-- wrote and refuses by name what a later one did. Everything that is there was written by the first.
ALTER TABLE trading_journal ADD COLUMN core_version smallint NOT NULL DEFAULT 1 CHECK (core_version > 0);
ALTER TABLE trading_snapshots ADD COLUMN core_version smallint NOT NULL DEFAULT 1 CHECK (core_version > 0);

-- A third fence: an engine of an older release cannot write after a newer one has. A release from before
-- this column takes its default, so that it is held off too.
CREATE OR REPLACE FUNCTION check_journal_order() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  before record;
BEGIN
  IF new.seq = 1 THEN
    RETURN new;
  END IF;
  SELECT epoch, core_version INTO before FROM trading_journal WHERE shard = new.shard AND seq = new.seq - 1;
  IF before.epoch IS NULL OR before.epoch > new.epoch THEN
    RAISE EXCEPTION 'journal row % of epoch % cannot follow epoch %', new.seq, new.epoch, before.epoch
      USING ERRCODE = 'RJ001';
  END IF;
  IF before.core_version > new.core_version THEN
    RAISE EXCEPTION 'journal row % by version % of the core cannot follow version %',
      new.seq, new.core_version, before.core_version USING ERRCODE = 'RJ001';
  END IF;
  RETURN new;
END $$;
