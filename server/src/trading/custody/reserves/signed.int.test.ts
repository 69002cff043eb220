// Signatures of the published addresses, on real nodes and by a real signer.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyReserves } from '../../../ops/commands/verify-reserves.ts';
import { hasAnvil } from '../../../testing/chains/anvil.ts';
import { openEvmVenue } from '../../../testing/chains/evm-venue.ts';
import { hasLitecoind } from '../../../testing/chains/litecoin.ts';
import { openLitecoinVenue } from '../../../testing/chains/litecoin-venue.ts';
import type { CustodyWorld } from '../../../testing/chains/world.ts';
import { exampleOperator } from '../../../testing/operators.ts';
import { findPublication } from './access.ts';
import { askPublication } from './actions.ts';
import { publishAsked } from './publish.ts';
import type { ReserveAddress, Reserves } from './shapes.ts';

const LONG = 240_000;
const WAIT = { timeout: 30_000 };

const folder = mkdtempSync(join(tmpdir(), 'rialto-signed-'));
afterAll(() => rmSync(folder, { recursive: true }));
const keep = (name: string, value: unknown): string => {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(value));
  return file;
};

async function get<T>(world: CustodyWorld, path: string): Promise<T> {
  const answer = await fetch(`${world.server.baseUrl}${path}`);
  return ((await answer.json()) as { result: T }).result;
}

async function publish(world: CustodyWorld) {
  const { ctx } = world;
  const id = await askPublication(ctx, await exampleOperator(ctx));
  await publishAsked(ctx);
  return findPublication(ctx.db, id);
}

/** As a stranger does it, with what everybody sees. */
async function check(world: CustodyWorld, coin: string, network: string) {
  const published = await get<Reserves>(world, '/public/reserves');
  const path = `/public/reserve_addresses?coin=${coin}&network=${network}`;
  const addresses = await get<ReserveAddress[]>(world, path);
  const publication = keep('publication.json', { result: published });
  const verify = (rows: readonly ReserveAddress[]) =>
    verifyReserves(undefined, { publication, addresses: keep('addresses.json', { result: rows }) });
  return { published, addresses, verify };
}

describe.skipIf(!hasLitecoind)('on Litecoin', () => {
  let venue: Awaited<ReturnType<typeof openLitecoinVenue>>;
  let cold: string;
  beforeAll(async () => {
    venue = await openLitecoinVenue(async (node) => {
      cold = String(await node.call('getnewaddress', ['', 'bech32']));
      return {
        policy: { coldTargets: [cold] },
        network: { tiers: { ltc: { floor: '1', target: '4', ceiling: '6', cold } } },
      };
    });
  }, LONG);
  afterAll(() => venue.close());

  it(
    'every key that is near signs its address, and a changed statement is found',
    async () => {
      const { node, world } = venue;
      await venue.ownerWith('2');
      await venue.ownerWith('8');
      await venue.paying(async () => {
        await expect.poll(() => venue.received(cold), WAIT).toBe('6');
        await node.mine(3);
        await new Promise((resolve) => setTimeout(resolve, 1000));
      });
      await expect.poll(() => publish(world), WAIT).toMatchObject({ status: 'published' });
      const { published, addresses, verify } = await check(world, 'ltc', 'LTC');
      expect(addresses.length).toBeGreaterThanOrEqual(2);
      expect(addresses.find(({ address }) => address === cold)).toMatchObject({
        amount: '6',
        statement: '',
        signature: '',
      });
      const [chain] = published.coins[0]?.networks ?? [];
      const signed = addresses.filter(({ signature }) => signature !== '');
      expect(signed).toHaveLength(addresses.length - 1);
      for (const { address, statement } of signed) {
        expect(statement).toContain(
          `block: ${chain?.height} ${chain?.blockHash}\naddress: ${address}`,
        );
      }
      expect(verify(addresses)).toMatchObject({ isRight: true });
      // Every lie that a row could tell.
      const [first] = signed;
      if (first === undefined) throw new Error('One is signed.');
      const lies: Partial<ReserveAddress>[] = [
        { address: cold },
        { address: cold, statement: first.statement.replace(first.address, cold) },
        { statement: first.statement.replace('LTC', 'BTC') },
        { statement: first.statement.replace(/venue: .*/, 'venue: https://other.example') },
        { statement: first.statement.replace(/block: \d+/, 'block: 1') },
        { signature: signed[1]?.signature ?? 'AA==' },
        { signature: 'AA==' },
      ];
      for (const lie of lies)
        expect(verify([{ ...first, ...lie }])).toMatchObject({ isRight: false });
    },
    LONG,
  );

  it(
    'nothing is published while the signer is away',
    async () => {
      const { signer, world } = venue;
      rmSync(signer.socket);
      expect(await publish(world)).toMatchObject({
        status: 'failed',
        reason: 'the signer does not sign addresses',
      });
    },
    LONG,
  );
});

describe.skipIf(!hasAnvil)('on an EVM chain', () => {
  let venue: Awaited<ReturnType<typeof openEvmVenue>>;
  beforeAll(async () => {
    venue = await openEvmVenue({ network: { sweeps: { ether: '1' } } });
  }, LONG);
  afterAll(() => venue.close());

  it(
    'the hot wallet and deposit addresses are signed, of coins and of tokens',
    async () => {
      const { node, world } = venue;
      await venue.ownerWith('ether', '3');
      await venue.ownerWith('tusd', '4');
      await venue.paying(async () => {
        await expect
          .poll(async () => {
            await node.mine(1);
            return venue.balanceOf(venue.hot);
          }, WAIT)
          .toBeGreaterThan(0n);
        await node.mine(3);
        await new Promise((resolve) => setTimeout(resolve, 1000));
      });
      await expect.poll(() => publish(world), WAIT).toMatchObject({ status: 'published' });
      for (const coin of ['ether', 'tusd']) {
        const { addresses, verify } = await check(world, coin, 'DEV');
        expect(addresses.length).toBeGreaterThanOrEqual(1);
        expect(addresses.every(({ signature }) => /^0x[0-9a-f]{130}$/.test(signature))).toBe(true);
        const { text, isRight } = verify(addresses);
        expect(text).toMatch(
          /^RIGHT: \d+ addresses are signed by their keys, 0 are not signed, 0 are wrong\.$/,
        );
        expect(isRight).toBe(true);
      }
    },
    LONG,
  );
});
