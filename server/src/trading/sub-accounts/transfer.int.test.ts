// Transfers within a family, attacked: by others, twice, at the same time, too much, and cut off in the middle.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Permission } from '../../accounts/trading-keys/key.ts';
import { RICH } from '../../testing/live-venue.ts';
import { exampleTrader, type Trader, type TradingAnswer } from '../../testing/trader.ts';
import { codeOf, openDesk, resultOf, type Desk } from '../../testing/trading/desk.ts';
import { startTestEngine, startTestServer } from '../../testing/server.ts';
import type { LedgerEntry } from '../account/ledger.ts';
import { suspendAccount } from '../operators/acts.ts';
import { createSubAccount } from './actions.ts';
import type { Transfer } from './shapes.ts';

const ALL: readonly Permission[] = ['read', 'trade', 'transfer'];

let desk: Desk;
let head: Trader;
let left: Trader;
let right: Trader;
let stranger: Trader;

beforeAll(async () => {
  desk = await openDesk({}, { phase: 'continuous' });
  head = await desk.trader(RICH, { permissions: ALL });
  left = await openSub(head, 'left');
  right = await openSub(head, 'right');
  stranger = await desk.trader(RICH, { permissions: ALL });
});
afterAll(() => desk.close());

async function openSub({ accountId, userId }: Trader, label: string): Promise<Trader> {
  const { ctx } = desk.server;
  const { account } = await createSubAccount(ctx, { id: accountId, userId }, label);
  return exampleTrader(ctx, { userId, accountId: account.id, permissions: ALL });
}

type Asked = Partial<Record<'amount' | 'coin' | 'clientTransferId', string>>;

const paramsOf = (from: Trader, to: Trader, asked: Asked = {}) => ({
  fromAccountId: String(from.accountId),
  toAccountId: String(to.accountId),
  coin: 'usdt',
  amount: '5',
  clientTransferId: randomUUID(),
  ...asked,
});

const transfer = (by: Trader, from: Trader, to: Trader, asked: Asked = {}) =>
  desk.post(by, 'sub_account/transfer', paramsOf(from, to, asked));

async function available(of: Trader, coin = 'usdt'): Promise<string> {
  const rows = resultOf<{ available: string }[]>(await desk.get(of, 'account/balances', { coin }));
  return rows[0]?.available ?? '';
}

const isReplay = ({ headers }: TradingAnswer): boolean =>
  headers.get('x-svc-idempotent-replay') === 'true';

