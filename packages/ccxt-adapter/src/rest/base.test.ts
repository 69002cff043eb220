import { RateLimitExceeded } from 'ccxt';
import { expect, it } from 'vitest';
import { toException } from '../errors.ts';
import { rialto } from '../rialto.ts';

const TOO_EARLY = {
  code: '6001',
  name: 'RATE_LIMITED',
  message: 'More than 10 requests in one second.',
  details: { retryAfterMs: '5' },
};

/** A venue that refuses the first requests. */
class Busy extends rialto {
  declare asked: number;
  declare refusals: number;

  override async request(): Promise<unknown> {
    this.asked = (this.asked ?? 0) + 1;
    if (this.asked <= this.refusals) throw toException(this.id, TOO_EARLY);
    return { result: '1760000000000' };
  }
}

it('comes again when the venue says, and not for ever', async () => {
  const busy = new Busy({ refusals: 2 });
  expect(await busy.fetchTime()).toBe(1_760_000_000_000);
  expect(busy.asked).toBe(3);
  const full = new Busy({ refusals: 99 });
  await expect(full.fetchTime()).rejects.toThrow(RateLimitExceeded);
  expect(full.asked).toBe(3);
});

it('leaves the pace to the caller who has switched the limiter off', async () => {
  const busy = new Busy({ refusals: 1, enableRateLimit: false });
  await expect(busy.fetchTime()).rejects.toThrow('6001 RATE_LIMITED');
});
