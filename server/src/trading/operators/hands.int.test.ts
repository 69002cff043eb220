// What operators do when something is wrong: halt everything, take orders out of the books, look up
// an order, and release a market that a broken rule had halted.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyAuditLog } from '../../accounts/audit/access.ts';
import { ROLE } from '../../accounts/roles.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { createTestContext } from '../../testing/context.ts';
import { examplePerson } from '../../testing/example.ts';
import { exampleTerms } from '../../testing/live-venue.ts';
import { exampleOperator } from '../../testing/operators.ts';
import { raiseAlarm } from '../audit/alarm.ts';
import { listOpenHalts } from '../halts/access.ts';
import { recordInvariantHalts } from '../halts/actions.ts';
import { openDesk, resultOf, type Desk } from '../../testing/trading/desk.ts';
import type { Order } from '../orders/order.ts';
import { awaitProjection } from '../projections/access.ts';
import { accessOperator } from '../../accounts/operators/access.ts';
import { listMarketRows } from './access.ts';
import {
  approveCommand,
  awaitCommand,
  requestAct,
  requestActs,
  withdrawCommand,
} from './actions.ts';
import { cancelOrdersIn, cancelOrdersOf, createMarket, setPhase } from './acts.ts';
import { describeCommand } from './explain.ts';
import { toMarketConfig } from './market-terms.ts';
import type { Operator } from '../../accounts/operators/operator.ts';
import { describeOrder } from './order-lookup.ts';
import { haltAllActs, phaseAct } from './phases.ts';

const VIA = 'test';
const WAIT_MS = 15_000;
const WHY = 'Looked into.';

let desk: Desk;
let second: Operator;
beforeAll(async () => {
  desk = await openDesk();
  second = await exampleOperator(desk.server.ctx, { role: ROLE.administrator });
});
afterAll(() => desk.close());

async function refusalOf(work: Promise<unknown>): Promise<Refusal> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Refusal);
  return error as Refusal;
}

/** Waits until the projections have everything in the journal. */
async function projected() {
  const { ctx } = desk.server;
  await awaitProjection(ctx, { patienceMs: WAIT_MS });
  return ctx.db;
}

const phases = async () =>
  Object.fromEntries(
    (await listMarketRows(await projected())).map((row) => [row.symbol, row.phase]),
  );

async function ended(id: bigint) {
  const command = await awaitCommand(desk.server.ctx, id, WAIT_MS);
  return { status: command.status, message: describeCommand(command) };
}

/** The audit log's entries about a command, oldest first. */
async function storyOf(commandId: bigint): Promise<string[]> {
  const rows = await desk.server.ctx.db
    .selectFrom('auditLog')
    .select(['operator', 'act', 'outcome'])
    .where('commandId', '=', commandId)
    .orderBy('seq')
    .execute();
  return rows.map(({ operator, act, outcome }) => `${operator} ${act} ${outcome}`);
}

