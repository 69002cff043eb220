import { Refusal } from '../../platform/http/refusal.ts';

export const coinInvalid = (problems: readonly string[]) =>
  new Refusal({
    code: 'COIN_INVALID',
    status: 400,
    message: `The coin cannot be taken over:\n  - ${problems.join('\n  - ')}`,
    fields: { problems },
  });

export const networkMissing = (coin: string, missing: readonly string[]) =>
  new Refusal({
    code: 'NETWORK_MISSING',
    status: 409,
    message:
      `${coin} is on ${missing.join(', ')} already, and the new definition does not name it. A network ` +
      'is never taken away, since money may be under way on it: set its depositStatus and ' +
      'withdrawStatus to "disabled".',
    fields: { missing },
  });
