// C16 on an EVM chain: 24 words, an empty database and the chain find ether and tokens at every address again, and fetch them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasAnvil } from '../../../testing/chains/anvil.ts';
import { ETHER, openEvmVenue, type EvmVenue } from '../../../testing/chains/evm-venue.ts';
import { exampleOperator } from '../../../testing/operators.ts';
import { isThorough } from '../../../testing/thorough.ts';
import { rescanNetwork, sweepNetwork } from '../operators/networks.ts';

const LONG = 300_000;
const WAIT = { timeout: 60_000, interval: 300 };
/** Units of a comparison in those of the chain. */
const FINE_OF_WEI = 10n ** 6n;
const FINE = 10n ** 24n;

describe.skipIf(!hasAnvil || !isThorough)('an empty machine', () => {
  let venue: EvmVenue;
  beforeAll(async () => {
    venue = await openEvmVenue();
  }, LONG);
  afterAll(() => venue.close());

  const query = async <T extends object>(text: string): Promise<T[]> =>
    (await venue.world.server.owner.query(text)).rows as T[];
  const differences = () => venue.world.differences('DEV');

  it(
    'C16: finds coins and tokens of a seed at addresses that nobody knows any more, and sweeps them',
    async () => {
      const { node, token } = venue;
      // A history: one address is emptied and pays, two others have coins and tokens.
      const first = await venue.ownerWith('ether', '6');
      await venue.paying(async () => {
        const { withdrawId } = await first.payOut('2');
        await expect
          .poll(async () => {
            await node.mine(1);
            return (await first.find(withdrawId)).status;
          }, WAIT)
          .toBe('completed');
      });
      await venue.ownerWith('ether', '5');
      await venue.ownerWith('tusd', '7');
      const before = await venue.balanceOf(venue.hot);
      expect(before).toBeGreaterThan(3n * ETHER);
      const { words } = venue.signer;
      await venue.lose();

      venue = await openEvmVenue({ given: { node, token, words } });
      const { ctx } = venue.world;
      const operator = await exampleOperator(ctx);
      await venue.world.untilReason('DEV', '');
      await node.mine(2);
      // The payer learns from the signer which wallet is the hot one.
      await venue.paying(async () => {
        await expect.poll(differences, WAIT).not.toEqual({});
      });
      // Nobody has told it more than its own wallet.
      await expect.poll(differences, WAIT).toEqual({ ether: before * FINE_OF_WEI, tusd: 0n });
      await rescanNetwork(ctx, operator, 'DEV', { from: 1, addresses: 12 });
      await expect
        .poll(() => query('SELECT rescan_from FROM custody_networks'), WAIT)
        .toEqual([{ rescan_from: null }]);
      const left = (await differences())['ether'] ?? 0n;
      expect(left).toBeGreaterThan((before + 5n * ETHER) * FINE_OF_WEI - 1n);
      await expect.poll(differences, WAIT).toEqual({ ether: left, tusd: 7n * FINE });
      // Nobody's ledger is guessed, and nothing moves by itself.
      expect(await query('SELECT FROM custody_transfers')).toEqual([]);
      await venue.paying(() => new Promise((resolve) => setTimeout(resolve, 1000)));
      expect(await query('SELECT FROM custody_payments')).toEqual([]);

      await sweepNetwork(ctx, operator, 'DEV');
      // Every address is looked at once, and nothing is left under way: tokens come after the gas for them.
      const progress = () =>
        query<{ looked: number; open: number }>(
          `SELECT (SELECT count(*)::int FROM custody_swept WHERE coin = 'tusd') AS looked,
                  (SELECT count(*)::int FROM custody_payments WHERE state <> 'done') AS open`,
        );
      await venue.paying(async () => {
        await expect
          .poll(async () => {
            await node.mine(1);
            return progress();
          }, WAIT)
          .toEqual([{ looked: 12, open: 0 }]);
        await node.mine(3);
      });
      expect(await venue.balanceOf(venue.hot)).toBeGreaterThan(before + (49n * ETHER) / 10n);
      // What the network took is booked: the surplus is what was found.
      const [booked] = await query<{ cost: string }>(
        "SELECT sum(-amount)::text AS cost FROM custody_evidence WHERE cause LIKE 'chain_cost:%'",
      );
      expect(BigInt(booked?.cost ?? 0)).toBeGreaterThan(0n);
      await expect.poll(differences, WAIT).toEqual({ ether: left, tusd: 7n * FINE });
    },
    LONG,
  );
});
