-- Sub-accounts. A person has one main account and, below it, accounts with money, keys and limits of their own. Together
-- they are a family: its orders never trade with each other, its volumes count together for fees, and money moves
-- between its accounts.
ALTER TABLE trading_accounts
  DROP CONSTRAINT trading_accounts_user_id_key,
  -- What the owner calls it; empty for a main account.
  ADD COLUMN label text NOT NULL DEFAULT '' CHECK (length(label) <= 64),
  -- A closed one is empty, has no keys, and stays suspended for good.
  ADD COLUMN closed_at timestamptz,
  -- The main account.
  ADD COLUMN family_id bigint NOT NULL GENERATED ALWAYS AS (coalesce(parent_account_id, id)) STORED,
  ADD CONSTRAINT trading_accounts_owned UNIQUE (id, user_id),
  ADD CONSTRAINT trading_accounts_family UNIQUE (id, family_id),
  -- A sub-account has the owner of its main account.
  ADD CONSTRAINT trading_accounts_same_owner FOREIGN KEY (parent_account_id, user_id)
    REFERENCES trading_accounts (id, user_id),
  ADD CONSTRAINT trading_accounts_main_stays CHECK (parent_account_id IS NOT NULL OR closed_at IS NULL);
CREATE UNIQUE INDEX trading_accounts_main ON trading_accounts (user_id) WHERE parent_account_id IS NULL;
CREATE UNIQUE INDEX trading_accounts_label ON trading_accounts (parent_account_id, lower(label))
  WHERE parent_account_id IS NOT NULL AND closed_at IS NULL;
CREATE INDEX trading_accounts_user ON trading_accounts (user_id);

-- The newest word of the operators on this account alone.
CREATE FUNCTION is_named_suspended(account bigint) RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT coalesce((
    SELECT act = 'account suspend' FROM operator_commands
     WHERE subject = 'account ' || account AND act IN ('account suspend', 'account resume')
       AND status IN ('waiting', 'done')
     ORDER BY id DESC LIMIT 1), false)
$$;

-- What operators say of a main account holds for its sub-accounts: somebody who is suspended has no second way in.
CREATE OR REPLACE FUNCTION is_suspended_by_operator(account bigint) RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT is_named_suspended(account)
      OR coalesce((SELECT is_named_suspended(family_id) FROM trading_accounts
                    WHERE id = account AND family_id <> id), false)
$$;

-- Whether no reason is left that keeps it from acting.
CREATE FUNCTION may_act(account bigint) RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT coalesce(has_active_owners(account), false) AND NOT is_suspended_by_operator(account)
     AND NOT EXISTS (SELECT FROM trading_accounts WHERE id = account AND closed_at IS NOT NULL)
$$;

-- As before (0034), and: what is closed stays so, and a sub-account does not come back before its main account.
CREATE OR REPLACE FUNCTION order_suspensions() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  named constant bigint := (new.command::json ->> 'account')::bigint;
BEGIN
  -- In the order of everybody: first people, then accounts.
  PERFORM FROM users WHERE id IN (SELECT user_id FROM trading_accounts WHERE id = named) ORDER BY id FOR SHARE;
  PERFORM FROM trading_accounts WHERE id = named FOR NO KEY UPDATE;
  IF new.command::json ->> 'suspended' = 'false' THEN
    IF NOT has_active_owners(named) THEN
      RAISE EXCEPTION 'the owner of account % is deactivated, so it cannot be resumed', named
        USING ERRCODE = 'RJ004';
    END IF;
    IF EXISTS (SELECT FROM trading_accounts WHERE id = named AND closed_at IS NOT NULL) THEN
      RAISE EXCEPTION 'account % is closed, so it cannot be resumed', named USING ERRCODE = 'RJ007';
    END IF;
    IF EXISTS (SELECT FROM trading_accounts
                WHERE id = named AND family_id <> id AND is_named_suspended(family_id)) THEN
      RAISE EXCEPTION 'the main account of account % is suspended, so it cannot be resumed', named
        USING ERRCODE = 'RJ008';
    END IF;
  END IF;
  new.id := nextval(pg_get_serial_sequence('operator_commands', 'id'));
  RETURN new;
