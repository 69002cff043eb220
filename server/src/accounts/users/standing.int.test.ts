// What happens to the trading account of a deactivated owner, however that came about, and to a
// suspended one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deactivatePerson, reactivatePerson } from '../../chat/administration/users/actions.ts';
import { examplePerson, type Person } from '../../testing/example.ts';
import { startMailCatcher, type MailCatcher } from '../../testing/mail-catcher.ts';
import { exampleTrader, type Trader } from '../../testing/trader.ts';
import { exampleOperator } from '../../testing/operators.ts';
import { createEngineClient, type EngineClient } from '../../trading/engine/client.ts';
import { accessAccount, describeAccount } from '../../trading/operators/access.ts';
import { accessOperator } from '../operators/access.ts';
import { awaitCommand, requestAct } from '../../trading/operators/actions.ts';
import { createSubAccount } from '../../trading/sub-accounts/actions.ts';
import { resumeAccount, suspendAccount } from '../../trading/operators/acts.ts';
import { codeOf, LIMIT, openDesk, resultOf, type Desk } from '../../testing/trading/desk.ts';
import { awaitProjection } from '../../trading/projections/access.ts';
import { verifyAuditLog } from '../audit/access.ts';

const WAIT_MS = 15_000;

let desk: Desk;
let catcher: MailCatcher;
let engine: EngineClient;
let owner: Person;
beforeAll(async () => {
  catcher = await startMailCatcher();
  desk = await openDesk({ withJobs: true, settings: { ...catcher.settings } });
  const { bus, database, log, secrets } = desk.server.ctx;
  engine = createEngineClient({
    bus,
    log,
    secrets,
    pool: database.pool,
    answerMs: 5000,
    underWayMax: 100,
  });
  owner = await exampleOperator(desk.server.ctx, { fullName: 'Olga Owner' });
});
afterAll(async () => {
  await engine.stop();
  await desk.close();
  await catcher.close();
});

type Member = Person & Trader;

/** A person with money, an order in the book and a running timer. */
async function memberAtWork(given: Parameters<typeof examplePerson>[1] = {}): Promise<Member> {
  const person = await examplePerson(desk.server.ctx, given);
  const trader = await exampleTrader(desk.server.ctx, { userId: person.id });
  await desk.venue.fund(trader.accountId, { usdt: '1000' });
  await desk.place(trader, { price: '60000.00' });
  resultOf(await desk.post(trader, 'order/cancel_all_after', { timeout: '300000' }));
  return { ...person, ...trader };
}

async function chat(person: Person, method: string, path: string, params = {}) {
  const body = new URLSearchParams(params);
  const response = await fetch(`${desk.server.chatUrl}${path}`, {
    method,
    headers: { Authorization: person.basic },
    ...(method === 'GET' ? {} : { body }),
  });
  const answer = (await response.json()) as { result: string; msg: string; code?: string };
  return { status: response.status, ...answer };
}

const openOrders = (accountId: bigint) =>
  engine.read('open', { account: Number(accountId), limit: 10 });

/** The engine's answer to an order that an api process let through. */
async function placePastTheApi(accountId: bigint) {
  const { result } = await engine.submit({
    type: 'place',
    account: Number(accountId),
    order: {
      symbol: 'btcusdt',
      side: 'buy',
      type: 'limit',
      price: 6_000_000,
      priceDecimals: 2,
      volume: 1000,
      volumeDecimals: 6,
    },
  });
  return result.kind === 'rejected' ? result.rejection.code : result.kind;
}

async function balanceOf(accountId: bigint) {
  const balances = await engine.read('balances', { account: Number(accountId) });
  const usdt = balances.find(({ coin }) => coin === 'usdt');
  return usdt && { available: usdt.available, hold: usdt.hold };
}
const THOUSAND = { available: 1000n * 10n ** 18n, hold: 0n };

/** The commands made for an account besides those of operators, oldest first. */
async function commandsFor(accountId: bigint, requestedBy: string) {
  const { rows } = await desk.server.ctx.database.pool.query<{
    type: string;
    status: string;
    result: Record<string, unknown>;
  }>(
    `SELECT command::json ->> 'type' AS type, status, result FROM operator_commands
      WHERE requested_by = $2 AND command::json ->> 'account' = $1::text ORDER BY id`,
    [accountId, requestedBy],
  );
  return rows;
}

