// The bounds of the hot wallet, on a real Litecoin node and with a real signer.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasLitecoind } from '../../../testing/chains/litecoin.ts';
import { listTiers } from '../operators/tiers.ts';
import { formatFine } from '../reconciliation/difference.ts';
import { openLitecoinVenue, type LitecoinVenue } from '../../../testing/chains/litecoin-venue.ts';

const LONG = 240_000;
const WAIT = { timeout: 30_000 };

describe.skipIf(!hasLitecoind)('tiers', () => {
  let venue: LitecoinVenue;
  let cold: string;
  beforeAll(async () => {
    venue = await openLitecoinVenue(async (node) => {
      cold = String(await node.call('getnewaddress', ['', 'bech32']));
      return {
        policy: { coldTargets: [cold] },
        network: { tiers: { ltc: { floor: '5', target: '8', ceiling: '12', cold } } },
      };
    });
  }, LONG);
  afterAll(() => venue.close());

  const payments = async () => {
    const { rows } = await venue.world.server.owner.query<{ kind: string; state: string }>(
      'SELECT kind, state FROM custody_payments ORDER BY payment_id',
    );
    return rows;
  };

  it(
    'what is above the ceiling goes to the cold wallet once, and its cost is booked',
    async () => {
      const { node, world } = venue;
      const owner = await venue.ownerWith('11');
      await venue.paying(() => new Promise((resolve) => setTimeout(resolve, 1000)));
      expect(await payments()).toEqual([]);
      const tier = async () => {
        const [{ hot, ...rest } = { hot: undefined, state: '' }] = await listTiers(world.ctx);
        return { state: rest.state, amount: hot && formatFine(hot.amount) };
      };
      expect(await tier()).toEqual({ state: 'within', amount: '11' });
      const txid = await node.pay(await owner.trader.address('ltc'), '4');
      await node.mine(2);
      await owner.trader.until(txid, 'credited');
      await venue.paying(async () => {
        await expect.poll(() => venue.received(cold), WAIT).toBe('7');
        await node.mine(2);
        await expect.poll(payments, WAIT).toEqual([{ kind: 'to_cold', state: 'done' }]);
        // What is left is below the ceiling: nothing more goes.
        await new Promise((resolve) => setTimeout(resolve, 1000));
      });
      expect(await payments()).toHaveLength(1);
      expect(await venue.received(cold)).toBe('7');
      const costs = await world.server.owner.query<{ n: number }>(
        "SELECT count(*)::int AS n FROM custody_evidence WHERE cause LIKE 'chain_cost:P%' AND amount < 0",
      );
      expect(costs.rows).toEqual([{ n: 1 }]);
      // The cold wallet counts: nothing is missing on the chain.
      await expect.poll(() => world.differences('LTC'), WAIT).toEqual({ ltc: 0n });
      // The coins are the venue's: nobody's account has changed.
      expect(await owner.trader.balance('ltc')).toMatchObject({ available: '15' });
    },
    LONG,
  );

  it(
    'a payout that would leave less than the floor waits with a reason, and can be canceled',
    async () => {
      const { node } = venue;
      const owner = await venue.ownerWith('3.3');
      // What the other tests left is out of reach: the wallet has 3.3.
      await venue.world.server.owner.query(
        'UPDATE custody_utxos SET needed = 100000 WHERE payment_id IS NULL AND units <> 330000000',
      );
      const { withdrawId } = await owner.payOut('1');
      await venue.paying(() =>
        expect
          .poll(() => owner.find(withdrawId), WAIT)
          .toMatchObject({ status: 'queued', statusReason: 'hot_floor', txid: '' }),
      );
      expect(await listTiers(venue.world.ctx)).toMatchObject([{ state: 'below_floor' }]);
      const more = await venue.ownerWith('3');
      await venue.paying(async () => {
        await owner.until(withdrawId, 'confirming');
        await node.mine(2);
        await owner.until(withdrawId, 'completed');
        const last = await more.payOut('2');
        await expect
          .poll(() => more.find(last.withdrawId), WAIT)
          .toMatchObject({ status: 'queued', statusReason: 'hot_floor' });
        await more.ask('withdraw_cancel', { withdrawId: last.withdrawId }, 'DELETE');
        await more.until(last.withdrawId, 'canceled');
      });
    },
    LONG,
  );
});
