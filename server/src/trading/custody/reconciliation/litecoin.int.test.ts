// The comparison of a real Litecoin node with the ledger: equal at every step of a deposit and of a payout, and a coin of
// which something is missing is stopped until operators have mended it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operator } from '../../../accounts/operators/operator.ts';
import { exampleMarket } from '../../../testing/example-market.ts';
import { startFaultProxy, type FaultProxy } from '../../../testing/chains/fault-proxy.ts';
import {
  hasLitecoind,
  startLitecoin,
  type LitecoinNode,
} from '../../../testing/chains/litecoin.ts';
import { exampleOwner, movableClock, type CoinOwner } from '../../../testing/chains/owner.ts';
import { litecoinPolicy } from '../../../testing/chains/litecoin-venue.ts';
import { startSigner, type SignerProcess } from '../../../testing/chains/signer.ts';
import { openWorld, type CustodyWorld } from '../../../testing/chains/world.ts';
import { exampleOperator } from '../../../testing/operators.ts';
import { signIn } from '../../../testing/session.ts';
import { defineCoin } from '../../coins/actions.ts';
import { getCoin } from '../../coins/access.ts';
import { approveCommand, awaitCommand, requestAct } from '../../operators/actions.ts';
import { adjustLedger, createMarket, setPhase, withdrawCapital } from '../../operators/acts.ts';
import { phaseAct } from '../../operators/phases.ts';
import type { Act } from '../../operators/command-row.ts';
import { ownNetworks } from '../networks.ts';
import { startPayer, type PayPoint } from '../payments/payer.ts';
import { startWithdrawals } from '../withdrawals/worker.ts';
import { reconcileNetwork } from './reconcile.ts';
import { askTurns } from './report-store.ts';
import { startReconciler } from './worker.ts';

const WAIT = { timeout: 30_000 };
const LONG = 180_000;
const FINE = 10n ** 24n;