/** The newest audit entry about a person. */
async function audited(email: string, act: string) {
  const row = await desk.server.ctx.db
    .selectFrom('auditLog')
    .select(['operator', 'outcome', 'details'])
    .where('subject', '=', email)
    .where('act', '=', act)
    .orderBy('seq', 'desc')
    .executeTakeFirstOrThrow();
  return { ...row, details: JSON.parse(row.details) as Record<string, unknown> };
}

async function settles(accountId: bigint, isSuspended: boolean): Promise<void> {
  // The tables may show what was before a suspension that they lack.
  const underWay = async () =>
    (await commandsFor(accountId, isSuspended ? 'deactivation' : 'reactivation')).filter(
      ({ status }) => status !== 'done',
    );
  await expect.poll(underWay, { timeout: WAIT_MS }).toEqual([]);
  await awaitProjection(desk.server.ctx, { patienceMs: WAIT_MS });
  const isProjected = async () =>
    (await describeAccount(desk.server.ctx.db, Number(accountId))).suspended;
  await expect.poll(isProjected, { timeout: WAIT_MS }).toBe(isSuspended);
}

async function expectAllGone(member: Member): Promise<void> {
  await expect.poll(() => openOrders(member.accountId), { timeout: WAIT_MS }).toEqual([]);
  expect(await balanceOf(member.accountId)).toEqual(THOUSAND);
  await expect
    .poll(() => commandsFor(member.accountId, 'deactivation'), { timeout: WAIT_MS })
    .toMatchObject([
      { type: 'suspend_account', status: 'done' },
      { type: 'cancel_all_after', status: 'done', result: { kind: 'timer', triggerTime: 0 } },
    ]);
  expect(await placePastTheApi(member.accountId)).toBe(3011);
}

