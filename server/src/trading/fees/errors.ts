import { Refusal } from '../../platform/http/refusal.ts';

export const pinned = (account: bigint) =>
  new Refusal({
    code: 'FEE_TIER_PINNED',
    status: 409,
    message:
      `The fee tier of account ${account} is pinned. Pin another: rialto admin fees pin ${account} TIER; ` +
      `or let its volume decide again: rialto admin fees unpin ${account}`,
  });
