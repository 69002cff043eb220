// Payouts on a real Litecoin node, signed by a real signer, through every fault between the queue and the chain.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFaultProxy, type FaultProxy } from '../../../testing/chains/fault-proxy.ts';
import {
  hasLitecoind,
  startLitecoin,
  type LitecoinNode,
} from '../../../testing/chains/litecoin.ts';
import { startSigner, type SignerProcess } from '../../../testing/chains/signer.ts';
import { exampleOwner, movableClock } from '../../../testing/chains/owner.ts';
import { openWorld, type CustodyWorld } from '../../../testing/chains/world.ts';
import { UTXO_CHAINS } from '../chains/utxo/params.ts';
import { startWithdrawals } from '../withdrawals/worker.ts';
import { startPayer, type PayPoint } from './payer.ts';

const WAIT = { timeout: 30_000 };
const LONG = 180_000;

describe.skipIf(!hasLitecoind)('payouts on litecoind', () => {
  let node: LitecoinNode;
  let front: FaultProxy;
  let signer: SignerProcess;
  let world: CustodyWorld;
  const clock = movableClock();
  const running: { stop(): Promise<void> }[] = [];

  beforeAll(async () => {
    node = await startLitecoin();
    front = await startFaultProxy(node.url);
    const { network } = UTXO_CHAINS['litecoin-regtest'] ?? { network: {} };
    const ceilings = { transactionMax: '20', hourMax: '40', dayMax: '100', approvalAbove: '20' };
    signer = await startSigner({
      LTC: {
        kind: 'utxo',
        coinType: 2,
        ...network,
        coin: 'ltc',
        decimals: 8,
        ...ceilings,
        fee: { rateMax: 600, transactionMax: '0.01', hourMax: '0.1', dayMax: '1' },
        sweepTargets: [],
        coldTargets: [],
        indexMax: 100_000,
      },
    });
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

  const ownerWith = (coins: string) =>
    exampleOwner(
      world,
      clock,
      {
        coin: 'ltc',
        newAddress: async () => String(await node.call('getnewaddress', ['', 'bech32'])),
        async fund(address, amount) {
          const txid = await node.pay(address, amount);
          await node.mine(2);
          return txid;
        },
      },
      coins,
    );

  const received = async (address: string) =>
    String(await node.call('getreceivedbyaddress', [address, 0])).replace(/\.?0+$/, '');

  const pays = async (
    work: () => Promise<void>,
    probe: (point: PayPoint) => void = () => {},
    raiseMs = 3600_000,
  ): Promise<void> => {
    const payer = startPayer(world.ctx, { everyMs: 50, againMs: 300, raiseMs, probe });
    try {
      await work();
    } finally {
      await payer.stop();
    }
  };

  it(
    'several withdrawals leave in one transaction and end with its confirmations',
    async () => {
      const owner = await ownerWith('9');
      const [one, other, third] = [
        await owner.payOut('1'),
        await owner.payOut('2'),
        await owner.payOut('0.5'),
      ];
      await pays(async () => {
        const paid = await owner.until(one.withdrawId, 'confirming');
        expect((await owner.until(other.withdrawId, 'confirming')).txid).toBe(paid.txid);
        expect((await owner.until(third.withdrawId, 'confirming')).txid).toBe(paid.txid);
        await node.mine(1);
        await expect
          .poll(async () => (await owner.find(one.withdrawId)).confirmations, WAIT)
          .toBe('1');
        expect((await owner.find(one.withdrawId)).status).toBe('confirming');
        await node.mine(1);
        for (const { withdrawId } of [one, other, third])
          await owner.until(withdrawId, 'completed');
      });
      expect(await received(one.address)).toBe('0.999');
      expect(await received(other.address)).toBe('1.999');
      await expect
        .poll(() => owner.trader.balance('ltc'), WAIT)
        .toMatchObject({ available: '5.5', pendingWithdraw: '0' });
      // The change of it pays the next one.
      const next = await owner.payOut('3');
      await pays(async () => {
        await owner.until(next.withdrawId, 'confirming');
        await node.mine(2);
        await owner.until(next.withdrawId, 'completed');
      });
      expect(await received(next.address)).toBe('2.999');
    },
    LONG,
  );

  it(
    'C2: a payer that dies at any step pays once',
    async () => {
      const owner = await ownerWith('9');
      for (const point of ['prepared', 'signed', 'sent', 'finished'] as const) {
        const { withdrawId, address } = await owner.payOut('0.5');
        let isDead = false;
        const die = (at: PayPoint) => {
          if (at === point) isDead = true;
          if (isDead) throw new Error(`It died: ${point}.`);
        };
        await pays(async () => {
          await expect.poll(() => isDead, WAIT).toBe(true);
        }, die);
        // Two others go on, side by side.
        await pays(() =>
          pays(async () => {
            await owner.until(withdrawId, 'confirming');
            await node.mine(2);
            await owner.until(withdrawId, 'completed');
          }),
        );
        expect(await received(address), point).toBe('0.499');
      }
      await expect
        .poll(() => owner.trader.balance('ltc'), WAIT)
        .toMatchObject({ available: '7', pendingWithdraw: '0' });
    },
    LONG,
  );

  it(
    'C6: an answer that is lost, and bytes that are sent twice, are one payment',
    async () => {
      const owner = await ownerWith('3');
      const { withdrawId, address } = await owner.payOut('1');
      let lost = 0;
      front.lie((method, result) => {
        if (method !== 'sendrawtransaction') return result;
        lost += 1;
        throw new Error('The node has it, and its answer is lost.');
      });
      await pays(async () => {
        await expect.poll(() => lost, WAIT).toBeGreaterThan(1);
        expect(await owner.find(withdrawId)).toMatchObject({ status: 'broadcasting' });
        front.heal();
        const { txid } = await owner.until(withdrawId, 'confirming');
        // Every node may forget what waits.
        const { rows } = await world.server.owner.query<{ raw: string }>(
          'SELECT raw FROM custody_attempts WHERE txid = $1',
          [txid],
        );
        await node.call('sendrawtransaction', [rows[0]?.raw]);
        await node.mine(2);
        await owner.until(withdrawId, 'completed');
      });
      expect(await received(address)).toBe('0.999');
    },
    LONG,
  );

  it(
    'C8: a completed payout whose block goes is mined again by the same bytes, and the ledger stays',
    async () => {
      const owner = await ownerWith('3');
      const { withdrawId, address } = await owner.payOut('1');
      await pays(async () => {
        await owner.until(withdrawId, 'confirming');
        await node.mine(2);
        const { txid } = await owner.until(withdrawId, 'completed');
        await node.abandon(2);
        await node.mineEmpty();
        await node.mineEmpty();
        await node.mineEmpty();
        await expect.poll(async () => (await owner.find(withdrawId)).confirmations, WAIT).toBe('0');
        await node.mine(1);
        await expect.poll(async () => (await owner.find(withdrawId)).confirmations, WAIT).toBe('1');
        expect(await owner.find(withdrawId)).toMatchObject({ txid, status: 'completed' });
        await expect
          .poll(() => owner.trader.balance('ltc'), WAIT)
          .toMatchObject({ available: '2', pendingWithdraw: '0', total: '2' });
      });
      expect(await received(address)).toBe('0.999');
    },
    LONG,
  );

  it(
    'without the signer everything waits, and goes on by itself',
    async () => {
      const owner = await ownerWith('3');
      await signer.kill();
      const { withdrawId } = await owner.payOut('1');
      await pays(async () => {
        await expect.poll(async () => (await owner.find(withdrawId)).status, WAIT).toBe('queued');
        await signer.restart();
        await owner.until(withdrawId, 'confirming');
        await node.mine(2);
        await owner.until(withdrawId, 'completed');
      });
    },
    LONG,
  );

  it(
    'C7: for a payout that waits too long a child pays, within what is allowed',
    async () => {
      const owner = await ownerWith('3');
      const { withdrawId } = await owner.payOut('1');
      await pays(async () => {
        await owner.until(withdrawId, 'confirming');
      });
      const { txid } = await owner.find(withdrawId);
      // The network asks for twenty times as much.
      front.lie((method, result) =>
        method === 'estimatesmartfee' ? { feerate: 0.002, blocks: 6 } : result,
      );
      const childOf = async () => {
        const { rows } = await world.server.owner.query<{ txid: string; fee: string }>(
          `SELECT a.txid, a.fee::text AS fee FROM custody_attempts a JOIN custody_payments p USING (payment_id)
          WHERE p.kind = 'child' AND a.txid IS NOT NULL`,
        );
        return rows;
      };
      await pays(
        async () => {
          await expect.poll(async () => (await childOf()).length, WAIT).toBe(1);
          const [child] = await childOf();
          await expect
            .poll(async () => ((await node.call('getrawmempool', [])) as string[]).length, WAIT)
            .toBe(2);
          expect(await node.call('getrawmempool', [])).toEqual(
            expect.arrayContaining([txid, child?.txid]),
          );
          const entry = (await node.call('getmempoolentry', [txid])) as {
            vsize: string;
            descendantsize: string;
            descendantfees: string;
          };
          const rate = Number(entry.descendantfees) / Number(entry.descendantsize);
          expect(rate).toBeGreaterThanOrEqual(200);
          expect(rate).toBeLessThan(215);
          await node.mine(2);
          await owner.until(withdrawId, 'completed');
        },
        undefined,
        0,
      );
      front.heal();
      // One child is enough.
      expect(await childOf()).toHaveLength(1);
    },
    LONG,
  );
});
