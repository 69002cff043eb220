// Deposits on a real Litecoin node, from the address to the balance, through every fault that a chain and its nodes know.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFaultProxy, type FaultProxy } from '../../../testing/chains/fault-proxy.ts';
import {
  hasLitecoind,
  startLitecoin,
  type LitecoinNode,
} from '../../../testing/chains/litecoin.ts';
import { ABANDON, extendedPublicKey } from '../../../testing/extended-keys.ts';
import { send, type TradingAnswer } from '../../../testing/trader.ts';
import type { Operator } from '../../../accounts/operators/operator.ts';
import { exampleOperator } from '../../../testing/operators.ts';
import { readSolvency } from '../../audit/solvency.ts';
import { approveCommand, awaitCommand, requestAct } from '../../operators/actions.ts';
import { adjustLedger, contributeCapital } from '../../operators/acts.ts';
import { requestReversal } from '../deposits/reverse.ts';
import type { WatchPoint } from './look.ts';
import { openWorld, type CustodyTrader, type CustodyWorld } from '../../../testing/chains/world.ts';

const WAIT = { timeout: 20_000 };

/** As the node lists it: numbers are texts. */
interface Unspent {
  readonly txid: string;
  readonly vout: string;
  readonly amount: string;
  readonly confirmations: string;
}

