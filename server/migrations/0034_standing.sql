-- Whether an account may act: two reasons keep it from it, and each is taken back by whoever gave it. The
-- operators suspend accounts; and an account whose owner is deactivated is suspended with its owner. The engine
-- knows one flag, so what it is told is worked out here, whoever changes the row of a person.
CREATE INDEX trading_accounts_parent ON trading_accounts (parent_account_id)
  WHERE parent_account_id IS NOT NULL;

-- Of the account itself, and of the account that it belongs to. Null when there is no such account.
CREATE FUNCTION has_active_owners(account bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT u.is_active AND coalesce(pu.is_active, true)
    FROM trading_accounts a
    JOIN users u ON u.id = a.user_id
    LEFT JOIN trading_accounts p ON p.id = a.parent_account_id
    LEFT JOIN users pu ON pu.id = p.user_id
   WHERE a.id = account
$$;

-- By the newest word of the operators on it.
CREATE FUNCTION is_suspended_by_operator(account bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce((
    SELECT act = 'account suspend' FROM operator_commands
     WHERE subject = 'account ' || account AND act IN ('account suspend', 'account resume')
       AND status IN ('waiting', 'done')
     ORDER BY id DESC LIMIT 1), false)
$$;

-- Nothing of the account stays in the books: orders and the timer of cancel_all_after go too.
CREATE FUNCTION suspend_with_owner(account bigint, why text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO operator_commands (command, requested_by) VALUES
    (json_build_object('type', 'suspend_account', 'account', account, 'suspended', true,
                       'cancelOrders', true)::text, why),
    (json_build_object('type', 'cancel_all_after', 'account', account, 'timeoutMs', 0)::text, why)
$$;

-- The engine carries commands out by their number. So that the later of two words on an account has the higher
-- one, the account is held first, and the number drawn then.
CREATE FUNCTION order_suspensions() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  named constant bigint := (new.command::json ->> 'account')::bigint;
BEGIN
  -- In the order of everybody: first people, then accounts.
  PERFORM FROM users
    WHERE id IN (SELECT user_id FROM trading_accounts WHERE id = named
                 UNION
                 SELECT p.user_id FROM trading_accounts a
                   JOIN trading_accounts p ON p.id = a.parent_account_id WHERE a.id = named)
    ORDER BY id FOR SHARE;
  PERFORM FROM trading_accounts WHERE id = named FOR NO KEY UPDATE;
  IF new.command::json ->> 'suspended' = 'false' AND NOT has_active_owners(named) THEN
    RAISE EXCEPTION 'the owner of account % is deactivated, so it cannot be resumed', named
      USING ERRCODE = 'RJ004';
  END IF;
  new.id := nextval(pg_get_serial_sequence('operator_commands', 'id'));
  RETURN new;
END $$;
CREATE TRIGGER operator_command_suspensions BEFORE INSERT ON operator_commands
  FOR EACH ROW WHEN (new.command LIKE '%suspend_account%')
  EXECUTE FUNCTION order_suspensions();

-- In the transaction in which a person is deactivated or comes back, however that is done.
CREATE FUNCTION follow_owner() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  account bigint;
BEGIN
  FOR account IN
    SELECT id FROM trading_accounts
     WHERE id IN (SELECT id FROM trading_accounts WHERE user_id = new.id
                  UNION ALL
                  SELECT s.id FROM trading_accounts s
                    JOIN trading_accounts p ON p.id = s.parent_account_id WHERE p.user_id = new.id)
     ORDER BY id FOR NO KEY UPDATE
  LOOP
    IF NOT new.is_active THEN
      PERFORM suspend_with_owner(account, 'deactivation');
    ELSIF has_active_owners(account) AND NOT is_suspended_by_operator(account) THEN
      INSERT INTO operator_commands (command, requested_by)
      VALUES (json_build_object('type', 'suspend_account', 'account', account, 'suspended', false,
                                'cancelOrders', false)::text, 'reactivation');
    END IF;
  END LOOP;
  RETURN new;
END $$;
CREATE TRIGGER account_follows_owner AFTER UPDATE OF is_active ON users
  FOR EACH ROW WHEN (old.is_active IS DISTINCT FROM new.is_active)
  EXECUTE FUNCTION follow_owner();

-- An account that is opened for somebody who is deactivated begins suspended.
CREATE OR REPLACE FUNCTION open_trading_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO operator_commands (command, requested_by)
  VALUES (json_build_object('type', 'open_account', 'account', new.id,
                            'parent', coalesce(new.parent_account_id, new.id))::text, 'account');
  -- Held, so that whoever deactivates them now finds the account.
  PERFORM FROM users WHERE id = new.user_id FOR SHARE;
  IF NOT has_active_owners(new.id) THEN
    PERFORM suspend_with_owner(new.id, 'deactivation');
  END IF;
  RETURN new;
END $$;

-- Whoever was deactivated before this left orders behind that nobody could cancel.
DO $$
DECLARE
  account bigint;
BEGIN
  FOR account IN SELECT id FROM trading_accounts WHERE NOT has_active_owners(id) ORDER BY id LOOP
    PERFORM suspend_with_owner(account, 'migration');
  END LOOP;
END $$;

-- A market that a broken rule has stopped (invariant_halts) is let to trade again by two people, who are named with
-- the release; until then no command that opens it may wait for the engine, whoever asks. Commands for the phase of
-- one market are written one after the other, and numbered in that order: a halt that comes while somebody opens the
-- market is carried out after it.
CREATE FUNCTION guard_phases() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  asked constant json := new.command::json;
  market constant text := asked ->> 'symbol';
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('rialto.phase ' || market));
  IF asked ->> 'phase' IN ('post_only', 'continuous', 'auction')
     AND EXISTS (SELECT FROM invariant_halts WHERE symbol = market AND released_at IS NULL) THEN
    RAISE EXCEPTION 'a broken rule has stopped the market %, and two people must release it', market
      USING ERRCODE = 'RJ005';
  END IF;
  IF tg_op = 'INSERT' THEN
    new.id := nextval(pg_get_serial_sequence('operator_commands', 'id'));
  END IF;
  RETURN new;
END $$;
CREATE TRIGGER operator_command_phases BEFORE INSERT OR UPDATE OF status, command ON operator_commands
  FOR EACH ROW WHEN (new.status = 'waiting' AND new.command LIKE '%set_phase%')
  EXECUTE FUNCTION guard_phases();