describe('a deactivated person with a trading account', () => {
  it('loses orders and timer in the same act when they do it themselves, without a password, and keeps the money', async () => {
    const mia = await memberAtWork({ email: 'mia@example.com' });
    expect(await openOrders(mia.accountId)).toHaveLength(1);
    expect((await chat(mia, 'DELETE', '/users/me')).result).toBe('success');
    await expectAllGone(mia);
    await settles(mia.accountId, true);

    const { db } = desk.server.ctx;
    const shown = await describeAccount(db, await accessAccount(db, 'mia@example.com'));
    expect(shown).toMatchObject({
      person: 'deactivated',
      suspended: true,
      because: 'deactivation',
      balances: [{ coin: 'usdt', available: '1000', held: '0' }],
    });
    expect(await audited('mia@example.com', 'user deactivate')).toMatchObject({
      operator: 'mia@example.com',
      outcome: 'done',
      details: { userId: mia.id, accounts: [String(mia.accountId)], via: 'key' },
    });
    const email = await catcher.next('mia@example.com');
    expect(email.subject).toContain('has been deactivated');
    expect(email.text).toContain('done with your own account');
    expect(email.text).toContain('open orders of the trading account have been canceled');
    expect(email.text).toContain('The money stays on the account');
    expect(email.text).toContain(owner.email);
  });

  it('is refused with every key, and told why only when the signature is right', async () => {
    const eve = await memberAtWork();
    await deactivatePerson(desk.server.ctx, owner, eve.id);
    for (const path of ['account/balances', 'order/open', 'order/history']) {
      const { status, body } = await desk.get(eve, path);
      expect([status, body.error?.code]).toEqual([401, '3002']);
      expect(body.error?.message).toContain('deactivated');
      expect(body.error?.details).toEqual({ reason: 'deactivated' });
    }
    expect(codeOf(await desk.post(eve, 'order/create', LIMIT))).toBe('3002');
    expect(codeOf(await desk.delete(eve, 'order/cancel_all'))).toBe('3002');
    const headers = { 'X-SVC-SIGNATURE': '0'.repeat(64) };
    const forged = await eve.call(`${desk.server.baseUrl}/private/order/open`, { headers });
    expect(forged.body.error).toMatchObject({ code: '3002', details: {} });
    expect(forged.body.error?.message).toBe('The key is unknown, disabled or expired.');
  });

  it('by an administrator: is notified in Persian where that is the language, with the administrator’s comment', async () => {
    const zoe = await memberAtWork({ email: 'zoe@example.com' });
    expect((await chat(owner, 'PATCH', '/realm', { default_language: 'fa' })).result).toBe(
      'success',
    );
    const comment = { deactivation_notification_comment: 'Thank you.' };
    expect((await chat(owner, 'DELETE', `/users/${zoe.id}`, comment)).result).toBe('success');
    await expectAllGone(zoe);
    const email = await catcher.next('zoe@example.com');
    expect(email.subject).toContain('غیرفعال شد');
    expect(email.text).toContain('پول در حساب می‌ماند');
    expect(email.text).toContain('Olga Owner');
    expect(email.text).toContain('Thank you.');
    expect(await audited('zoe@example.com', 'user deactivate')).toMatchObject({
      operator: owner.email,
    });
    await chat(owner, 'PATCH', '/realm', { default_language: 'en' });
  });

  it('by any change of the table: the orders are canceled all the same', async () => {
    const tom = await memberAtWork();
    const setActive = (isActive: boolean) =>
      desk.server.ctx.db.updateTable('users').set({ isActive }).where('id', '=', tom.id).execute();
    await setActive(false);
    // A second time changes nothing, and adds no second command.
    await setActive(false);
    await expectAllGone(tom);
  });

  it('not if the transaction is rolled back: not even a command is left', async () => {
    const ann = await memberAtWork();
    await desk.server.ctx
      .inTransaction(async (tx) => {
        await tx.updateTable('users').set({ isActive: false }).where('id', '=', ann.id).execute();
        throw new Error('rolled back');
      })
      .catch(() => {});
    expect(await commandsFor(ann.accountId, 'deactivation')).toEqual([]);
    expect(await openOrders(ann.accountId)).toHaveLength(1);
  });

  it('suspends their sub-accounts too, and brings them back', async () => {
    const { ctx } = desk.server;
    const head = await memberAtWork();
    const subs: Member[] = [];
    for (const label of ['first', 'second']) {
      const { account } = await createSubAccount(
        ctx,
        { id: head.accountId, userId: head.id },
        label,
      );
      const trader = await exampleTrader(ctx, { userId: head.id, accountId: account.id });
      await desk.venue.fund(trader.accountId, { usdt: '1000' });
      await desk.place(trader, { price: '60000.00' });
      subs.push({ ...head, ...trader });
    }
    await deactivatePerson(ctx, owner, head.id);
    for (const one of [head, ...subs]) {
      await expectAllGone(one);
      expect(codeOf(await desk.get(one, 'order/open'))).toBe('3002');
    }
    await reactivatePerson(ctx, owner, head.id);
    for (const one of [head, ...subs]) {
      await settles(one.accountId, false);
      await desk.place(one, { price: '60000.00' });
    }
  });

  it('cannot be given an account that may trade', async () => {
    const { ctx } = desk.server;
    const late = await examplePerson(ctx);
    await deactivatePerson(ctx, owner, late.id);
    const trader = await exampleTrader(ctx, { userId: late.id });
    await expect
      .poll(() => commandsFor(trader.accountId, 'deactivation'), { timeout: WAIT_MS })
      .toMatchObject([{ status: 'done' }, { status: 'done' }]);
    expect(await placePastTheApi(trader.accountId)).toBe(3011);
    await reactivatePerson(ctx, owner, late.id);
    await expect
      .poll(() => commandsFor(trader.accountId, 'reactivation'), { timeout: WAIT_MS })
      .toMatchObject([{ status: 'done' }]);
    expect(await placePastTheApi(trader.accountId)).toBe(5001);
  });

  it('or a bot of theirs: the account of the bot follows, and its owner is notified, once for both', async () => {
    const rob = await examplePerson(desk.server.ctx, { email: 'rob@example.com' });
    const bots = [];
    for (const name of ['First bot', 'Second bot']) {
      const given = { fullName: name, botType: 1, botOwnerId: rob.id } as const;
      bots.push(await memberAtWork(given));
    }
    const [first, last] = bots as [Member, Member];
    expect((await chat(rob, 'DELETE', `/bots/${first.id}`)).result).toBe('success');
    await expectAllGone(first);
    expect((await catcher.next('rob@example.com')).subject).toContain('Your bot First bot');
    expect(await openOrders(last.accountId)).toHaveLength(1);

    expect((await chat(rob, 'DELETE', '/users/me')).result).toBe('success');
    await expectAllGone(last);
    expect((await catcher.next('rob@example.com')).subject).toContain('Your account');
    expect(await audited('rob@example.com', 'user deactivate')).toMatchObject({
      details: { bots: [expect.anything()], accounts: [String(last.accountId)] },
    });
  });

  it('without an account gets no email, and with one only one', async () => {
    const { ctx } = desk.server;
    const quiet = await examplePerson(ctx, { email: 'quiet@example.com' });
    const loud = await memberAtWork({ email: 'loud@example.com' });
    await deactivatePerson(ctx, owner, quiet.id);
    expect((await chat(loud, 'DELETE', '/users/me')).result).toBe('success');
    await catcher.next('loud@example.com');
    const recipients = catcher.emails.flatMap((received) => received.recipients);
    expect(recipients.filter((one) => one === 'quiet@example.com')).toEqual([]);
    expect(recipients.filter((one) => one === 'loud@example.com')).toHaveLength(1);
  });
});

