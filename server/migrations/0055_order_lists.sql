-- What few orders have: how far a trailing stop stays behind, in basis points, and the list that the order is
-- a leg of. A list has the order id of its first leg, and its legs have consecutive ids, so the primary key
-- finds them all and no index is needed. Zero and the empty text stand for "absent".
ALTER TABLE trading_orders
  ADD COLUMN trailing_delta smallint NOT NULL DEFAULT 0,
  ADD COLUMN order_list_id bigint NOT NULL DEFAULT 0,
  ADD COLUMN order_list_kind text NOT NULL DEFAULT '';

-- A repeated request is compared with these as well: the id of a leg stands for its list, not for an order
-- of its own.
ALTER TABLE client_orders
  ADD COLUMN trailing_delta smallint NOT NULL DEFAULT 0,
  ADD COLUMN order_list_id bigint NOT NULL DEFAULT 0;
