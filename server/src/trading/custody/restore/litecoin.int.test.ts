// C16: the machines of the server and of the signer are gone, and there is no backup of the database. 24 words, an empty
// database and the chain find every coin again.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operator } from '../../../accounts/operators/operator.ts';
import { hasLitecoind } from '../../../testing/chains/litecoin.ts';
import { openLitecoinVenue, type LitecoinVenue } from '../../../testing/chains/litecoin-venue.ts';
import { listSeedCoins, sumCoins } from '../../../testing/chains/seed-coins.ts';
import { exampleOperator } from '../../../testing/operators.ts';
import { isThorough } from '../../../testing/thorough.ts';
import { formatAmount } from '../../amount.ts';
import { approveCommand, awaitCommand, requestAct } from '../../operators/actions.ts';
import { adjustLedger, contributeCapital } from '../../operators/acts.ts';
import type { Act } from '../../operators/command-row.ts';
import { ownNetworks } from '../networks.ts';
import { rescanNetwork } from '../operators/networks.ts';
import { reconcileNetwork } from '../reconciliation/reconcile.ts';

const LONG = 900_000;
const WAIT = { timeout: 60_000 };
/** Smallest units of the chain in the ledger's, and in those of a comparison. */
const LEDGER = 10n ** 10n;
const FINE = 10n ** 16n;

describe.skipIf(!hasLitecoind || !isThorough)('an empty machine', () => {
  let venue: LitecoinVenue;
  beforeAll(async () => {
    venue = await openLitecoinVenue();
  }, LONG);
  afterAll(() => venue.close());

  const onChain = async () => {
    const xpub = venue.signer.keys.networks['LTC']?.['account']?.xpub ?? '';
    return sumCoins(await listSeedCoins(venue.node, xpub, [...Array(60).keys()]));
  };
  const query = async <T extends object>(text: string): Promise<T[]> =>
    (await venue.world.server.owner.query(text)).rows as T[];
  /** Coins that the hot wallet could spend. */
  const found = async () => {
    const [row] = await query<{ units: string }>(
      'SELECT coalesce(sum(units), 0)::text AS units FROM custody_utxos WHERE payment_id IS NULL',
    );
    return BigInt(row?.units ?? 0);
  };
  const compare = async () => {
    const own = ownNetworks(venue.world.ctx.config).get('LTC');
    if (own === undefined) throw new Error('LTC is configured.');
    const nodes = own.nodes.map((url) => own.ownChain.openNode(url));
    const { compared } = await reconcileNetwork(venue.world.ctx, { own, nodes });
    return { outcome: compared[0]?.outcome, difference: compared[0]?.difference };
  };
  async function act(operators: [Operator, Operator], one: Act): Promise<void> {
    const { ctx } = venue.world;
    const id = await requestAct(ctx, operators[0], one);
    if (one.needsApproval === true) await approveCommand(ctx, operators[1], id);
    expect((await awaitCommand(ctx, id, 20_000)).status).toBe('done');
  }

  it(
    'C16: finds every coin of a seed by its 24 words and the chain, and pays with them',
    async () => {
      const { node } = venue;
      // A history: deposits of three people, at several addresses; payouts, hence spent deposits and change.
      const owners = [];
      for (const coins of ['5', '3', '2']) owners.push(await venue.ownerWith(coins));
      const [first, second] = owners;
      if (first === undefined || second === undefined) throw new Error('There are three owners.');
      const late = await second.trader.freshAddress('ltc');
      for (const coins of ['1', '0.5']) {
        const txid = await node.pay(await second.trader.freshAddress('ltc'), coins);
        await node.mine(2);
        await second.trader.until(txid, 'credited');
      }
      await venue.paying(async () => {
        for (const amount of ['2', '1.5']) {
          const { withdrawId } = await first.payOut(amount);
          await first.until(withdrawId, 'confirming');
          await node.mine(2);
          await first.until(withdrawId, 'completed');
        }
      });
      const before = await onChain();
      expect(before).toBe(await found());
      expect(before).toBeLessThan(9n * 10n ** 8n);
      const { words } = venue.signer;
      await venue.lose();

      // New machines: the words, and a database with nothing in it.
      venue = await openLitecoinVenue({ node, words });
      const { ctx } = venue.world;
      const operators: [Operator, Operator] = [
        await exampleOperator(ctx),
        await exampleOperator(ctx),
      ];
      await venue.world.untilReason('LTC', '');
      expect(await onChain()).toBe(before);
      expect(await found()).toBe(0n);
      const rescan = async (addresses: number) => {
        await rescanNetwork(ctx, operators[0], 'LTC', { from: 1, addresses });
        await expect
          .poll(() => query('SELECT rescan_from FROM custody_networks'), WAIT)
          .toEqual([{ rescan_from: null }]);
      };
      // Three addresses are too few. It goes on where it ended, until nothing more is found.
      await rescan(3);
      const few = await found();
      expect(few).toBeGreaterThan(0n);
      expect(few).toBeLessThan(before);
      await rescan(20);
      expect(await found()).toBe(before);
      await rescan(20);
      expect(await found()).toBe(before);
      await expect(
        rescanNetwork(ctx, operators[0], 'LTC', { from: 1, addresses: 5001 }),
      ).rejects.toThrow(/At most 5000/);

      // Nobody's ledger is guessed: nothing is credited, and all of it is a surplus.
      expect(await query('SELECT FROM custody_transfers')).toEqual([]);
      await node.mine(2);
      await expect.poll(compare, WAIT).toEqual({ outcome: 'surplus', difference: before * FINE });
      // What comes to an old address from now on is held for its owner.
      await node.pay(late, '0.7');
      await node.mine(2);
      await expect
        .poll(() => query('SELECT status, status_reason FROM custody_transfers'), WAIT)
        .toEqual([{ status: 'held', status_reason: 'unknown_memo' }]);
      await expect.poll(compare, WAIT).toEqual({ outcome: 'surplus', difference: before * FINE });

      // Two operators book it, and give it to whom it belongs; a new customer's address is none of the old ones.
      const customer = await venue.ownerWith('1');
      const coins = formatAmount(before * LEDGER);
      const reason = 'The database was lost.';
      const booked = { id: 'found', coin: 'ltc', amount: coins, reason };
      await act(operators, contributeCapital({ ...booked, network: 'LTC' }));
      const given = { ...booked, id: 'given', amount: '3', from: 'capital' } as const;
      await act(operators, adjustLedger({ ...given, to: Number(customer.trader.accountId) }));
      await expect.poll(compare, WAIT).toEqual({ outcome: 'equal', difference: 0n });
      await venue.paying(async () => {
        const { withdrawId, address } = await customer.payOut('3.5');
        await customer.until(withdrawId, 'confirming');
        await node.mine(2);
        await customer.until(withdrawId, 'completed');
        expect(await venue.received(address)).toBe('3.499');
      });
      await expect.poll(compare, WAIT).toEqual({ outcome: 'equal', difference: 0n });
    },
    LONG,
  );
});