describe.skipIf(!hasLitecoind)('on litecoind', () => {
  let node: LitecoinNode;
  let front: FaultProxy;
  let second: FaultProxy;
  let world: CustodyWorld;
  let trader: CustodyTrader;
  let watchers: { stop(): Promise<void> }[] = [];
  beforeAll(async () => {
    node = await startLitecoin();
    front = await startFaultProxy(node.url);
    second = await startFaultProxy(node.url);
    world = await openWorld([
      {
        network: 'LTC',
        chain: 'litecoin-regtest',
        publicKey: extendedPublicKey(ABANDON, "m/84'/2'/0'"),
        nodes: [front.url, second.url],
        blockSeconds: 3600,
      },
    ]);
    await world.list('ltc', 'LTC');
    trader = await world.trader();
  }, 60_000);
  afterAll(async () => {
    await world.close();
    await front.close();
    await second.close();
    await node.remove();
  });

  const untilAvailable = (whose: CustodyTrader, available: string, pendingDeposit = '0') =>
    expect.poll(() => whose.balance('ltc'), WAIT).toMatchObject({ available, pendingDeposit });
  /** What every look until now has seen is done. */
  async function settled(): Promise<void> {
    await expect
      .poll(async () => {
        const { rows } = await world.server.owner.query<{ hash: string }>(
          "SELECT scanned_hash AS hash FROM custody_networks WHERE network = 'LTC'",
        );
        return rows[0]?.hash;
      }, WAIT)
      .toBe(await node.call('getbestblockhash', []));
  }

  /** Pays a deposit with a coin that can also be spent elsewhere, once the blocks since then are abandoned. */
  async function doubleSpendable(payer: CustodyTrader, coins: string) {
    const unspent = (await node.call('listunspent', [])) as Unspent[];
    // The oldest one: it is there and mature also when blocks are abandoned.
    const coin = unspent.toSorted((a, b) => Number(b.confirmations) - Number(a.confirmations))[0];
    const input = [{ txid: coin?.txid, vout: Number(coin?.vout) }];
    const own = String(await node.call('getnewaddress', []));
    const sign = async (to: string) => {
      const rest = (Number(coin?.amount) - Number(coins) - 0.001).toFixed(8);
      const outputs = [{ [to]: coins }, { [own]: rest }];
      const raw = await node.call('createrawtransaction', [input, outputs]);
      const signed = await node.call('signrawtransactionwithwallet', [raw]);
      return (signed as { hex: string }).hex;
    };
    const other = String(await node.call('getnewaddress', []));
    // Both before one of them is sent: the wallet signs for coins that it has.
    const [deposit, instead] = [await sign(await payer.address('ltc')), await sign(other)];
    const txid = String(await node.call('sendrawtransaction', [deposit]));
    await node.mine(2);
    const [found] = await payer.until(txid, 'credited');
    return {
      txid,
      depositId: BigInt(found?.depositId.slice(1) ?? 0),
      async spendElsewhere() {
        await node.abandon(2);
        await node.call('generateblock', [own, [instead]]);
        await node.mine(2);
      },
    };
  }

  /** The second operator approves, and the engine has done it. */
  async function agree(ben: Operator, id: bigint): Promise<void> {
    await approveCommand(world.ctx, ben, id);
    expect((await awaitCommand(world.ctx, id, WAIT.timeout)).status).toBe('done');
  }

  it('a coin cannot be deposited before its network is watched', async () => {
    await expect(trader.address('ltc')).rejects.toThrow('5004');
    // As from two processes: whatever one has done, the other finds done.
    watchers = [world.watch(), world.watch()];
    await expect.poll(() => trader.address('ltc').catch(String), WAIT).toMatch(/^rltc1q/);
  });

  it('a deposit is shown with its first block and credited with its confirmations', async () => {
    const address = await trader.address('ltc');
    expect(await trader.address('ltc')).toBe(address);
    const txid = await node.pay(address, '1.5');
    await node.mine(1);
    const [seen] = await trader.until(txid, 'confirming');
    expect(seen).toMatchObject({ amount: '1.5', confirmations: '1', requiredConfirmations: '2' });
    await untilAvailable(trader, '0', '1.5');
    await node.mine(1);
    const [credited] = await trader.until(txid, 'credited');
    expect(credited).toMatchObject({ depositId: expect.stringMatching(/^D\d+$/), address });
    await untilAvailable(trader, '1.5');
    expect(await trader.get('wallet/deposits', { txid, status: 'held' })).toMatchObject({
      items: [],
    });
  });

  it('C1: deposits of every kind in one block, seen by two watchers, are credited once each', async () => {
    const [one, other] = [await world.trader(), await world.trader()];
    const [first, fresh] = [await one.address('ltc'), await one.freshAddress('ltc')];
    expect(fresh).not.toBe(first);
    const both = await node.payMany({ [first]: '0.25', [fresh]: '0.5' });
    const again = await node.pay(first, '0.125');
    const theirs = await other.address('ltc');
    const small = [await node.pay(theirs, '0.004'), await node.pay(theirs, '0.005')];
    // A miner may name a deposit address too; such coins can be spent after a hundred blocks.
    await node.call('generatetoaddress', [1, first]);
    await node.mine(1);
    await one.until(both, 'credited');
    await one.until(again, 'credited');
    for (const txid of small) await other.until(txid, 'below_minimum');
    const mined = (await one.deposits()).filter(
      ({ requiredConfirmations }) => requiredConfirmations === '100',
    );
    expect(mined).toEqual([expect.objectContaining({ status: 'confirming', confirmations: '2' })]);
    await untilAvailable(one, '0.875', mined[0]?.amount);
    await untilAvailable(other, '0', '0.009');
    const last = await node.pay(theirs, '0.001');
    await node.mine(2);
    for (const txid of [...small, last]) await other.until(txid, 'credited');
    await untilAvailable(other, '0.01');
    const { rows } = await world.server.owner.query<{ n: number; of: number }>(
      `SELECT count(*)::int AS n, count(DISTINCT command::json ->> 'depositId')::int AS of
         FROM operator_commands WHERE requested_by = 'custody LTC'`,
    );
    expect(rows[0]?.n).toBe(rows[0]?.of);
  });

  it('a fee of the deposit goes to the venue, and operators can pause a coin', async () => {
    const payer = await world.trader();
    const address = await payer.address('ltc');
    await world.list('ltc', 'LTC', { depositFee: '0.1', depositStatus: 'paused' });
    const txid = await node.pay(address, '1');
    await node.mine(2);
    const [held] = await payer.until(txid, 'held');
    expect(held).toMatchObject({ statusReason: 'paused' });
    // The terms of coins are remembered for a moment.
    await expect
      .poll(() => payer.get('wallet/deposit_address', { coin: 'ltc' }), WAIT)
      .toMatchObject({ isActive: false });
    await untilAvailable(payer, '0', '1');
    await world.list('ltc', 'LTC', { depositFee: '0.1' });
    const [credited] = await payer.until(txid, 'credited');
    expect(credited).toMatchObject({ amount: '1', fee: '0.1', statusReason: '' });
    await untilAvailable(payer, '0.9');
    await world.list('ltc', 'LTC');
  });

  it('C3: a deposit that is mined elsewhere before its credit is credited once', async () => {
    const payer = await world.trader();
    const txid = await node.pay(await payer.address('ltc'), '2');
    const [before] = await node.mine(1);
    await payer.until(txid, 'confirming');
    await node.abandon(1);
    await node.mineEmpty();
    const [seen] = await payer.until(txid, 'detected');
    expect(seen).toMatchObject({ confirmations: '0', blockHash: '' });
    await node.mine(2);
    const [credited] = await payer.until(txid, 'credited');
    expect(credited?.blockHash).not.toBe(before);
    await untilAvailable(payer, '2');
    expect(await payer.deposits()).toHaveLength(1);
  });

  it('C3: a deposit that is spent elsewhere after a reorganisation is never credited', async () => {
    const payer = await world.trader();
    // The oldest one: it is there and mature also when blocks are abandoned.
    const coins = (await node.call('listunspent', [])) as Unspent[];
    const coin = coins.toSorted((a, b) => Number(b.confirmations) - Number(a.confirmations))[0];
    const input = [{ txid: coin?.txid, vout: Number(coin?.vout) }];
    const sign = async (to: string) => {
      const amount = (Number(coin?.amount) - 0.001).toFixed(8);
      const raw = await node.call('createrawtransaction', [input, [{ [to]: amount }]]);
      const signed = await node.call('signrawtransactionwithwallet', [raw]);
      return (signed as { hex: string }).hex;
    };
    const own = String(await node.call('getnewaddress', []));
    // Both before one of them is sent: the wallet signs for coins that it has.
    const [deposit, instead] = [await sign(await payer.address('ltc')), await sign(own)];
    const paid = String(await node.call('sendrawtransaction', [deposit]));
    await node.mine(1);
    await payer.until(paid, 'confirming');
    await node.abandon(1);
    await node.call('generateblock', [own, [instead]]);
    await node.mine(1);
    await payer.until(paid, 'detected');
    await node.mine(100);
    await payer.until(paid, 'orphaned');
    await untilAvailable(payer, '0');
  });

  it('a credited deposit that leaves the chain pauses the network until it is back', async () => {
    const payer = await world.trader();
    const txid = await node.pay(await payer.address('ltc'), '3');
    await node.mine(2);
    await payer.until(txid, 'credited');
    await untilAvailable(payer, '3');
    await node.abandon(2);
    for (let mined = 0; mined < 3; mined += 1) await node.mineEmpty();
    await world.untilReason('LTC', 'reorganised');
    expect(await payer.get('account/info')).toMatchObject({ canWithdraw: false });
    // What comes meanwhile is recorded, and credited afterwards.
    await node.call('prioritisetransaction', [txid, 0, -100_000_000]);
    const later = await world.trader();
    const other = await node.pay(await later.address('ltc'), '1');
    await node.mine(2);
    await later.until(other, 'held');
    expect((await later.deposits())[0]).toMatchObject({ statusReason: 'paused' });
    await untilAvailable(later, '0', '1');
    await node.call('prioritisetransaction', [txid, 0, 100_000_000]);
    await node.mine(1);
    await world.untilReason('LTC', '');
    await later.until(other, 'credited');
    await untilAvailable(later, '1');
    await payer.until(txid, 'credited');
    await untilAvailable(payer, '3');
  });

  it('C4: a credited deposit that is spent elsewhere is taken back by two operators, and what is gone is told', async () => {
    const [ana, ben] = [await exampleOperator(world.ctx), await exampleOperator(world.ctx)];
    const [loser, friend] = [await world.trader(), await world.trader()];
    const { txid, depositId, spendElsewhere } = await doubleSpendable(loser, '1');
    await loser.until(txid, 'credited');
    await untilAvailable(loser, '1');
    // Most of it is somebody else's by now.
    const moved = adjustLedger({
      id: 'traded away',
      from: Number(loser.accountId),
      to: Number(friend.accountId),
      coin: 'ltc',
      amount: '0.75',
      reason: 'As if it had been traded.',
    });
    await agree(ben, await requestAct(world.ctx, ana, moved));
    const askedMs = performance.now();
    await spendElsewhere();
    await world.untilReason('LTC', 'reorganised');
    expect(performance.now() - askedMs).toBeLessThan(20_000);
    const ask = (cover: boolean) =>
      requestReversal(world.ctx, ana, depositId, { cover, reason: 'Its chain has undone it.' });
    const first = await ask(false);
    expect(await ask(false)).toBe(first);
    await agree(ben, first);
    await loser.until(txid, 'reversed');
    expect((await loser.deposits()).find((one) => one.txid === txid)).toMatchObject({
      statusReason: 'missing',
    });
    await untilAvailable(loser, '0');
    // The venue pays the rest.
    const funded = contributeCapital({
      id: 'for the loss',
      coin: 'ltc',
      network: 'LTC',
      amount: '1',
      reason: 'Sent by the owners.',
    });
    await agree(ben, await requestAct(world.ctx, ana, funded));
    const given = adjustLedger({
      id: 'cover',
      from: 'capital',
      to: 'adjustments',
      coin: 'ltc',
      amount: '1',
      reason: 'To cover it.',
    });
    await agree(ben, await requestAct(world.ctx, ana, given));
    await agree(ben, await ask(true));
    await expect
      .poll(
        async () => (await loser.deposits()).find((one) => one.txid === txid)?.statusReason,
        WAIT,
      )
      .toBe('');
    await world.untilReason('LTC', '');
    await untilAvailable(friend, '0.75');
    await expect(ask(false)).rejects.toThrow('is no deposit that its chain has undone');
    const [coin] = (await readSolvency(world.ctx.database.pool)).filter(
      (one) => one.coin === 'ltc',
    );
    expect(coin?.assets).toBe(coin?.liabilities);
  });

  it('C5: a node that is down pauses the network, which resumes alone', async () => {
    const payer = await world.trader();
    const address = await payer.address('ltc');
    front.refuse();
    await world.untilReason('LTC', 'node_down');
    const txid = await node.pay(address, '1');
    await node.mine(2);
    front.heal();
    await world.untilReason('LTC', '');
    await payer.until(txid, 'credited');
    await node.stop();
    await world.untilReason('LTC', 'node_down');
    expect(await payer.get('wallet/deposit_address', { coin: 'ltc' })).toMatchObject({
      isActive: false,
    });
    const state = async () => {
      const { body } = await send(`${world.server.baseUrl}/public/status`);
      return (body.result as { networks: unknown[] }).networks;
    };
    const paused = { network: 'LTC', depositStatus: 'paused', reason: 'node_down', lagBlocks: '0' };
    await expect.poll(state, WAIT).toEqual([expect.objectContaining(paused)]);
    const coin = async () => {
      const { body } = await send(`${world.server.baseUrl}/public/coins_info?symbol=ltc`);
      const [shown] = body.result as { networks: Record<string, unknown> }[];
      return shown?.networks['LTC'];
    };
    const both = (status: string) => ({ depositStatus: status, withdrawStatus: status });
    await expect.poll(coin, WAIT).toMatchObject(both('paused'));
    const { body } = await world.ctx.metrics.render();
    expect(body).toMatch(/rialto_custody_paused\{[^}]*network="LTC"[^}]*\} 1/);
    await node.restart();
    await world.untilReason('LTC', '');
    await untilAvailable(payer, '1');
    await expect.poll(state, WAIT).toMatchObject([{ ...both('active'), reason: '' }]);
    await expect.poll(coin, WAIT).toMatchObject(both('active'));
  });

  it('C5: a node that is behind is waited for, and is no reorganisation', async () => {
    const payer = await world.trader();
    const txid = await node.pay(await payer.address('ltc'), '1');
    await node.mine(1);
    await payer.until(txid, 'confirming');
    const height = (await node.height()) - 5;
    const hash = await node.call('getblockhash', [height]);
    let asked = 0;
    const behind = (method: string, result: unknown) => {
      asked += 1;
      return method === 'getblockchaininfo'
        ? { blocks: String(height), bestblockhash: hash }
        : result;
    };
    for (const proxy of [front, second]) proxy.lie(behind);
    await expect.poll(() => asked, WAIT).toBeGreaterThan(20);
    await payer.until(txid, 'confirming');
    for (const proxy of [front, second]) proxy.heal();
    await node.mine(1);
    await payer.until(txid, 'credited');
    await untilAvailable(payer, '1');
  });

  it('C5: a node of another chain pauses the network', async () => {
    front.lie((method, result, params) =>
      method === 'getblockhash' && params[0] === 0 ? 'f'.repeat(64) : result,
    );
    await world.untilReason('LTC', 'wrong_chain');
    front.heal();
    await world.untilReason('LTC', '');
  });

  it('C5: nodes that disagree pause the network, and nothing is credited meanwhile', async () => {
    const payer = await world.trader();
    const address = await payer.address('ltc');
    second.lie((method, result, params) =>
      method === 'getblockhash' && params[0] !== 0 ? 'e'.repeat(64) : result,
    );
    await world.untilReason('LTC', 'nodes_disagree');
    const txid = await node.pay(address, '1');
    await node.mine(3);
    expect(await payer.deposits()).toEqual([]);
    second.heal();
    await world.untilReason('LTC', '');
    await payer.until(txid, 'credited');
    await untilAvailable(payer, '1');
  });

  it('C12: an altered address is an alarm, is never shown, and gets nothing', async () => {
    const [victim, thief] = [await world.trader(), await world.trader()];
    const address = await victim.address('ltc');
    const theirs = await thief.address('ltc');
    const alter = (change: string, whose: CustodyTrader) =>
      world.server.owner.query(`UPDATE custody_addresses SET ${change} WHERE account_id = $1`, [
        whose.accountId,
      ]);
    await alter("address = 'rltc1qattacker'", victim);
    await expect(victim.address('ltc')).rejects.toThrow('1000');
    await alter(`address = '${address}'`, victim);
    expect(await victim.address('ltc')).toBe(address);
    // The address is right, but whose it is was altered: both rows change places.
    await alter(`account_id = ${victim.accountId}`, thief);
    await expect(victim.address('ltc')).rejects.toThrow('1000');
    const txid = await node.pay(theirs, '1');
    await node.mine(2);
    const [held] = await victim.until(txid, 'held');
    expect(held).toMatchObject({ statusReason: 'address_altered' });
    await settled();
    await untilAvailable(victim, '0', '1');
    const { body } = await world.ctx.metrics.render();
    expect(body).toMatch(/rialto_custody_altered_addresses_total\{[^}]*\} [1-9]/);
    // The server itself could not have done it.
    const own = world.ctx.database.pool.query("UPDATE custody_addresses SET address = 'x'");
    await expect(own).rejects.toThrow('permission denied');
  });

  it('an account has a bounded number of addresses', async () => {
    const many = await world.trader();
    const url = `${world.server.baseUrl}/private/wallet/create_deposit_address`;
    const answers: TradingAnswer[] = [];
    const ask = () => many.call(url, { method: 'POST', params: { coin: 'ltc' } });
    // A few at once, which must not get the same.
    while (answers.length < 104) answers.push(...(await Promise.all([ask(), ask(), ask(), ask()])));
    const refused = answers.filter(({ body }) => body.error !== undefined);
    expect(refused.map(({ body }) => body.error?.code)).toEqual(Array(4).fill('5013'));
    const addresses = answers.flatMap(({ body }) =>
      body.error === undefined ? [(body.result as { address: string }).address] : [],
    );
    expect(new Set(addresses).size).toBe(100);
  });

  it('C2: a watcher that dies at any step leaves nothing undone, and nothing done twice', async () => {
    for (const watcher of watchers) await watcher.stop();
    const payer = await world.trader();
    const address = await payer.address('ltc');
    const points: readonly WatchPoint[] = [
      'tip read',
      'block read',
      'before commit',
      'after commit',
    ];
    for (const [round, point] of [...points, ...points, ...points].entries()) {
      await node.pay(address, '0.1');
      await node.mine(2);
      // The first or the second time that it comes there.
      let passes = point === 'tip read' ? 0 : round % 2;
      const died = Promise.withResolvers<void>();
      const watcher = world.watch({
        probe(at) {
          if (at !== point || (passes -= 1) >= 0) return;
          died.resolve();
          throw new Error(`Killed at: ${point}`);
        },
      });
      await died.promise;
      await watcher.stop();
    }
    world.watch();
    await node.mine(2);
    await untilAvailable(payer, '1.2');
    const deposits = await payer.deposits();
    expect(deposits.map(({ status }) => status)).toEqual(Array(12).fill('credited'));
  });
});
