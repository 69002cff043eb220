// Sub-accounts: who may open, see, rename and close them, what is their own, and what they share with the family.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTradingKey } from '../../accounts/trading-keys/actions.ts';
import type { Permission } from '../../accounts/trading-keys/key.ts';
import { RICH } from '../../testing/live-venue.ts';
import { exampleTrader, type Trader } from '../../testing/trader.ts';
import { codeOf, LIMIT, openDesk, resultOf, type Desk } from '../../testing/trading/desk.ts';
import { describeAccount } from '../operators/access.ts';
import { requestAct } from '../operators/actions.ts';
import { resumeAccount, suspendAccount } from '../operators/acts.ts';
import type { SubAccount } from './shapes.ts';

const ALL: readonly Permission[] = ['read', 'trade', 'transfer'];
const WAIT_MS = 15_000;

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk({ settings: { TRADING_SUB_ACCOUNTS_MAX: '3' } }, { phase: 'continuous' });
});
afterAll(() => desk.close());

const main = (funds = RICH) => desk.trader(funds, { permissions: ALL });

async function open(head: Trader, label: string): Promise<SubAccount> {
  return resultOf(await desk.post(head, 'sub_account/create', { label }));
}

/** A key of a sub-account. */
const keyOf = (head: Trader, { accountId }: SubAccount, permissions = ALL): Promise<Trader> =>
  exampleTrader(desk.server.ctx, {
    userId: head.userId,
    accountId: BigInt(accountId),
    permissions,
  });

const list = async (trader: Trader, params = {}): Promise<SubAccount[]> =>
  resultOf(await desk.get(trader, 'sub_account/list', params));

async function suspended(accountId: bigint | string): Promise<boolean> {
  return (await describeAccount(desk.server.ctx.db, Number(accountId))).suspended;
}

describe('a main account', () => {
  it('opens sub-accounts, each once, up to the limit, and lists them', async () => {
    const head = await main();
    const first = await open(head, 'market maker');
    expect(first).toEqual({
      accountId: expect.stringMatching(/^\d+$/) as string,
      parentAccountId: String(head.accountId),
      label: 'market maker',
      feeTier: '0',
      canTrade: true,
      createdAt: expect.stringMatching(/^\d{13}$/) as string,
      closedAt: '',
    });
    const again = await desk.post(head, 'sub_account/create', { label: 'Market Maker' });
    expect(again.headers.get('x-svc-idempotent-replay')).toBe('true');
    expect(resultOf<SubAccount>(again).accountId).toBe(first.accountId);
    await open(head, 'b');
    await open(head, 'c');
    const fourth = await desk.post(head, 'sub_account/create', { label: 'd' });
    expect(fourth.body.error).toMatchObject({ code: '7004', details: { open: '3', limit: '3' } });
    expect((await list(head)).map(({ label }) => label)).toEqual(['market maker', 'b', 'c']);
  });

  it('that asks for many at the same time gets no more than the limit', async () => {
    const head = await main({});
    const labels = Array.from({ length: 8 }, (_, n) => `at once ${n}`);
    const answers = await Promise.all(
      labels.map((label) => desk.post(head, 'sub_account/create', { label })),
    );
    expect(answers.map(codeOf).filter((code) => code === '')).toHaveLength(3);
    expect(await list(head)).toHaveLength(3);
  });

  it('and one label at the same time is one sub-account', async () => {
    const head = await main({});
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => desk.post(head, 'sub_account/create', { label: 'same' })),
    );
    const ids = new Set(answers.map((answer) => resultOf<SubAccount>(answer).accountId));
    expect(ids.size).toBe(1);
  });

  it.each(['', ' a', 'a ', 'x'.repeat(65), 'line\nfeed', 'zero\u200bwidth', '\u202eleft'])(
    'refuses the label %j',
    async (label) => {
      const head = await main({});
      const { body } = await desk.post(head, 'sub_account/create', { label });
      expect(['2001', '2002', '2003']).toContain(body.error?.code);
      expect(await list(head)).toEqual([]);
    },
  );

  it('renames its own, not to a label that is in use', async () => {
    const head = await main({});
    const { accountId } = await open(head, 'old');
    await open(head, 'taken');
    const renamed = await desk.post(head, 'sub_account/update', { accountId, label: 'new' });
    expect(resultOf<SubAccount>(renamed).label).toBe('new');
    const taken = await desk.post(head, 'sub_account/update', { accountId, label: 'TAKEN' });
    expect(taken.body.error).toMatchObject({ code: '2009', details: { parameter: 'label' } });
  });

  it("answers another's, a closed one and its own number as it answers a number that nobody has", async () => {
    const [head, other] = [await main({}), await main({})];
    const theirs = await open(other, 'theirs');
    const gone = await open(head, 'gone');
    resultOf(await desk.delete(head, 'sub_account/close', { accountId: gone.accountId }));
    const named = [theirs.accountId, String(other.accountId), gone.accountId, '999999999'];
    named.push(String(head.accountId));
    for (const ask of [
      (accountId: string) => desk.post(head, 'sub_account/update', { accountId, label: 'x' }),
      (accountId: string) => desk.delete(head, 'sub_account/close', { accountId }),
    ]) {
      const answers = await Promise.all(named.map(ask));
      const errors = answers.map(({ status, body }) => JSON.stringify([status, body.error]));
      expect(new Set(errors).size, errors.join('\n')).toBe(1);
      expect(answers[0]?.body.error?.code).toBe('7001');
    }
    expect((await list(other)).map(({ label }) => label)).toEqual(['theirs']);
  });
});