describe('orders', () => {
  it('of an account are canceled by an operator, in one market or in all, and of no other account', async () => {
    const { ctx } = desk.server;
    const { operator } = desk.venue;
    await desk.venue.setPhase('ethusdt', 'continuous');
    const [mia, ben] = [await desk.trader(), await desk.trader()];
    const account = Number(mia.accountId);
    const bitcoin = await desk.place(mia, { price: '60000.00' });
    await desk.place(mia, { symbol: 'ethusdt', price: '3000.00', volume: '1' });
    await desk.place(ben, { price: '60000.00' });
    const openOf = async (trader: typeof mia) =>
      resultOf<Order[]>(await desk.get(trader, 'order/open')).map(({ symbol }) => symbol);

    const one = await requestAct(ctx, operator, cancelOrdersOf(account, 'btcusdt', WHY));
    expect(await ended(one)).toEqual({ status: 'done', message: 'Done. Canceled orders: 1.' });
    expect(await openOf(mia)).toEqual(['ethusdt']);
    const canceled = await desk.get(mia, 'order/get', { orderId: bitcoin.orderId });
    expect(resultOf(canceled)).toMatchObject({ status: 'canceled', statusReason: 'admin' });
    expect(await storyOf(one)).toEqual([
      `${operator.email} account cancel_orders requested`,
      `${operator.email} account cancel_orders done`,
    ]);

    const all = () => requestAct(ctx, operator, cancelOrdersOf(account, undefined, WHY));
    expect((await ended(await all())).message).toBe('Done. Canceled orders: 1.');
    expect((await ended(await all())).message).toBe('Done. Canceled orders: 0.');
    expect([await openOf(mia), await openOf(ben)]).toEqual([[], ['btcusdt']]);
    // It was not suspended.
    await desk.place(mia, { price: '60000.00' });

    const nowhere = await requestAct(ctx, operator, cancelOrdersOf(account, 'btcxyz', WHY));
    expect(await ended(nowhere)).toMatchObject({
      status: 'refused',
      message: expect.stringContaining('No market has the symbol "btcxyz"'),
    });
    const nobody = await requestAct(ctx, operator, cancelOrdersOf(999_999, undefined, WHY));
    expect(await ended(nobody)).toMatchObject({ status: 'refused' });
    await desk.sweep();
  });

  it('of a market are canceled for all accounts, and those of other markets stay', async () => {
    const { ctx } = desk.server;
    const { operator } = desk.venue;
    await desk.venue.setPhase('btcusdt', 'continuous');
    await desk.venue.setPhase('ethusdt', 'continuous');
    const traders = [await desk.trader(), await desk.trader()];
    for (const [index, trader] of traders.entries()) {
      await desk.place(trader, { symbol: 'ethusdt', price: '3000.00', volume: '1' });
      for (let count = 0; count < 5; count += 1) {
        await desk.place(trader, { price: `${60_000 + index}.00`, volume: '0.001' });
      }
    }
    const openOf = async () => {
      const lists = [];
      for (const trader of traders) {
        const open = resultOf<Order[]>(await desk.get(trader, 'order/open'));
        lists.push(open.map(({ symbol }) => symbol));
      }
      return lists;
    };
    const sweep = () => requestAct(ctx, operator, cancelOrdersIn('btcusdt', WHY));
    const id = await sweep();
    expect(await ended(id)).toMatchObject({
      status: 'done',
      message: expect.stringMatching(/^Done\. Canceled orders: [1-9][0-9]*\./),
    });
    await expect.poll(openOf, { timeout: WAIT_MS }).toEqual([['ethusdt'], ['ethusdt']]);
    expect(await storyOf(id)).toEqual([
      `${operator.email} market cancel_orders requested`,
      `${operator.email} market cancel_orders done`,
    ]);
    expect((await ended(await sweep())).message).toBe('Done. Canceled orders: 0.');
    const unknown = await requestAct(ctx, operator, cancelOrdersIn('btcxyz', WHY));
    expect(await ended(unknown)).toMatchObject({
      status: 'refused',
      message: 'No market has the symbol "btcxyz".',
    });
    await desk.sweep();
  });

  it('are found by their number or by the client’s id, live and finished, with trades and journal row', async () => {
    const [maker, taker] = [await desk.trader(), await desk.trader()];
    const clientOrderId = 'looked-up';
    const resting = await desk.place(maker, { side: 'sell', clientOrderId, volume: '0.02' });
    const key = { accountId: maker.accountId, clientOrderId };
    const db = await projected();
    const { email } = await db
      .selectFrom('users')
      .select('email')
      .where('id', '=', maker.userId)
      .executeTakeFirstOrThrow();
    expect(
      await describeOrder(desk.server.ctx, { orderId: BigInt(resting.orderId) }),
    ).toMatchObject({
      account: Number(maker.accountId),
      owner: email,
      person: 'active',
      order: { orderId: resting.orderId, status: 'open', filledVolume: '0.000000' },
      fills: [],
    });

    await desk.place(taker, { volume: '0.015' });
    resultOf(await desk.delete(maker, 'order/cancel', { clientOrderId }));
    await projected();
    const finished = await describeOrder(desk.server.ctx, key);
    expect(finished).toMatchObject({
      order: { status: 'canceled', filledVolume: '0.015000', statusReason: 'user' },
      fills: [{ orderId: resting.orderId, volume: '0.015000', price: '64000.00', isMaker: true }],
    });
    const journal = await db
      .selectFrom('tradingJournal')
      .select(['seq', 'engineSeq'])
      .where('seq', 'in', [BigInt(finished.journalSeq ?? 0), BigInt(finished.journalSeq ?? 0) - 1n])
      .orderBy('seq')
      .execute();
    const [before, holding] = journal;
    expect(Number(before?.engineSeq)).toBeLessThan(Number(finished.order.engineSeq));
    expect(Number(holding?.engineSeq)).toBeGreaterThanOrEqual(Number(finished.order.engineSeq));

    const foreign = { accountId: taker.accountId, clientOrderId };
    expect((await refusalOf(describeOrder(desk.server.ctx, foreign))).message).toContain(
      '"looked-up"',
    );
    const unknown = describeOrder(desk.server.ctx, { orderId: 999_999_999_999n });
    expect((await refusalOf(unknown)).code).toBe('ORDER_NOT_FOUND');
    await desk.sweep();
  });
});

