-- Fee days: once a day, at 00:00 UTC, every family gets the tier that its volume of the 30 days before is worth.
CREATE TABLE fee_days (
  -- Days since the epoch.
  day integer PRIMARY KEY,
  -- A command that only lets time pass: where it is in the journal, and at what time, tells that the day before is over.
  marker_id bigint REFERENCES operator_commands,
  -- Families are taken in the order of their numbers; those up to this one have their tier.
  done_through bigint NOT NULL DEFAULT 0,
  families integer NOT NULL DEFAULT 0,
  changed integer NOT NULL DEFAULT 0,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  finished_at timestamptz
);

-- The last word on the tier of a family, which the engine may still have to hear.
CREATE TABLE fee_families (
  -- The main account.
  account_id bigint PRIMARY KEY REFERENCES trading_accounts,
  tier smallint NOT NULL REFERENCES fee_tiers,
  -- An operator wants it kept: fee days leave it alone.
  is_pinned boolean NOT NULL DEFAULT false,
  -- The fee day that decided; null for an operator.
  day integer,
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Until now only operators moved accounts into tiers. What they chose stays.
INSERT INTO fee_families (account_id, tier, is_pinned)
SELECT id, fee_tier, true FROM trading_accounts
 WHERE parent_account_id IS NULL AND fee_tier <> 0 AND fee_tier IN (SELECT tier FROM fee_tiers);

CREATE FUNCTION family_tier(family bigint) RETURNS smallint LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT coalesce((SELECT tier FROM fee_families WHERE account_id = family),
                  (SELECT fee_tier FROM trading_accounts WHERE id = family), 0::smallint)
$$;

-- As before (0056), and a sub-account begins in the tier of its family. The main account is held, so a change of the
-- tier comes wholly before or wholly after: before, it is seen here; after, it finds the sub-account.
CREATE OR REPLACE FUNCTION open_trading_account() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  tier smallint;
BEGIN
  -- Held, so that somebody who suspends the owner or the main account now finds the account.
  PERFORM FROM users WHERE id = new.user_id FOR SHARE;
  PERFORM FROM trading_accounts WHERE id = new.parent_account_id FOR SHARE;
  IF EXISTS (SELECT FROM trading_accounts WHERE id = new.parent_account_id AND parent_account_id IS NOT NULL) THEN
    RAISE EXCEPTION 'account % is a sub-account, and a sub-account has none', new.parent_account_id
      USING ERRCODE = 'RJ009';
  END IF;
  INSERT INTO operator_commands (command, requested_by)
  VALUES (json_build_object('type', 'open_account', 'account', new.id,
                            'parent', coalesce(new.parent_account_id, new.id))::text, 'account');
  IF new.parent_account_id IS NOT NULL THEN
    tier := family_tier(new.parent_account_id);
    IF tier <> 0 THEN
      INSERT INTO operator_commands (command, requested_by)
      VALUES (json_build_object('type', 'set_fee_tier', 'account', new.id, 'tier', tier)::text, 'family');
    END IF;
  END IF;
  IF NOT has_active_owners(new.id) THEN
    PERFORM suspend_with_owner(new.id, 'deactivation');
  ELSIF NOT may_act(new.id) THEN
    PERFORM suspend_with_owner(new.id, 'family');
  END IF;
  RETURN new;
END $$;