describe('a sub-account', () => {
  it('has no sub-accounts, in the api and in the table, and its key sees itself only', async () => {
    const head = await main({});
    const sub = await open(head, 'one');
    await open(head, 'two');
    const hand = await keyOf(head, sub);
    expect((await list(hand)).map(({ label }) => label)).toEqual(['one']);
    for (const answer of [
      await desk.post(hand, 'sub_account/create', { label: 'below' }),
      await desk.post(hand, 'sub_account/update', { accountId: sub.accountId, label: 'x' }),
      await desk.delete(hand, 'sub_account/close', { accountId: sub.accountId }),
    ]) {
      expect(codeOf(answer)).toBe('3008');
    }
    await expect(
      desk.server.ctx.db
        .insertInto('tradingAccounts')
        .values({ userId: head.userId, parentAccountId: BigInt(sub.accountId), label: 'below' })
        .execute(),
    ).rejects.toThrow('a sub-account has none');
  });

  it('belongs to the owner of its main account, and keys of others cannot be made for it', async () => {
    const [head, other] = [await main({}), await main({})];
    const sub = await open(head, 'mine');
    const { ctx } = desk.server;
    await expect(
      createTradingKey(ctx, {
        userId: other.userId,
        accountId: BigInt(sub.accountId),
        permissions: ['read'],
      }),
    ).rejects.toThrow('no open account');
    await expect(
      ctx.db
        .insertInto('tradingAccounts')
        .values({ userId: other.userId, parentAccountId: head.accountId, label: 'stolen' })
        .execute(),
    ).rejects.toThrow('trading_accounts_same_owner');
  });

  it('says whose it is, and among whose orders self-trades are kept out', async () => {
    const head = await main();
    const info = async (trader: Trader) =>
      resultOf<Record<string, unknown>>(await desk.get(trader, 'account/info'));
    expect(await info(head)).toMatchObject({ parentAccountId: '', stpScope: 'account' });
    const sub = await open(head, 'desk');
    const hand = await keyOf(head, sub);
    expect(await info(head)).toMatchObject({ parentAccountId: '', stpScope: 'family' });
    expect(await info(hand)).toMatchObject({
      accountId: sub.accountId,
      parentAccountId: String(head.accountId),
      stpScope: 'family',
    });
  });

  it('does not trade with its family, but with others; their volume counts together', async () => {
    const head = await main();
    const sub = await open(head, 'desk');
    const hand = await keyOf(head, sub);
    await desk.venue.fund(BigInt(sub.accountId), RICH);
    await desk.place(head, { side: 'sell', price: '65000.00' });
    const refused = await desk.place(hand, { side: 'buy', price: '65000.00' });
    expect(refused).toMatchObject({ status: 'expired', filledVolume: '0.000000' });
    const stranger = await desk.trader();
    await desk.place(stranger, { side: 'sell', price: '64900.00' });
    expect(await desk.place(hand, { side: 'buy', price: '64900.00' })).toMatchObject({
      status: 'filled',
    });
    for (const one of [head, hand]) {
      await desk.get(one, 'account/ledger');
      const info = resultOf<{ volume30d: string }>(await desk.get(one, 'account/info'));
      expect(info.volume30d).toBe('649');
    }
    await desk.sweep();
  });

  it('has money and orders of its own: no key of the family sees or touches another’s', async () => {
    const head = await main();
    const sub = await open(head, 'own');
    const hand = await keyOf(head, sub);
    const { orderId } = await desk.place(head, { price: '50000.00' });
    expect(codeOf(await desk.get(hand, 'order/get', { orderId }))).toBe('4011');
    expect(codeOf(await desk.delete(hand, 'order/cancel', { orderId }))).toBe('4011');
    expect(codeOf(await desk.post(hand, 'order/create', { ...LIMIT }))).toBe('5001');
    const balances = resultOf(await desk.get(hand, 'account/balances', { omitZero: 'true' }));
    expect(balances).toEqual([]);
    resultOf(await desk.delete(head, 'order/cancel', { orderId }));
  });
});

