// Somebody has the server, the database as its owner and the master key, and forges the dispatcher. What leaves the venue is
// counted on the chain, after everything that the signer gave away is mined.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEPOSIT_BRANCH, CHANGE_BRANCH } from '@rialto/chains';
import { hasLitecoind } from '../../../testing/chains/litecoin.ts';
import { openLitecoinVenue, type LitecoinVenue } from '../../../testing/chains/litecoin-venue.ts';
import { listSeedCoins, sumCoins } from '../../../testing/chains/seed-coins.ts';
import { openThief, showCoins, type Forgery, type Thief } from '../../../testing/chains/thief.ts';
import { isThorough } from '../../../testing/thorough.ts';
import { ownNetworks } from '../networks.ts';
import { seedAccount } from './prepare.ts';
import { openSigner } from './signer.ts';

const LONG = 900_000;
const WAIT = { timeout: 30_000 };
const HOUR_MS = 3_600_000;
const LTC = 100_000_000n;

/** Of the signer's policy, in units of 10⁻⁸. */
const MAX = {
  transaction: 2n * LTC,
  hour: 5n * LTC,
  day: 12n * LTC,
  feeHour: LTC / 100n,
  feeDay: (3n * LTC) / 100n,
  rate: 600n,
};
/** The highest number of an address: nobody would look for coins there first. */
const INDEX_MAX = 5000;
const HIDDEN = { branch: CHANGE_BRANCH, index: INDEX_MAX };
/** Virtual bytes of one input and two outputs, and of one and one, as the signer counts them. */
const [PAY_SIZE, BURN_SIZE] = [140n, 109n];

