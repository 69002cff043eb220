// A proof of reserves on a real Litecoin node: from the request of an operator to the check that a customer makes at home.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operator } from '../../../accounts/operators/operator.ts';
import { startFaultProxy, type FaultProxy } from '../../../testing/chains/fault-proxy.ts';
import {
  hasLitecoind,
  startLitecoin,
  type LitecoinNode,
} from '../../../testing/chains/litecoin.ts';
import { openWorld, type CustodyTrader, type CustodyWorld } from '../../../testing/chains/world.ts';
import { ABANDON, extendedPublicKey } from '../../../testing/extended-keys.ts';
import { exampleOperator } from '../../../testing/operators.ts';
import { findPublication } from './access.ts';
import { askPublication } from './actions.ts';
import type { ReserveAddress, ReserveLeaf, Reserves } from './shapes.ts';
import { startPublisher } from './worker.ts';

const WAIT = { timeout: 30_000 };
const LONG = 180_000;
const LAUNCHER = fileURLToPath(new URL('../../../../bin/rialto.js', import.meta.url));

describe.skipIf(!hasLitecoind)('a proof of reserves', () => {
  let node: LitecoinNode;
  let front: FaultProxy;
  let world: CustodyWorld;
  let operator: Operator;
  let home: string;
  let rich: CustodyTrader;
  let poor: CustodyTrader;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'rialto-reserves-'));
    node = await startLitecoin();
    front = await startFaultProxy(node.url);
    world = await openWorld([
      {
        network: 'LTC',
        chain: 'litecoin-regtest',
        publicKey: extendedPublicKey(ABANDON, "m/84'/2'/0'"),
        nodes: [front.url],
        blockSeconds: 3600,
      },
    ]);
    await world.list('ltc', 'LTC');
    operator = await exampleOperator(world.ctx);
    world.watch();
  }, LONG);
  afterAll(async () => {
    await world.close();
    await front.close();
    await node.remove();
    await rm(home, { recursive: true, force: true });
  });

  const get = async (path: string): Promise<{ text: string; result: unknown; error: unknown }> => {
    const answer = await fetch(`${world.server.baseUrl}${path}`);
    const text = await answer.text();
    const { result, error } = JSON.parse(text) as { result: unknown; error: unknown };
    return { text, result, error };
  };
  const reserves = async () => {
    const { text, result } = await get('/public/reserves');
    return { text, result: result as Reserves };
  };
  const addresses = async (path: string) => (await get(path)).result as ReserveAddress[];
  const leavesOf = (trader: CustodyTrader) =>
    trader.get('account/reserves') as Promise<ReserveLeaf[]>;

  const publish = async (): Promise<string> => {
    const id = await askPublication(world.ctx, operator);
    // Asked twice it is made once, by one of two.
    expect(await askPublication(world.ctx, operator)).toBe(id);
    const two = [
      startPublisher(world.ctx, { everyMs: 50 }),
      startPublisher(world.ctx, { everyMs: 50 }),
    ];
    const status = async () => (await findPublication(world.ctx.db, id))?.status;
    await expect.poll(status, WAIT).not.toBe('asked');
    for (const one of two) await one.stop();
    const state = await findPublication(world.ctx.db, id);
    return `${state?.status}: ${state?.reason}`;
  };

  const save = async (name: string, content: unknown): Promise<string> => {
    const file = join(home, name);
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  };
  const verify = (...args: readonly string[]) =>
    new Promise<{ code: number; out: string }>((resolve) => {
      execFile(process.execPath, [LAUNCHER, 'verify-reserves', ...args], (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), out: stdout + stderr }),
      );
    });

  it('is not there before the first, and says so everywhere', async () => {
    rich = await world.trader();
    poor = await world.trader();
    expect((await reserves()).result).toEqual({ publicationId: '', publishedAt: '', coins: [] });
    expect((await get('/public/reserve_addresses?coin=ltc&network=LTC')).result).toEqual([]);
    expect(await leavesOf(rich)).toEqual([]);
    const page = await fetch(`${world.server.origin}/reserves`);
    expect(await page.text()).toContain('No proof of reserves');
  });

  it(
    'shows what is owed and held, and everybody finds their own sum in it',
    async () => {
      await expect.poll(() => rich.address('ltc').catch(String), WAIT).not.toMatch(/Error/);
      const txids = [
        await node.pay(await rich.address('ltc'), '3'),
        await node.pay(await poor.address('ltc'), '0.5'),
      ];
      await node.mine(2);
      await rich.until(txids[0] ?? '', 'credited');
      await poor.until(txids[1] ?? '', 'credited');
      await expect.poll(async () => (await rich.balance('ltc')).available, WAIT).toBe('3');
      await expect.poll(async () => (await poor.balance('ltc')).available, WAIT).toBe('0.5');
      expect(await publish()).toBe('published: ');
      const { result, text } = await reserves();
      const [coin] = result.coins;
      expect(coin).toMatchObject({
        coin: 'ltc',
        liabilities: '3.5',
        onChain: '3.5',
        ratio: '1.0000',
        leaves: '3',
        networks: [{ network: 'LTC', onChain: '3.5' }],
      });
      const height = Number(coin?.networks[0]?.height);
      expect(coin?.networks[0]?.blockHash).toBe(await node.call('getblockhash', [height]));

      const publication = await save('publication.json', text);
      for (const [name, trader, sum] of [
        ['rich.json', rich, '3'],
        ['poor.json', poor, '0.5'],
      ] as const) {
        const leaves = await leavesOf(trader);
        // Its own leaf, and nobody else's.
        expect(leaves.map(({ accountId }) => accountId)).toEqual([String(trader.accountId)]);
        const file = await save(name, { result: leaves });
        const { code, out } = await verify(file, '--publication', publication);
        expect(out).toContain(`RIGHT: the ${sum} ltc of account ${trader.accountId}`);
        expect(code).toBe(0);
      }
      expect((await leavesOf(rich))[0]?.salt).not.toBe((await leavesOf(poor))[0]?.salt);
      const page = await fetch(`${world.server.origin}/reserves?lang=fa`);
      expect(await page.text()).toContain('۱٫۰۰۰۰');
    },
    LONG,
  );

  it('shows the addresses page by page, and no more at once than it may', async () => {
    const at = '/public/reserve_addresses?coin=ltc&network=LTC';
    const all = await addresses(at);
    expect(all.map(({ amount }) => amount).sort()).toEqual(['0.5', '3']);
    expect(all.map(({ address }) => address)).toEqual(
      [await rich.address('ltc'), await poor.address('ltc')].sort(),
    );
    const first = await addresses(`${at}&limit=1`);
    const rest = await addresses(`${at}&after=${first[0]?.address}`);
    expect([...first, ...rest]).toEqual(all);
    for (const wrong of ['limit=0', 'limit=1001', `after=${'x'.repeat(201)}`]) {
      expect((await get(`${at}&${wrong}`)).error, wrong).toBeDefined();
    }
    expect((await get('/public/reserve_addresses?coin=btc&network=LTC')).result).toEqual([]);
  });

  it('gives nobody the leaf of another account, whatever they ask for', async () => {
    for (const name of ['accountId', 'account', 'publicationId']) {
      await expect(
        poor.get('account/reserves', { [name]: String(rich.accountId) }),
      ).rejects.toThrow(/\d{4} /);
    }
    expect(await poor.get('account/reserves', { coin: 'btc' })).toEqual([]);
  });

  it(
    'C15: with one leaf lowered, the verification of its customer fails',
    async () => {
      const had = (await leavesOf(rich))[0]?.units;
      // A venue that hides what it owes to one of them.
      const lower = (by: string) =>
        world.server.owner.query(
          'UPDATE balances SET available = available - $1 WHERE account_id = $2',
          [by, rich.accountId],
        );
      await lower('1000000000000000000');
      expect(await publish()).toBe('published: ');
      await lower('-1000000000000000000');
      const [leaf] = await leavesOf(rich);
      expect(leaf?.units).not.toBe(had);
      const honest = await save('honest.json', [{ ...leaf, units: had }]);
      const { code, out } = await verify(honest);
      expect(out).toContain('WRONG: ltc of account');
      expect(out).toContain('not in the published tree with this sum');
      expect(code).toBe(1);
      // The one whose leaf is as it was finds it.
      expect((await verify(await save('poor.json', await leavesOf(poor)))).code).toBe(0);
      // A root of its own for one customer differs from what everybody sees.
      const other = { ...(await reserves()).result };
      const publication = {
        ...other,
        coins: other.coins.map((one) => ({ ...one, root: 'a'.repeat(64) })),
      };
      const told = await verify(
        await save('poor.json', await leavesOf(poor)),
        '--publication',
        await save('other.json', publication),
      );
      expect(told).toMatchObject({ code: 1, out: expect.stringContaining('this leaf was shown') });
    },
    LONG,
  );

  it(
    'explains files that it cannot read',
    async () => {
      const missing = await verify(join(home, 'nowhere.json'));
      expect(missing.code).not.toBe(0);
      expect(missing.out).toContain('cannot be read');
      const broken = await verify(await save('broken.json', '{"result":[{"path":[]}]}'));
      expect(broken.code).not.toBe(0);
      expect(broken.out).toContain('"publicationId" of a leaf must be a number as text');
      expect(broken.out).not.toContain('    at ');
    },
    LONG,
  );

  it('what was published stays, and what cannot be proved is not published', async () => {
    for (const text of [
      'UPDATE reserve_snapshots SET sum = 0',
      'DELETE FROM reserve_leaves',
      "UPDATE reserve_publications SET status = 'asked'",
    ]) {
      await expect(world.ctx.database.pool.query(text), text).rejects.toThrow();
      await expect(world.server.owner.query(text), text).rejects.toThrow();
    }
    const before = (await reserves()).result.publicationId;
    front.refuse();
    expect(await publish()).toBe('failed: LTC cannot be compared now');
    front.heal();
    await world.untilReason('LTC', '');
    front.lie((method, result) => (method === 'gettxout' ? null : result));
    expect(await publish()).toBe('failed: coins are missing: ltc on LTC');
    front.heal();
    expect((await reserves()).result.publicationId).toBe(before);
  });
});