describe('closing', () => {
  it('takes an empty one only, deletes its keys, and frees its label and its place', async () => {
    const head = await main();
    const sub = await open(head, 'short');
    const hand = await keyOf(head, sub);
    const { accountId } = sub;
    await desk.venue.fund(BigInt(accountId), { usdt: '10', btc: '1' });
    const order = await desk.place(hand, { side: 'sell', price: '70000.00', volume: '1.000000' });
    const close = () => desk.delete(head, 'sub_account/close', { accountId });
    expect((await close()).body.error).toMatchObject({
      code: '7005',
      details: { coins: ['btc', 'usdt'] },
    });
    resultOf(await desk.delete(hand, 'order/cancel', { orderId: order.orderId }));
    for (const [coin, amount] of [
      ['usdt', '10'],
      ['btc', '1'],
    ] as const) {
      resultOf(
        await desk.post(hand, 'sub_account/transfer', {
          fromAccountId: accountId,
          toAccountId: String(head.accountId),
          coin,
          amount,
          clientTransferId: `out-${coin}`,
        }),
      );
    }
    expect(resultOf<SubAccount>(await close())).toMatchObject({ canTrade: false });
    expect(codeOf(await desk.get(hand, 'account/info'))).toBe('3002');
    expect(await list(head)).toEqual([]);
    expect(await list(head, { includeClosed: 'true' })).toHaveLength(1);
    expect(codeOf(await close())).toBe('7001');
    const next = await open(head, 'short');
    expect(next.accountId).not.toBe(accountId);
    const back = await desk.post(head, 'sub_account/transfer', {
      fromAccountId: String(head.accountId),
      toAccountId: accountId,
      coin: 'usdt',
      amount: '1',
      clientTransferId: 'into-the-void',
    });
    expect(codeOf(back)).toBe('7001');
    await expect(
      requestAct(desk.server.ctx, desk.venue.operator, resumeAccount(Number(accountId), 'Try.')),
    ).rejects.toThrow('has closed it');
  });

  it('opening and closing ends at ten times the limit', async () => {
    const head = await main({});
    for (let n = 0; n < 30; n += 1) {
      const { accountId } = await open(head, `turn ${n}`);
      resultOf(await desk.delete(head, 'sub_account/close', { accountId }));
    }
    expect(codeOf(await desk.post(head, 'sub_account/create', { label: 'more' }))).toBe('7004');
  }, 60_000);
});

describe('limits', () => {
  it('of requests and of orders are each account’s own', async () => {
    const tight = await openDesk(
      { settings: { TRADING_DAILY_ORDERS_MAX: '2' } },
      { phase: 'continuous', terms: { ethusdt: { maxOpenOrders: 1 } } },
    );
    try {
      const head = await tight.trader(RICH, { permissions: ALL });
      const sub = resultOf<SubAccount>(
        await tight.post(head, 'sub_account/create', { label: 'own limits' }),
      );
      const hand = await exampleTrader(tight.server.ctx, {
        userId: head.userId,
        accountId: BigInt(sub.accountId),
        permissions: ALL,
      });
      await tight.venue.fund(BigInt(sub.accountId), RICH);
      const eth = { ...LIMIT, symbol: 'ethusdt', price: '3000.00', volume: '0.1' };
      for (const one of [head, hand]) {
        resultOf(await tight.post(one, 'order/create', eth));
        // One open order in this market, two orders on this day.
        expect(codeOf(await tight.post(one, 'order/create', eth))).toBe('4015');
        resultOf(await tight.post(one, 'order/create', { ...LIMIT, price: '60000.00' }));
        expect(codeOf(await tight.post(one, 'order/create', LIMIT))).toBe('6003');
      }
      const used = async (one: Trader) => {
        const rows = resultOf<{ scope: string; used: string }[]>(
          await tight.get(one, 'account/rate_limits'),
        );
        return Number(rows.find(({ scope }) => scope === 'account')?.used);
      };
      const before = await used(hand);
      for (let n = 0; n < 5; n += 1) await tight.get(head, 'account/info');
      expect(await used(hand)).toBeLessThanOrEqual(before + 1);
    } finally {
      await tight.close();
    }
  }, 60_000);
});

