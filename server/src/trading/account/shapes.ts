// What the API answers about the caller's account.
import type { Balance as EngineBalance } from '@rialto/matching';
import { Type, type Static } from 'typebox';
import { PERMISSIONS } from '../../accounts/trading-keys/key.ts';
import { formatAmount } from '../amount.ts';
import { Choice, Count, Decimal, MaybeMillis, Millis, toMillis } from '../values.ts';

export const AccountInfo = Type.Object(
  {
    accountId: Type.String({ description: 'Account id.' }),
    parentAccountId: Type.String({ description: 'The account it belongs to; may be empty.' }),
    permissions: Type.Array(Type.Enum([...PERMISSIONS], { type: 'string' }), {
      description: 'What the key that asks may do.',
    }),
    feeTier: Count('Fee tier; the whole family has the same.'),
    feeTierComputedAt: MaybeMillis(
      'When the tiers of all accounts were last computed from their volumes, which happens daily at 00:00 UTC; may be empty.',
    ),
    makerFee: Decimal('Maker rate of the tier.'),
    takerFee: Decimal('Taker rate of the tier.'),
    volume30d: Decimal(
      'What the family traded today and on the 29 days before (UTC), in markets quoted in the coin that counts for fees.',
    ),
    canTrade: Type.Boolean({ description: 'Whether orders are taken from the account.' }),
    canDeposit: Type.Boolean({ description: 'Whether deposits are credited.' }),
    canWithdraw: Type.Boolean({ description: 'Whether withdrawals are taken.' }),
    stpScope: Choice(
      ['account', 'family'],
      'Among whose orders self-trades are kept out: those of the account, or those of the main account and all its sub-accounts.',
    ),
    withdrawFreezeUntil: MaybeMillis('Until when withdrawals are frozen; may be empty.'),
    createdAt: Millis('When the account was opened.'),
  },
  { title: 'AccountInfo' },
);
export type AccountInfo = Static<typeof AccountInfo>;

export const Balance = Type.Object(
  {
    coin: Type.String({ description: 'Coin symbol.', examples: ['usdt'] }),
    available: Decimal('Free to be used.'),
    hold: Decimal('Held for open orders.'),
    pendingDeposit: Decimal('Seen on its network but not confirmed; outside the total.'),
    pendingWithdraw: Decimal('On its way out.'),
    total: Decimal('available + hold + pendingWithdraw.'),
    updatedAt: MaybeMillis('When it last changed; empty when it never did.'),
  },
  { title: 'Balance' },
);
export type Balance = Static<typeof Balance>;

export function toBalance(
  coin: string,
  held: EngineBalance | undefined,
  note: { readonly pendingDeposit: bigint; readonly updatedAt: Date | undefined },
): Balance {
  // The engine knows every listed coin, except in the moment before it has heard of a new one.
  const { available, hold, pendingWithdraw } = held ?? NOTHING;
  return {
    coin,
    available: formatAmount(available),
    hold: formatAmount(hold),
    pendingDeposit: formatAmount(note.pendingDeposit),
    pendingWithdraw: formatAmount(pendingWithdraw),
    total: formatAmount(available + hold + pendingWithdraw),
    updatedAt: note.updatedAt === undefined ? '' : toMillis(note.updatedAt),
  };
}

const NOTHING = { available: 0n, hold: 0n, pendingWithdraw: 0n };

export const isZero = ({ total, pendingDeposit }: Balance) =>
  total === '0' && pendingDeposit === '0';

export const AccountFee = Type.Object(
  {
    symbol: Type.String({ description: 'Market symbol.' }),
    makerFee: Decimal('Maker rate.'),
    takerFee: Decimal('Taker rate.'),
    feeSide: Type.Literal('received', { description: 'Fees are taken from what is received.' }),
    tier: Count('Fee tier.'),
  },
  { title: 'AccountFee' },
);

export const RateLimit = Type.Object(
  {
    scope: Type.Union([Type.Literal('address'), Type.Literal('account')], {
      description: 'What is counted: the client address, or the account over all its keys.',
    }),
    limit: Count('Requests admitted in one window.'),
    windowMs: Count('Length of the sliding window.'),
    used: Count('Requests in the window that ends now, this one included.'),
    remaining: Count('Requests that would still be admitted now.'),
    resetAt: Millis('When one more slot frees.'),
  },
  { title: 'RateLimit' },
);