describe('a transfer', () => {
  it('moves money, with an entry on both sides, and is listed for both', async () => {
    const answer = await transfer(head, head, left, {
      amount: '250.500000000000000001',
      clientTransferId: 'first',
    });
    const made = resultOf<Transfer>(answer);
    expect(made).toEqual({
      transferId: expect.stringMatching(/^T\d+$/) as string,
      clientTransferId: 'first',
      fromAccountId: String(head.accountId),
      toAccountId: String(left.accountId),
      coin: 'usdt',
      amount: '250.500000000000000001',
      status: 'completed',
      createdAt: expect.stringMatching(/^\d{13}$/) as string,
      completedAt: expect.stringMatching(/^\d{13}$/) as string,
    });
    expect(isReplay(answer)).toBe(false);
    expect(await available(left)).toBe('250.500000000000000001');
    for (const [of, direction] of [
      [head, 'out'],
      [left, 'in'],
    ] as const) {
      const { items } = resultOf<{ items: LedgerEntry[] }>(
        await desk.get(of, 'account/ledger', { kind: 'transfer' }),
      );
      expect(items).toMatchObject([
        {
          direction,
          amount: made.amount,
          referenceType: 'transfer',
          referenceId: made.transferId,
        },
      ]);
    }
    const listed = async (of: Trader) =>
      resultOf<{ items: Transfer[] }>(await desk.get(of, 'sub_account/transfers')).items;
    expect(await listed(head)).toEqual([made]);
    expect(await listed(left)).toEqual([made]);
    expect(await listed(right)).toEqual([]);
    expect(await listed(stranger)).toEqual([]);
  });

  it('is made by the main account between any two, and by a sub-account from itself', async () => {
    await desk.venue.fund(left.accountId, { usdt: '100' });
    for (const answer of [
      await transfer(head, left, right),
      await transfer(head, right, head),
      await transfer(left, left, right),
      await transfer(left, left, head),
    ]) {
      expect(codeOf(answer)).toBe('');
    }
    const before = await available(right);
    for (const answer of [
      await transfer(left, right, left),
      await transfer(left, head, left),
      await transfer(left, right, head),
    ]) {
      expect(codeOf(answer)).toBe('3008');
    }
    expect(await available(right)).toBe(before);
  });

  it('needs the permission', async () => {
    const { ctx } = desk.server;
    const reader = await exampleTrader(ctx, {
      userId: head.userId,
      permissions: ['read', 'trade'],
    });
    expect(codeOf(await transfer(reader, head, left))).toBe('3008');
  });

  it("with another's account is answered as with a number that nobody has, from and to", async () => {
    const nobody = { ...stranger, accountId: 999_999_999n };
    const before = await available(stranger);
    for (const pair of [
      (other: Trader) => transfer(head, other, head),
      (other: Trader) => transfer(head, head, other),
      (other: Trader) => transfer(left, other, left),
      (other: Trader) => transfer(left, left, other),
    ]) {
      const [theirs, none] = [await pair(stranger), await pair(nobody)];
      expect(codeOf(theirs)).toBe('7001');
      expect([theirs.status, theirs.body.error]).toEqual([none.status, none.body.error]);
    }
    expect(codeOf(await transfer(head, stranger, stranger))).toBe('2009');
    expect(await available(stranger)).toBe(before);
  });

  it('cannot leave the family, even if the code were wrong', async () => {
    const { ctx } = desk.server;
    const { id: commandId } = await ctx.db
      .selectFrom('operatorCommands')
      .select('id')
      .limit(1)
      .executeTakeFirstOrThrow();
    await expect(
      ctx.db
        .insertInto('accountTransfers')
        .values({
          accountId: head.accountId,
          clientTransferId: 'stolen',
          familyId: head.accountId,
          fromAccountId: stranger.accountId,
          toAccountId: head.accountId,
          coin: 'usdt',
          amount: '1',
          keyId: head.keyId,
          commandId,
          createdAt: new Date(),
        })
        .execute(),
    ).rejects.toThrow('foreign key');
  });

  it.each([
    ['the same account twice', { to: 'head' }, '2009'],
    ['nothing', { amount: '0' }, '2003'],
    ['zeros', { amount: '0.000000000000000000' }, '2003'],
    ['less than nothing', { amount: '-5' }, '2002'],
    ['too many decimals', { amount: '1.0000000000000000001' }, '2002'],
    ['an exponent', { amount: '1e3' }, '2002'],
    ['more than a ledger holds', { amount: '99999999999999999999' }, '2003'],
    ['an unknown coin', { coin: 'doge' }, '4002'],
    ['more than there is', { amount: '10000001' }, '5001'],
    ['an empty id', { clientTransferId: '' }, '2001'],
    ['an id that is too long', { clientTransferId: 'x'.repeat(37) }, '2002'],
    ['an id with a line feed', { clientTransferId: 'a\nb' }, '2002'],
  ])('of %s is refused', async (_name, { to, ...asked }: Asked & { to?: string }, code) => {
    const before = await available(head);
    expect(codeOf(await transfer(head, head, to === 'head' ? head : left, asked))).toBe(code);
    expect(await available(head)).toBe(before);
  });

  it('of held money is refused, and says what is available', async () => {
    const holder = await desk.trader({ btc: '1' }, { permissions: ALL });
    const sub = await openSub(holder, 'sub');
    await desk.place(holder, { side: 'sell', price: '70000.00', volume: '0.600000' });
    const { body } = await transfer(holder, holder, sub, { coin: 'btc', amount: '0.5' });
    expect(body.error).toMatchObject({
      code: '5001',
      details: { coin: 'btc', required: '0.5', available: '0.4' },
    });
    expect(codeOf(await transfer(holder, holder, sub, { coin: 'btc', amount: '0.4' }))).toBe('');
  });

  it('out of a suspended account is refused, by its own key and by that of the main account', async () => {
    const owner = await desk.trader(RICH, { permissions: ALL });
    const sub = await openSub(owner, 'sub');
    await desk.venue.fund(sub.accountId, { usdt: '10' });
    await desk.venue.perform(suspendAccount(Number(sub.accountId), false, 'For the test.'));
    // Until the table says so, the engine refuses it.
    expect(codeOf(await transfer(owner, sub, owner))).toBe('3011');
    await expect.poll(async () => codeOf(await transfer(sub, sub, owner))).toBe('3011');
    expect(codeOf(await transfer(owner, sub, owner))).toBe('3011');
    expect(await available(sub)).toBe('10');
    await desk.venue.perform(suspendAccount(Number(owner.accountId), false, 'All.'));
    await expect.poll(async () => codeOf(await transfer(owner, owner, sub))).toBe('3011');
  });
});