describe('halting everything', () => {
  it('halts each market that takes orders, or would by itself, and leaves the others as they are', async () => {
    const { ctx } = desk.server;
    const { operator } = desk.venue;
    await desk.venue.setPhase('btcusdt', 'continuous');
    await desk.venue.setPhase('ethusdt', 'post_only');
    await desk.venue.setPhase('btcirt', 'halted');
    await projected();
    // As after a jump of the price: the halt ends by itself.
    await ctx.db
      .updateTable('markets')
      .set({ phaseUntilMs: BigInt(Date.now() + 300_000) })
      .where('symbol', '=', 'btcirt')
      .execute();
    const acts = await haltAllActs(ctx.db, WHY);
    expect(acts.map(({ subject }) => subject)).toEqual(['btcirt', 'btcusdt', 'ethusdt']);
    const ids = await requestActs(ctx, operator, acts);
    for (const id of ids) {
      expect((await ended(id)).status).toBe('done');
      expect(await storyOf(id)).toEqual([
        `${operator.email} market phase requested`,
        `${operator.email} market phase done`,
      ]);
    }
    expect(await phases()).toMatchObject({
      btcusdt: 'halted',
      ethusdt: 'halted',
      btcirt: 'halted',
      xrpusdt: 'delisted',
    });
    const { phaseUntilMs } = await ctx.db
      .selectFrom('markets')
      .select('phaseUntilMs')
      .where('symbol', '=', 'btcirt')
      .executeTakeFirstOrThrow();
    expect(phaseUntilMs).toBe(0n);
    // A second time there is nothing to do.
    expect(await haltAllActs(ctx.db, WHY)).toEqual([]);
    await desk.venue.setPhase('btcusdt', 'continuous');
  });

  it('halts a market that is not open yet but will be when the engine gets to it', async () => {
    const { ctx, close } = await createTestContext();
    const operator = await exampleOperator(ctx);
    await requestAct(ctx, operator, createMarket(toMarketConfig(exampleTerms('btcusdt'))));
    expect(await haltAllActs(ctx.db, WHY)).toEqual([]);
    const opening = await requestAct(ctx, operator, setPhase('btcusdt', 'continuous'));
    const [halt] = await requestActs(ctx, operator, await haltAllActs(ctx.db, WHY));
    // Its number orders it after the opening.
    expect(halt).toBeGreaterThan(opening);
    await close();
  });

  it('is for operators', async () => {
    const { ctx } = desk.server;
    const member = await examplePerson(ctx);
    const gone = await examplePerson(ctx, { role: ROLE.administrator });
    await ctx.db.updateTable('users').set({ isActive: false }).where('id', '=', gone.id).execute();
    for (const { email } of [member, gone]) {
      expect((await refusalOf(accessOperator(ctx.db, email, VIA))).code).toBe('NOT_AN_OPERATOR');
    }
  });
});