END $$;

-- The word of the operators on a main account reaches its sub-accounts in the same transaction.
CREATE FUNCTION suspend_family() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  asked constant json := new.command::json;
  is_suspended constant boolean := (asked ->> 'suspended')::boolean;
  member bigint;
BEGIN
  FOR member IN
    SELECT id FROM trading_accounts
     WHERE parent_account_id = (asked ->> 'account')::bigint AND closed_at IS NULL
     ORDER BY id FOR NO KEY UPDATE
  LOOP
    CONTINUE WHEN NOT is_suspended AND NOT may_act(member);
    INSERT INTO operator_commands (command, requested_by)
    VALUES (json_build_object('type', 'suspend_account', 'account', member, 'suspended', is_suspended,
                              'cancelOrders', (asked ->> 'cancelOrders')::boolean)::text, 'family');
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER operator_command_family AFTER INSERT ON operator_commands
  FOR EACH ROW WHEN (new.act IN ('account suspend', 'account resume'))
  EXECUTE FUNCTION suspend_family();

CREATE OR REPLACE FUNCTION follow_owner() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  account bigint;
BEGIN
  FOR account IN
    SELECT id FROM trading_accounts WHERE user_id = new.id AND closed_at IS NULL ORDER BY id FOR NO KEY UPDATE
  LOOP
    IF NOT new.is_active THEN
      PERFORM suspend_with_owner(account, 'deactivation');
    ELSIF may_act(account) THEN
      INSERT INTO operator_commands (command, requested_by)
      VALUES (json_build_object('type', 'suspend_account', 'account', account, 'suspended', false,
                                'cancelOrders', false)::text, 'reactivation');
    END IF;
  END LOOP;
  RETURN new;
END $$;

-- An account that is opened for somebody who may not act begins suspended.
CREATE OR REPLACE FUNCTION open_trading_account() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
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
  IF NOT has_active_owners(new.id) THEN
    PERFORM suspend_with_owner(new.id, 'deactivation');
  ELSIF NOT may_act(new.id) THEN
    PERFORM suspend_with_owner(new.id, 'family');
  END IF;
  RETURN new;
END $$;

-- Transfers within a family, as they were asked for. The command is written in the transaction of the row, so that
-- neither exists without the other; what came of it is in the command, and in the ledger.
CREATE TABLE account_transfers (
  -- Drawn before the row, because the command names it.
  transfer_id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  -- Whose key asked: client ids are theirs, for the life of the account.
  account_id bigint NOT NULL REFERENCES trading_accounts,
  client_transfer_id text NOT NULL CHECK (length(client_transfer_id) BETWEEN 1 AND 36),
  family_id bigint NOT NULL,
  from_account_id bigint NOT NULL,
  to_account_id bigint NOT NULL CHECK (to_account_id <> from_account_id),
  coin text NOT NULL,
  -- Units of 10^-18.
  amount numeric(38, 0) NOT NULL CHECK (amount > 0),
  key_id text NOT NULL,
  -- The newest attempt; an earlier one was refused.
  command_id bigint NOT NULL REFERENCES operator_commands,
  created_at timestamptz NOT NULL,
  UNIQUE (account_id, client_transfer_id),
  -- Money stays in the family, whatever the code does.
  FOREIGN KEY (from_account_id, family_id) REFERENCES trading_accounts (id, family_id),
  FOREIGN KEY (to_account_id, family_id) REFERENCES trading_accounts (id, family_id)
);
CREATE INDEX account_transfers_from ON account_transfers (from_account_id, transfer_id);
CREATE INDEX account_transfers_to ON account_transfers (to_account_id, transfer_id);
CREATE INDEX account_transfers_family ON account_transfers (family_id, transfer_id);