describe('a clientTransferId', () => {
  it('with the same terms answers the transfer that was made, and moves nothing again', async () => {
    const asked = { amount: '7', clientTransferId: 'again' };
    const first = await transfer(head, head, left, asked);
    const before = await available(head);
    const second = await transfer(head, head, left, { ...asked, amount: '7.000', coin: 'USDT' });
    expect(isReplay(second)).toBe(true);
    expect(resultOf(second)).toEqual(resultOf(first));
    expect(await available(head)).toBe(before);
  });

  it('with other terms is refused, whichever differs', async () => {
    const asked = { amount: '7', clientTransferId: 'fixed' };
    resultOf(await transfer(head, head, left, asked));
    const before = await available(head);
    for (const answer of [
      await transfer(head, head, right, asked),
      await transfer(head, left, head, asked),
      await transfer(head, head, left, { ...asked, amount: '8' }),
      await transfer(head, head, left, { ...asked, coin: 'btc' }),
    ]) {
      expect(codeOf(answer)).toBe('5011');
      expect(answer.status).toBe(409);
    }
    expect(await available(head)).toBe(before);
  });

  it('belongs to the account that asked: others use it freely', async () => {
    const asked = { amount: '1', clientTransferId: 'mine' };
    const mine = resultOf<Transfer>(await transfer(head, head, left, asked));
    const theirs = await transfer(left, left, head, asked);
    expect(isReplay(theirs)).toBe(false);
    expect(resultOf<Transfer>(theirs).transferId).not.toBe(mine.transferId);
  });

  it('is free again after a refusal, for the same terms and for others', async () => {
    const owner = await desk.trader({ usdt: '1' }, { permissions: ALL });
    const sub = await openSub(owner, 'sub');
    const asked = { amount: '10', clientTransferId: 'later' };
    expect(codeOf(await transfer(owner, owner, sub, asked))).toBe('5001');
    expect(resultOf(await desk.get(owner, 'sub_account/transfers'))).toMatchObject({ items: [] });
    await desk.venue.fund(owner.accountId, { usdt: '20' });
    const made = await transfer(owner, owner, sub, { ...asked, amount: '11' });
    expect(isReplay(made)).toBe(false);
    expect(await available(sub)).toBe('11');
    expect(codeOf(await transfer(owner, owner, sub, asked))).toBe('5011');
  });

  it('that many use at the same time moves money once', async () => {
    const before = Number(await available(right));
    const answers = await Promise.all(
      Array.from({ length: 12 }, () =>
        transfer(head, head, right, { amount: '3', clientTransferId: 'storm' }),
      ),
    );
    expect(answers.map(codeOf)).toEqual(answers.map(() => ''));
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1);
    expect(Number(await available(right))).toBe(before + 3);
  });

  it('of transfers that together are too much: as many are made as there is money for', async () => {
    const owner = await desk.trader({ usdt: '10' }, { permissions: ALL });
    const sub = await openSub(owner, 'sub');
    const answers = await Promise.all(
      Array.from({ length: 9 }, () => transfer(owner, owner, sub, { amount: '3' })),
    );
    expect(answers.map(codeOf).sort()).toEqual(['', '', '', ...Array(6).fill('5001')]);
    expect([await available(owner), await available(sub)]).toEqual(['1', '9']);
  });
});