describe('a market halted by a broken rule', () => {
  const symbol = 'ethusdt';
  const open = (reason = WHY) =>
    phaseAct(desk.server.ctx.db, symbol, 'continuous', reason).then((act) =>
      requestAct(desk.server.ctx, desk.venue.operator, act),
    );
  async function breakRule(subject: string): Promise<void> {
    const halt = { symbol, rule: 'the sum is zero', subject, foundBy: 'auditor' } as const;
    await recordInvariantHalts(desk.server.ctx.db, [halt]);
  }
  const openHalts = async () => (await listOpenHalts(desk.server.ctx.db, symbol)).length;

  it('by an alarm of the auditor waits for two operators', async () => {
    const { ctx } = desk.server;
    const { operator } = desk.venue;
    await desk.venue.setPhase('btcusdt', 'continuous');
    await projected();
    await raiseAlarm(ctx, [{ rule: 'the sum is zero', subject: 'test', symbol: 'btcusdt' }]);
    await expect.poll(async () => (await phases())['btcusdt'], { timeout: WAIT_MS }).toBe('halted');
    const alone = requestAct(ctx, operator, setPhase('btcusdt', 'continuous'));
    expect((await refusalOf(alone)).code).toBe('HALTED_BY_RULE');
    const asked = await phaseAct(ctx.db, 'btcusdt', 'continuous', WHY);
    const id = await requestAct(ctx, operator, asked);
    expect((await ended(id)).status).toBe('awaiting_approval');
    await approveCommand(ctx, second, id);
    expect((await ended(id)).status).toBe('done');
  });

  it('is not opened by one operator, nor by hand', async () => {
    const { ctx } = desk.server;
    const { operator } = desk.venue;
    await desk.venue.setPhase(symbol, 'halted');
    await breakRule('eth');
    const alone = requestAct(ctx, operator, setPhase(symbol, 'continuous'));
    expect((await refusalOf(alone)).code).toBe('HALTED_BY_RULE');
    for (const phase of ['post_only', 'continuous', 'auction']) {
      const byHand = ctx.database.pool.query(
        `INSERT INTO operator_commands (command, requested_by) VALUES ($1, 'by hand')`,
        [JSON.stringify({ type: 'set_phase', symbol, phase })],
      );
      await expect(byHand).rejects.toMatchObject({ code: 'RJ005' });
    }
    expect((await refusalOf(open(' '))).code).toBe('REASON_MISSING');
    // Closing a market further takes one.
    await desk.venue.setPhase(symbol, 'cancel_only');
    await desk.venue.setPhase(symbol, 'halted');
    expect(await openHalts()).toBe(1);
  });

  it('is opened when a second one approves, who is named with the release', async () => {
    const { ctx } = desk.server;
    const { operator } = desk.venue;
    const id = await open();
    expect((await ended(id)).status).toBe('awaiting_approval');
    expect((await refusalOf(approveCommand(ctx, operator, id))).code).toBe(
      'SECOND_OPERATOR_NEEDED',
    );
    await expect(
      ctx.database.pool.query(`UPDATE operator_commands SET status = 'waiting' WHERE id = $1`, [
        id,
      ]),
    ).rejects.toMatchObject({ code: 'RJ005' });
    expect(await openHalts()).toBe(1);
    await approveCommand(ctx, second, id);
    expect((await ended(id)).status).toBe('done');
    expect((await phases())[symbol]).toBe('continuous');
    expect(await openHalts()).toBe(0);
    const released = await ctx.db
      .selectFrom('invariantHalts')
      .select(['releasedById', 'releaseApprovedById', 'releaseReason'])
      .where('symbol', '=', symbol)
      .execute();
    expect(released).toEqual([
      { releasedById: operator.id, releaseApprovedById: second.id, releaseReason: WHY },
    ]);
    expect(await storyOf(id)).toEqual([
      `${operator.email} market phase awaiting_approval`,
      `${second.email} market phase approved`,
      `${operator.email} market phase done`,
    ]);
    // One operator can release an operator's own halt.
    await desk.venue.setPhase(symbol, 'halted');
    expect((await ended(await open(''))).status).toBe('done');
  });

  it('stays halted when the release is retracted, or when another rule broke after the request', async () => {
    const { ctx } = desk.server;
    await desk.venue.setPhase(symbol, 'halted');
    await breakRule('usdt');
    const withdrawn = await open();
    await withdrawCommand(ctx, second, withdrawn);
    expect((await refusalOf(approveCommand(ctx, second, withdrawn))).code).toBe(
      'NOT_AWAITING_APPROVAL',
    );
    const early = await open();
    await breakRule('btc');
    expect((await refusalOf(approveCommand(ctx, second, early))).code).toBe('HALTED_SINCE');
    expect(await openHalts()).toBe(2);
    await withdrawCommand(ctx, second, early);
    const informed = await open();
    await approveCommand(ctx, second, informed);
    expect((await ended(informed)).status).toBe('done');
    expect(await openHalts()).toBe(0);
  });

  it('ends up halted when it is halted and opened at the same moment', async () => {
    const { ctx } = desk.server;
    const { operator } = desk.venue;
    for (let round = 0; round < 10; round += 1) {
      const outcomes = await Promise.allSettled([
        requestAct(ctx, operator, setPhase(symbol, 'continuous')),
        ctx.inTransaction(async (tx) => {
          const subject = `round ${round}`;
          const halt = { symbol, rule: 'the sum is zero', subject, foundBy: 'auditor' } as const;
          await recordInvariantHalts(tx, [halt]);
          const command = JSON.stringify({ type: 'set_phase', symbol, phase: 'halted' });
          const { id } = await tx
            .insertInto('operatorCommands')
            .values({ command, requestedBy: 'auditor', act: 'market phase', subject: symbol })
            .returning('id')
            .executeTakeFirstOrThrow();
          return id;
        }),
      ]);
      for (const outcome of outcomes) {
        if (outcome.status === 'fulfilled') await ended(outcome.value);
      }
      expect((await phases())[symbol]).toBe('halted');
      const release = await open();
      await approveCommand(ctx, second, release);
      await ended(release);
    }
  });
});

it('after all this, the chain of the audit log is intact', async () => {
  expect((await verifyAuditLog(desk.server.ctx.db)).trouble).toBeUndefined();
});