describe.skipIf(!hasLitecoind)('the comparison with litecoind', () => {
  let node: LitecoinNode;
  let front: FaultProxy;
  let signer: SignerProcess;
  let world: CustodyWorld;
  let operators: [Operator, Operator];
  let owner: CoinOwner;
  const clock = movableClock();
  const running: { stop(): Promise<void> }[] = [];

  beforeAll(async () => {
    node = await startLitecoin();
    front = await startFaultProxy(node.url);
    signer = await startSigner({ LTC: litecoinPolicy() });
    world = await openWorld(
      [
        {
          network: 'LTC',
          chain: 'litecoin-regtest',
          publicKey: signer.keys.networks['LTC']?.['account']?.xpub ?? '',
          nodes: [front.url],
          blockSeconds: 3600,
          withdrawals: {
            ltc: { automaticMax: '10', oneOperatorMax: '20', familyDayMax: '50', batchMax: '15' },
          },
        },
      ],
      { CUSTODY_SIGNER_SOCKET: signer.socket },
      { stepUp: async () => {}, clock },
    );
    await world.list('ltc', 'LTC');
    await world.list('usdt', 'ETH');
    operators = [await exampleOperator(world.ctx), await exampleOperator(world.ctx)];
    const market = exampleMarket({ symbol: 'ltcusdt', base: 'ltc', quote: 'usdt' });
    await act(createMarket(market));
    await act(setPhase('ltcusdt', 'continuous'));
    world.watch();
    running.push(startWithdrawals(world.ctx, { everyMs: 50 }));
  }, LONG);
  afterAll(async () => {
    for (const one of running) await one.stop();
    await world.close();
    await front.close();
    await signer.remove();
    await node.remove();
  });

  /** Asks, has the other operator agree where that is needed, and waits for the engine. */
  const act = async (one: Act): Promise<string> => {
    const [first, second] = operators;
    const id = await requestAct(world.ctx, first, one);
    if (one.needsApproval === true) await approveCommand(world.ctx, second, id);
    return (await awaitCommand(world.ctx, id, 20_000)).status;
  };

  const compare = () => {
    const own = ownNetworks(world.ctx.config).get('LTC');
    if (own === undefined) throw new Error('LTC is configured.');
    const nodes = own.nodes.map((url) => own.ownChain.openNode(url));
    return reconcileNetwork(world.ctx, { own, nodes });
  };
  const difference = async (): Promise<bigint> => {
    const { compared } = await compare();
    if (compared[0] === undefined) throw new Error('Nothing was compared.');
    return compared[0].difference;
  };
  const reasons = async () => {
    const { rows } = await world.server.owner.query<{ outcome: string; reason: string }>(
      'SELECT outcome, reason FROM custody_reports ORDER BY report_id DESC LIMIT 1',
    );
    return rows[0];
  };
  const phase = async () => {
    const { rows } = await world.server.owner.query<{ phase: string }>(
      "SELECT phase FROM markets WHERE symbol = 'ltcusdt'",
    );
    return rows[0]?.phase;
  };
  const scanned = async () => {
    const height = Number(await node.call('getblockcount', []));
    const row = async () => {
      const { rows } = await world.server.owner.query<{ height: number }>(
        "SELECT scanned_height AS height FROM custody_networks WHERE network = 'LTC'",
      );
      return rows[0]?.height;
    };
    await expect.poll(row, WAIT).toBe(height);
  };
  const CHAIN = {
    coin: 'ltc',
    newAddress: async () => String(await node.call('getnewaddress', ['', 'bech32'])),
    async fund(address: string, amount: string) {
      const txid = await node.pay(address, amount);
      await node.mine(2);
      return txid;
    },
  };

  it(
    'finds no difference at any step of a deposit and of payouts, whatever waits and whatever it costs',
    async () => {
      owner = await exampleOwner(world, clock, CHAIN, '9');
      const seen: bigint[] = [];
      const look = async () => {
        await scanned();
        seen.push(await difference());
      };
      await look();
      // A deposit in its first block, below the minimum, and credited.
      const address = await owner.trader.address('ltc');
      await node.pay(address, '0.005');
      await node.pay(address, '2');
      for (let block = 0; block < 3; block += 1) {
        await node.mine(1);
        await look();
      }
      const { withdrawId } = await owner.payOut('1');
      await look();
      const points: PayPoint[] = [];
      const payer = startPayer(world.ctx, {
        everyMs: 50,
        againMs: 300,
        raiseMs: 3600_000,
        probe: (point) => points.push(point),
      });
      await owner.until(withdrawId, 'confirming');
      await look();
      for (let block = 0; block < 3; block += 1) {
        await node.mine(1);
        await look();
      }
      await owner.until(withdrawId, 'completed');
      await look();
      await payer.stop();
      await node.mine(2);
      await look();
      expect(points).toContain('finished');
      expect(seen.map(String)).toEqual(seen.map(() => '0'));
      const { rows } = await world.server.owner.query<{ onChain: string; outcome: string }>(
        `SELECT on_chain / 1e24 AS "onChain", outcome FROM custody_reports ORDER BY report_id DESC LIMIT 1`,
      );
      expect(rows[0]?.outcome).toBe('equal');
      // Nine and two and a little came in; 0.999 left, and the network took something.
      expect(Number(rows[0]?.onChain)).toBeGreaterThan(10.005);
      expect(Number(rows[0]?.onChain)).toBeLessThan(10.006);
    },
    LONG,
  );

  it(
    'stays equal while it is asked again and again, and everything moves',
    async () => {
      const payer = startPayer(world.ctx, { everyMs: 50, againMs: 300, raiseMs: 3600_000 });
      const { withdrawId } = await owner.payOut('0.5');
      await node.pay(await owner.trader.address('ltc'), '0.25');
      const found = new Set<string>();
      const isEnded = async () => (await owner.find(withdrawId)).status === 'completed';
      for (let looks = 0; looks < 40 && !(await isEnded()); looks += 1) {
        const { compared } = await compare();
        for (const one of compared) found.add(String(one.difference));
        if (looks % 4 === 3) await node.mine(1);
      }
      await payer.stop();
      expect(await isEnded()).toBe(true);
      expect([...found]).toEqual(['0']);
    },
    LONG,
  );

  it(
    'what nobody booked is a surplus, and stops nothing',
    async () => {
      const { rows } = await world.server.owner.query<{ address: string }>(
        "SELECT address FROM custody_addresses WHERE purpose = 'change' ORDER BY id LIMIT 1",
      );
      await node.pay(rows[0]?.address ?? '', '0.75');
      await node.mine(2);
      await scanned();
      expect(await difference()).toBe((75n * FINE) / 100n);
      expect(await phase()).toBe('continuous');
      await act({
        act: 'ledger contribute',
        subject: 'found coins',
        reason: 'found',
        needsApproval: true,
        command: {
          type: 'contribute_capital',
          contributionId: 'found',
          coin: 'ltc',
          network: 'LTC',
          amount: 75n * 10n ** 16n,
        },
      });
      await expect.poll(difference, WAIT).toBe(0n);
    },
    LONG,
  );

  it('a node that is silent postpones the comparison', async () => {
    front.refuse();
    expect(await compare()).toEqual({ compared: [], isWhole: false });
    front.heal();
    expect((await reasons())?.outcome).toBe('postponed');
    await world.untilReason('LTC', '');
    expect(await difference()).toBe(0n);
  });

  it(
    'C13: a credit in a wrong unit is found, and the coin is stopped within five seconds of the run',
    async () => {
      // Between its block and its confirmations somebody moves the decimal point.
      const txid = await node.pay(await owner.trader.address('ltc'), '0.3');
      await node.mine(1);
      await owner.trader.until(txid, 'confirming');
      await world.server.owner.query(
        'UPDATE custody_transfers SET amount = amount * 10 WHERE txid = $1',
        [txid],
      );
      await node.mine(1);
      await owner.trader.until(txid, 'credited');
      await expect.poll(difference, WAIT).toBe(-27n * 10n ** 23n);
      const foundMs = performance.now();
      await expect.poll(phase, { timeout: 5000, interval: 50 }).toBe('cancel_only');
      const coin = await getCoin(world.ctx.db, 'ltc');
      expect(coin.networks['LTC']?.withdrawStatus).toBe('paused');
      expect(performance.now() - foundMs).toBeLessThan(5000);
      const session = await signIn(world.server, owner.trader.userId);
      await expect
        .poll(async () => {
          const { body } = await session.ask('POST', '/json/v1/private/wallet/withdraw', {
            coin: 'ltc',
            amount: '1',
            address: await CHAIN.newAddress(),
          });
          return (body.error as { code?: unknown } | undefined)?.code;
        }, WAIT)
        .toBe('5005');
      const { body } = await world.ctx.metrics.render();
      expect(body).toMatch(/rialto_custody_difference\{.*coin="ltc".*\} -2\.7/);
    },
    LONG,
  );

  it(
    'nothing of a stopped coin is paid, and operators cannot let it run before a run without a difference',
    async () => {
      // Asked before the stop, as far as the payer can see.
      await world.server.owner.query(
        "UPDATE coin_networks SET withdraw_status = 'active' WHERE coin = 'ltc'",
      );
      await new Promise((resolve) => setTimeout(resolve, 1500));
      const { withdrawId } = await owner.payOut('0.5');
      const payer = startPayer(world.ctx, { everyMs: 50 });
      await new Promise((resolve) => setTimeout(resolve, 1500));
      expect(await owner.find(withdrawId)).toMatchObject({ status: 'queued', txid: '' });
      expect(await difference()).toBe(-27n * 10n ** 23n);
      expect(await owner.find(withdrawId)).toMatchObject({ statusReason: 'reconciliation' });
      const [first] = operators;
      const coin = await getCoin(world.ctx.db, 'ltc');
      const open = {
        ...coin,
        networks: { LTC: { ...coin.networks['LTC'], withdrawStatus: 'active' } },
      };
      await expect(defineCoin(world.ctx, first, open)).rejects.toMatchObject({
        code: 'COINS_MISSING',
      });
      const opening = () => phaseAct(world.ctx.db, 'ltcusdt', 'continuous', 'mended');
      await expect(opening()).rejects.toMatchObject({ code: 'COINS_MISSING' });
      await expect(
        world.server.owner.query('UPDATE custody_stops SET ended_at = now(), ended_by_id = $1', [
          first.id,
        ]),
      ).rejects.toThrow('shows a difference');

      // Two operators take out of the ledger what was never there.
      const amount = '2.7';
      const reason = 'a wrong unit';
      const account = Number(owner.trader.accountId);
      await act(
        adjustLedger({ id: 'mend', from: account, to: 'capital', coin: 'ltc', amount, reason }),
      );
      await act(withdrawCapital({ id: 'mended', coin: 'ltc', network: 'LTC', amount, reason }));
      await expect.poll(difference, WAIT).toBe(0n);
      // It does not resume alone.
      expect(await phase()).toBe('cancel_only');
      expect(await owner.find(withdrawId)).toMatchObject({ status: 'queued' });
      await defineCoin(world.ctx, first, open);
      expect(await act(await opening())).toBe('done');
      await expect.poll(phase, WAIT).toBe('continuous');
      await owner.until(withdrawId, 'confirming');
      await payer.stop();
      await node.mine(2);
      await scanned();
      expect(await difference()).toBe(0n);
    },
    LONG,
  );

  it(
    'an output that somebody else has spent is missing',
    async () => {
      // The node says so of one of ours, as it would after a theft of the key.
      front.lie((method, result) => (method === 'gettxout' ? null : result));
      expect(await difference()).toBeLessThan(0n);
      // Though two operators have released the market a moment ago, for another reason.
      await expect.poll(phase, { timeout: 5000 }).toBe('cancel_only');
      front.heal();
      expect(await difference()).toBe(0n);
    },
    LONG,
  );

  it(
    'operators have it compared now, and of two processes one does',
    async () => {
      const count = async () => {
        const { rows } = await world.server.owner.query<{ n: number }>(
          'SELECT count(*)::int AS n FROM custody_reports',
        );
        return rows[0]?.n ?? 0;
      };
      const two = [
        startReconciler(world.ctx, { everyMs: 50 }),
        startReconciler(world.ctx, { everyMs: 50 }),
      ];
      await expect.poll(async () => (await askTurns(world.ctx.db)).length, WAIT).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 2000));
      const before = await count();
      await askTurns(world.ctx.db);
      await expect.poll(count, WAIT).toBe(before + 1);
      await new Promise((resolve) => setTimeout(resolve, 1000));
      expect(await count()).toBe(before + 1);
      for (const one of two) await one.stop();
    },
    LONG,
  );
});