describe('suspending', () => {
  const perform = (act: Parameters<typeof requestAct>[2]) => desk.venue.perform(act);

  it('the main account suspends the family, and its orders go; a sub-account does not come back before it', async () => {
    const head = await main();
    const sub = await open(head, 'follows');
    const hand = await keyOf(head, sub);
    await desk.venue.fund(BigInt(sub.accountId), RICH);
    await desk.place(hand, { price: '60000.00' });
    await perform(suspendAccount(Number(head.accountId), true, 'For the test.'));
    await expect.poll(() => suspended(sub.accountId), { timeout: WAIT_MS }).toBe(true);
    expect(codeOf(await desk.post(hand, 'order/create', LIMIT))).toBe('3011');
    expect(resultOf(await desk.get(hand, 'order/open'))).toEqual([]);
    await expect(
      requestAct(
        desk.server.ctx,
        desk.venue.operator,
        resumeAccount(Number(sub.accountId), 'Too early.'),
      ),
    ).rejects.toThrow('Resume the main account');
    await perform(resumeAccount(Number(head.accountId), 'Over.'));
    await expect.poll(() => suspended(sub.accountId), { timeout: WAIT_MS }).toBe(false);
    await desk.place(hand, { price: '60000.00' });
  });

  it('one sub-account leaves the others alone, and lasts over a suspension of the main account', async () => {
    const head = await main();
    const [bad, good] = [await open(head, 'bad'), await open(head, 'good')];
    await perform(suspendAccount(Number(bad.accountId), true, 'Only this one.'));
    await expect.poll(() => suspended(bad.accountId), { timeout: WAIT_MS }).toBe(true);
    expect(await suspended(head.accountId)).toBe(false);
    expect(await suspended(good.accountId)).toBe(false);
    await perform(suspendAccount(Number(head.accountId), true, 'All.'));
    await perform(resumeAccount(Number(head.accountId), 'Over.'));
    await expect.poll(() => suspended(good.accountId), { timeout: WAIT_MS }).toBe(false);
    expect(await suspended(bad.accountId)).toBe(true);
    await perform(resumeAccount(Number(bad.accountId), 'Over too.'));
    await expect.poll(() => suspended(bad.accountId), { timeout: WAIT_MS }).toBe(false);
  });

  it('a sub-account that is opened meanwhile begins suspended', async () => {
    const head = await main();
    await perform(suspendAccount(Number(head.accountId), true, 'First.'));
    expect(codeOf(await desk.post(head, 'sub_account/create', { label: 'late' }))).toBe('3011');
    const { id } = await desk.server.ctx.db
      .insertInto('tradingAccounts')
      .values({ userId: head.userId, parentAccountId: head.accountId, label: 'past the api' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await expect.poll(() => suspended(id), { timeout: WAIT_MS }).toBe(true);
  });

  it('with its owner: the whole family stops, and what is closed or suspended does not come back', async () => {
    const { ctx } = desk.server;
    const setActive = (isActive: boolean) =>
      ctx.db.updateTable('users').set({ isActive }).where('id', '=', head.userId).execute();
    const head = await main();
    const [live, bad, gone] = [
      await open(head, 'live'),
      await open(head, 'bad'),
      await open(head, 'gone'),
    ];
    const hand = await keyOf(head, live);
    await desk.venue.fund(BigInt(live.accountId), RICH);
    await desk.place(hand, { price: '60000.00' });
    resultOf(await desk.delete(head, 'sub_account/close', { accountId: gone.accountId }));
    await perform(suspendAccount(Number(bad.accountId), true, 'Only this one.'));
    await setActive(false);
    for (const one of [head, hand])
      expect(codeOf(await desk.get(one, 'account/info'))).toBe('3002');
    for (const id of [head.accountId, live.accountId]) {
      await expect.poll(() => suspended(id), { timeout: WAIT_MS }).toBe(true);
    }
    await setActive(true);
    for (const id of [head.accountId, live.accountId]) {
      await expect.poll(() => suspended(id), { timeout: WAIT_MS }).toBe(false);
    }
    expect(resultOf(await desk.get(hand, 'order/open'))).toEqual([]);
    expect(await suspended(bad.accountId)).toBe(true);
    expect(await suspended(gone.accountId)).toBe(true);
  });
});
