import { Type, type Static } from 'typebox';

/** The type of the event below. */
export const ACCOUNT_OPENED = 'trading_account_opened';

/**
 * Sent to nobody. It is in the log so that every node knows whose account it is before the first batch that names the
 * account.
 */
export const AccountOpened = Type.Object(
  {
    type: Type.Literal(ACCOUNT_OPENED),
    user_id: Type.Integer(),
    account_id: Type.Integer(),
  },
  { additionalProperties: false },
);
type AccountOpened = Static<typeof AccountOpened>;

export const accountOpened = (userId: number, accountId: bigint): AccountOpened => ({
  type: ACCOUNT_OPENED,
  user_id: userId,
  account_id: Number(accountId),
});

export const parseAccountOpened = (payload: string): AccountOpened =>
  JSON.parse(payload) as AccountOpened;