describe('a reactivated person', () => {
  it('has working keys and an account that trades; the orders stay canceled, and the email says so', async () => {
    const ben = await memberAtWork({ email: 'ben@example.com' });
    await chat(ben, 'DELETE', '/users/me');
    await catcher.next('ben@example.com');
    const answer = await chat(owner, 'POST', `/users/${ben.id}/reactivate`);
    expect(answer.result).toBe('success');
    await settles(ben.accountId, false);
    expect(resultOf<unknown[]>(await desk.get(ben, 'order/open'))).toEqual([]);
    expect(await balanceOf(ben.accountId)).toEqual(THOUSAND);
    await desk.place(ben, { price: '60000.00' });
    expect(await audited('ben@example.com', 'user reactivate')).toMatchObject({
      operator: owner.email,
      outcome: 'done',
      details: { accounts: [String(ben.accountId)] },
    });
    const email = await catcher.next('ben@example.com');
    expect(email.subject).toContain('is active again');
    expect(email.text).toContain('Orders that were canceled do not come back');
  });

  it('stays suspended when the operators suspended the account, before or meanwhile', async () => {
    const { ctx } = desk.server;
    for (const when of ['before', 'meanwhile'] as const) {
      const sam = await memberAtWork();
      const suspend = () =>
        desk.venue.perform(suspendAccount(Number(sam.accountId), true, 'Court order 12.'));
      if (when === 'before') await suspend();
      await deactivatePerson(ctx, owner, sam.id);
      if (when === 'meanwhile') await suspend();
      await settles(sam.accountId, true);
      const description = () => describeAccount(ctx.db, Number(sam.accountId));
      expect((await description()).because).toBe('operator, deactivation');
      await reactivatePerson(ctx, owner, sam.id);
      expect(await commandsFor(sam.accountId, 'reactivation')).toEqual([]);
      expect(await placePastTheApi(sam.accountId)).toBe(3011);
      expect(await description()).toMatchObject({ suspended: true, because: 'operator' });
      await desk.venue.perform(resumeAccount(Number(sam.accountId), 'Lifted.'));
      await settles(sam.accountId, false);
      await desk.place(sam, { price: '60000.00' });
    }
  });

  it('operators cannot resume an account whose owner is deactivated', async () => {
    const { ctx } = desk.server;
    const kim = await memberAtWork();
    await deactivatePerson(ctx, owner, kim.id);
    const operator = await accessOperator(ctx.db, owner.email, 'test');
    await expect(
      requestAct(ctx, operator, resumeAccount(Number(kim.accountId), 'A mistake.')),
    ).rejects.toThrow('Reactivate the owner first');
    // Not by changing the row either.
    const command = JSON.stringify({
      type: 'suspend_account',
      account: Number(kim.accountId),
      suspended: false,
    });
    await expect(
      ctx.database.pool.query(
        `INSERT INTO operator_commands (command, requested_by) VALUES ($1, 'by hand')`,
        [command],
      ),
    ).rejects.toMatchObject({ code: 'RJ004' });
  });

  it('and suspended at the same moment is suspended, whichever came first', async () => {
    const { ctx } = desk.server;
    const operator = await accessOperator(ctx.db, owner.email, 'test');
    for (let round = 0; round < 10; round += 1) {
      const lee = await examplePerson(ctx);
      const { accountId } = await exampleTrader(ctx, { userId: lee.id });
      await deactivatePerson(ctx, owner, lee.id);
      const [suspension] = await Promise.all([
        requestAct(ctx, operator, suspendAccount(Number(accountId), true, 'At once.')),
        reactivatePerson(ctx, owner, lee.id),
      ]);
      expect((await awaitCommand(ctx, suspension, WAIT_MS)).status).toBe('done');
      const isOver = async () =>
        (await commandsFor(accountId, 'reactivation')).every(({ status }) => status === 'done');
      await expect.poll(isOver, { timeout: WAIT_MS }).toBe(true);
      expect(await placePastTheApi(accountId)).toBe(3011);
    }
  });
});