it('pages list every transfer once, in order, and a cursor of another account is refused', async () => {
  const owner = await desk.trader({ usdt: '100' }, { permissions: ALL });
  const sub = await openSub(owner, 'sub');
  for (let n = 0; n < 7; n += 1) {
    resultOf(await transfer(owner, owner, sub, { amount: '1', clientTransferId: `p${n}` }));
  }
  const seen: string[] = [];
  let cursor = '';
  do {
    const page = resultOf<{ items: Transfer[]; nextCursor: string }>(
      await desk.get(owner, 'sub_account/transfers', {
        limit: '3',
        sort: 'asc',
        ...(cursor === '' ? {} : { cursor }),
      }),
    );
    seen.push(...page.items.map((one) => one.clientTransferId));
    if (page.nextCursor !== '') {
      const foreign = await desk.get(stranger, 'sub_account/transfers', {
        limit: '3',
        cursor: page.nextCursor,
      });
      expect(codeOf(foreign)).toBe('2011');
    }
    cursor = page.nextCursor;
  } while (cursor !== '');
  expect(seen).toEqual(['p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6']);
});

it('cut off between command and answer: a repeat tells what came of it, and any process answers it', async () => {
  // Without an engine at first, as if it had died after the command was written.
  const server = await startTestServer({ settings: { ENGINE_ANSWER_MS: '300' } });
  try {
    const { ctx } = server;
    const owner = await exampleTrader(ctx, { permissions: ALL });
    const head2 = { id: owner.accountId, userId: owner.userId };
    const { account } = await createSubAccount(ctx, head2, 'sub');
    await ctx.db
      .insertInto('coins')
      .values({ symbol: 'usdt', nameEn: 'Tether', nameFa: 'تتر' })
      .execute();
    await ctx.db
      .insertInto('operatorCommands')
      .values(
        [
          { command: '{"type":"list_coin","coin":"usdt","networks":["SIMULATED"]}' },
          {
            command: `{"type":"credit_deposit","depositId":"d","network":"SIMULATED","coin":"usdt","to":${owner.accountId},"amount":"9"}`,
          },
        ].map((row) => ({ ...row, requestedBy: 'test' })),
      )
      .execute();
    const ask = (amount: string) =>
      owner.call(`${server.baseUrl}/private/sub_account/transfer`, {
        method: 'POST',
        params: {
          fromAccountId: String(owner.accountId),
          toAccountId: String(account.id),
          coin: 'usdt',
          amount,
          clientTransferId: 'half',
        },
      });
    const units = '0.000000000000000004';
    expect(codeOf(await ask(units))).toBe('1003');
    expect(codeOf(await ask(units))).toBe('1003');
    // Whether it will be made is open, so its id is taken.
    expect(codeOf(await ask('0.000000000000000005'))).toBe('5011');
    const engine = await startTestEngine(ctx);
    try {
      await expect.poll(async () => codeOf(await ask(units)), { timeout: 10_000 }).toBe('');
      const again = await ask(units);
      expect(isReplay(again)).toBe(true);
      expect(resultOf<Transfer>(again)).toMatchObject({ status: 'completed', amount: units });
    } finally {
      await engine.stop();
    }
  } finally {
    await server.close();
  }
}, 60_000);