describe.skipIf(!hasLitecoind)('a stolen server', () => {
  let venue: LitecoinVenue;
  let thief: Thief;
  let loot: string;
  let before: bigint;
  const coinsOf = () => listSeedCoins(venue.node, xpubOf(venue), [...Array(50).keys(), INDEX_MAX]);
  /** By the chain: what the venue has no more, and what of it the thief has. The rest went to miners. */
  const theft = async () => ({
    lost: before - sumCoins(await coinsOf()),
    got: units(await venue.received(loot)),
  });

  beforeAll(async () => {
    venue = await openLitecoinVenue({
      policy: {
        transactionMax: showCoins(MAX.transaction),
        hourMax: showCoins(MAX.hour),
        dayMax: showCoins(MAX.day),
        approvalAbove: showCoins(MAX.transaction),
        fee: {
          rateMax: Number(MAX.rate),
          transactionMax: '0.005',
          hourMax: showCoins(MAX.feeHour),
          dayMax: showCoins(MAX.feeDay),
        },
        indexMax: INDEX_MAX,
      },
      network: {
        withdrawals: {
          ltc: { automaticMax: '10', oneOperatorMax: '20', familyDayMax: '50', batchMax: '2' },
        },
      },
    });
    loot = await venue.newAddress();
  }, LONG);
  afterAll(() => venue.close());

  /** The signer starts on a machine whose clock shows so many hours later. */
  async function atHour(hour: number): Promise<void> {
    await venue.signer.kill();
    await venue.signer.restart(hour * HOUR_MS);
  }

  /** Everything that was signed goes to the node, and into blocks. */
  async function mineHoard(): Promise<void> {
    for (const raw of thief.takeHoard()) {
      // A pool takes few transactions in a row that wait for each other.
      await venue.node.call('sendrawtransaction', [raw]).catch(async () => {
        await venue.node.mine(1);
        await venue.node.call('sendrawtransaction', [raw]);
      });
    }
    await venue.node.mine(1);
  }

  const spare = () => {
    const [coin] = thief.coins();
    if (coin === undefined) throw new Error('The thief has a coin to spend.');
    return coin;
  };
  /** A payout to the thief, at the highest fee. */
  const take = (units: bigint): Promise<string> =>
    thief.forge({
      inputs: [spare()],
      pays: [{ address: loot, units }],
      fee: MAX.rate * PAY_SIZE,
    });

  /** Coins that miners get, and nobody else: by a payment that stays with the venue. */
  const burn = (fee: bigint, terms: Partial<Forgery>): Promise<string> =>
    thief.forge({ inputs: [spare()], fee, outputs: [], ...terms });

  /** Asks again and again, for less each time it is refused, and returns why it is refused in the end. */
  async function squeeze(most: bigint, ask: (units: bigint) => Promise<string>): Promise<string> {
    let reason = '';
    for (let units = most; units >= 2000n;) {
      const answer = await ask(units);
      if (answer === 'signed') continue;
      reason = answer;
      units /= 2n;
    }
    return reason;
  }

  /** Everything that there is: payouts at the highest fee, then fees alone. Returns why it gives no more. */
  async function takeAll(): Promise<string[]> {
    const coins = await squeeze(MAX.transaction, take);
    const ways: Partial<Forgery>[] = [{ kind: 'sweep' }, { kind: 'child' }, { purpose: 'void' }];
    const fees: string[] = [];
    for (const way of ways) {
      fees.push(await squeeze(MAX.rate * BURN_SIZE, (fee) => burn(fee, way)));
    }
    return [coins, ...fees];
  }

  it(
    'takes the ceiling of an hour, whatever it asks for and however often',
    async () => {
      for (const coins of ['20', '15', '10', '5']) await venue.ownerWith(coins);
      before = sumCoins(await coinsOf());
      expect(before).toBe(50n * LTC);
      // First the honest dispatcher, with rows that the owner of the database has written.
      await venue.world.server.owner.query(
        `INSERT INTO withdrawals (account_id, family_id, coin, network, amount, fee, address, needs_confirmation, confirm_by,
           approvals_needed, requested_by, status, command_id, is_booked, created_at, updated_at)
         SELECT account_id, account_id, 'ltc', 'LTC', 2001 * 10::numeric ^ 15, 10::numeric ^ 15, $1, false, now(), 0, 'nobody',
           'queued', 1, true, now(), now()
           FROM custody_addresses CROSS JOIN generate_series(1, 3) WHERE account_id IS NOT NULL LIMIT 3`,
        [loot],
      );
      const limited = () =>
        venue.world.server.owner.query(
          "SELECT FROM withdrawals WHERE status = 'signing' AND status_reason = 'hot_limit'",
        );
      await venue.paying(async () => {
        await expect.poll(async () => (await limited()).rows.length, WAIT).toBe(1);
      });
      await venue.node.mine(1);
      expect(await venue.received(loot)).toBe('4');

      // Then the socket itself.
      thief = openThief(venue.signer.socket, await readSeed(venue), await coinsOf(), HIDDEN);
      expect(new Set(await takeAll())).toEqual(new Set(['limit_hour']));
      // Killed and started again, on a machine whose clock is a day behind: it remembers.
      await atHour(-24);
      expect(new Set(await takeAll())).toEqual(new Set(['limit_hour']));
      // All at once, for a last coin.
      const coin = spare();
      const answers = await Promise.all(
        Array.from({ length: 10 }, () =>
          thief.forge({ inputs: [coin], pays: [{ address: loot, units: LTC }], fee: 0n }),
        ),
      );
      expect(new Set(answers)).toEqual(new Set(['limit_hour']));
      await mineHoard();

      const { lost, got } = await theft();
      expect(lost).toBeLessThanOrEqual(MAX.hour + MAX.feeHour);
      expect(got).toBeLessThanOrEqual(MAX.hour);
      // It did try: hardly anything of the ceilings is left.
      expect(got).toBeGreaterThan(MAX.hour - 5000n);
      expect(lost - got).toBeGreaterThan(MAX.feeHour - 5000n);
    },
    LONG,
  );

  it.runIf(isThorough)(
    'takes the ceiling of a day in a day, though nothing is sent before its end',
    async () => {
      const reasons = new Map<number, Set<string>>();
      for (const hour of [1, 2, 12, 23]) {
        await atHour(hour);
        reasons.set(hour, new Set(await takeAll()));
      }
      expect(reasons.get(1)).toEqual(new Set(['limit_hour']));
      expect(reasons.get(2)).toEqual(new Set(['limit_day', 'limit_hour']));
      for (const hour of [12, 23]) expect(reasons.get(hour)).toEqual(new Set(['limit_day']));
      await mineHoard();
      const { lost, got } = await theft();
      expect(lost).toBeLessThanOrEqual(MAX.day + MAX.feeDay);
      expect(got).toBeLessThanOrEqual(MAX.day);
      expect(got).toBeGreaterThan(MAX.day - 5000n);
      expect(lost - got).toBeGreaterThan(MAX.feeDay - 20_000n);

      // A clock that goes back opens nothing; the next day opens what the first hour used.
      await atHour(0);
      expect(new Set(await takeAll())).toEqual(new Set(['limit_day']));
      await atHour(24.5);
      await takeAll();
      await mineHoard();
      const next = await theft();
      expect(next.got - got).toBeLessThanOrEqual(MAX.hour);
      expect(next.got - got).toBeGreaterThan(MAX.hour - 5000n);
    },
    LONG,
  );

  it(
    'cannot have another shape of transaction signed, and not one withdrawal twice',
    async () => {
      // The ceilings would refuse anything, so time passes first.
      await atHour(60);
      const [one, other, left, right] = thief.coins();
      if (one === undefined || other === undefined || left === undefined || right === undefined) {
        throw new Error('The thief has four coins.');
      }
      const small = { address: loot, units: LTC / 1000n };
      const fee = MAX.rate * PAY_SIZE;
      const paid = { address: loot, amount: showCoins(small.units) };
      const declared = [paid];
      const ask = (forgery: Partial<Forgery>) =>
        thief.forge({ inputs: [one], pays: [small], fee, ...forgery });

      expect(await ask({ pays: [{ ...small, units: MAX.transaction + 1n }] })).toBe(
        'approvals_missing',
      );
      expect(await ask({ kind: 'sweep', outputs: declared })).toBe('target_not_in_policy');
      expect(await ask({ kind: 'to_cold', outputs: declared })).toBe('target_not_in_policy');
      expect(await ask({ kind: 'sweep', outputs: [] })).toBe('output_not_declared');
      expect(await ask({ kind: 'child', outputs: [] })).toBe('output_not_declared');
      expect(await ask({ kind: 'child', outputs: declared })).toBe('bad_output');
      expect(await ask({ purpose: 'void', outputs: [] })).toBe('output_not_declared');
      expect(await ask({ purpose: 'void', outputs: declared })).toBe('bad_output');
      expect(await ask({ kind: 'gas', outputs: declared })).toBe('bad_request');
      expect(await ask({ network: 'BTC' })).toBe('unknown_network');
      expect(await ask({ outputs: declared })).toBe('bad_output');
      expect(await ask({ fee: fee * 10n })).toBe('fee_too_high');
      expect(await ask({ changeAt: { ...HIDDEN, index: INDEX_MAX + 1 } })).toBe(
        'output_not_declared',
      );
      expect(await ask({ changeAt: { branch: DEPOSIT_BRANCH, index: 0 } })).toBe(
        'output_not_declared',
      );
      expect(await ask({ afterSeq: 1_000_000 })).toBe('memory_broken');
      // A request has no time of its own.
      expect(await ask({ at: '0' } as Partial<Forgery>)).toBe('bad_request');

      // What the venue has paid itself.
      expect(await ask({ outputs: [{ ...paid, withdrawId: 'W1' }] })).toBe(
        'withdrawal_has_payment',
      );
      // One withdrawal, signed once; then every way to be paid for it again.
      const paymentId = thief.nextId();
      const outputs = [{ ...paid, withdrawId: 'W900' }];
      expect(await ask({ paymentId, outputs })).toBe('signed');
      expect(await ask({ inputs: [other], outputs })).toBe('withdrawal_has_payment');
      expect(await ask({ inputs: [other], paymentId, outputs })).toBe('not_in_conflict');
      expect(await ask({ paymentId })).toBe('payment_differs');
      expect(await ask({ paymentId, outputs, fee: fee - 1n })).toBe('signed');
      // Of the two versions a block takes one.
      const [first, second] = thief.takeHoard();
      await venue.node.call('sendrawtransaction', [first]);
      await expect(venue.node.call('sendrawtransaction', [second])).rejects.toThrow(
        /conflict|missing|spent/,
      );
      await venue.node.mine(1);

      // Two halves of one transaction, each with a lie about the other input: together they would be one large fee.
      const lie = (coin: typeof left) => ({ ...coin, units: 1000n });
      const half = (inputs: Forgery['inputs']) =>
        thief.forge({ inputs, pays: [small], fee: MAX.rate * PAY_SIZE });
      expect(await half([left, lie(right)])).toBe('signed');
      expect(await half([lie(left), right])).toBe('amount_differs');
      const [lying] = thief.takeHoard();
      await expect(venue.node.call('sendrawtransaction', [lying])).rejects.toThrow(/verify/);
    },
    LONG,
  );
});

const units = (coins: string): bigint => {
  const [whole = '', part = ''] = coins.split('.');
  return BigInt(whole + part.padEnd(8, '0'));
};

const xpubOf = ({ signer }: LitecoinVenue): string =>
  signer.keys.networks['LTC']?.['account']?.xpub ?? '';

async function readSeed({ world, signer }: LitecoinVenue) {
  const own = ownNetworks(world.ctx.config).get('LTC');
  if (own === undefined) throw new Error('LTC is configured.');
  return seedAccount(own, await openSigner(signer.socket).keys());
}