describe('a suspended account', () => {
  it('still reads and cancels, and neither places nor amends', async () => {
    const trader = await desk.trader();
    const clientOrderId = 'kept';
    const kept = await desk.place(trader, { price: '60000.00', clientOrderId });
    const others = [
      await desk.place(trader, { price: '60001.00' }),
      await desk.place(trader, { price: '60002.00' }),
      await desk.place(trader, { price: '60003.00' }),
    ];
    await desk.venue.perform(suspendAccount(Number(trader.accountId), false, 'Court order 13.'));
    await settles(trader.accountId, true);

    for (const path of [
      'account/info',
      'account/balances',
      'account/fees',
      'account/ledger',
      'account/rate_limits',
      'order/open',
      'order/history',
      'order/trades',
    ]) {
      expect([path, codeOf(await desk.get(trader, path))]).toEqual([path, '']);
    }
    expect(resultOf(await desk.get(trader, 'account/info'))).toMatchObject({ canTrade: false });
    expect(codeOf(await desk.get(trader, 'order/get', { orderId: kept.orderId }))).toBe('');
    expect(resultOf<unknown[]>(await desk.get(trader, 'order/open'))).toHaveLength(4);

    for (const [path, params] of [
      ['order/create', LIMIT],
      ['order/test', LIMIT],
      ['order/create_batch', {}],
      ['order/amend', { orderId: kept.orderId, price: '59000.00' }],
    ] as const) {
      const { status, body } = await desk.post(trader, path, params);
      expect([path, status, body.error?.code]).toEqual([path, 403, '3011']);
      expect(body.error?.message).toContain('can read and cancel');
    }
    // The engine says the same to an order that an api process let through a moment before.
    expect(await placePastTheApi(trader.accountId)).toBe(3011);

    const [one, two] = others;
    resultOf(await desk.delete(trader, 'order/cancel', { orderId: one?.orderId ?? '' }));
    const timer = await desk.post(trader, 'order/cancel_all_after', { timeout: '300000' });
    expect(codeOf(timer)).toBe('');
    const orderIds = JSON.stringify([two?.orderId]);
    expect(codeOf(await desk.post(trader, 'order/cancel_batch', { orderIds }))).toBe('');
    expect(resultOf(await desk.delete(trader, 'order/cancel_all'))).toMatchObject({
      canceledCount: '2',
    });
  });

  it('can delete a key that leaked', async () => {
    const trader = await desk.trader();
    await desk.venue.perform(suspendAccount(Number(trader.accountId), true, 'Odd orders.'));
    await settles(trader.accountId, true);
    resultOf(await desk.delete(trader, 'api_key/delete', { keyId: trader.keyId }));
    expect(codeOf(await desk.get(trader, 'order/open'))).toBe('3002');
  });
});

it('after all this, the chain of the audit log is intact', async () => {
  expect((await verifyAuditLog(desk.server.ctx.db)).trouble).toBeUndefined();
});
