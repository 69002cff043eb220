// The private routes under /json/v1: a browser's session opens them, without a signature.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLE } from '../../accounts/roles.ts';
import { endOwnSessions } from '../../accounts/sessions/actions.ts';
import { examplePerson } from '../../testing/example.ts';
import { RICH } from '../../testing/live-venue.ts';
import { signIn } from '../../testing/session.ts';
import { exampleTrader, send } from '../../testing/trader.ts';
import { codeOf, LIMIT, openDesk, resultOf, type Desk } from '../../testing/trading/desk.ts';
import type { Order } from '../orders/order.ts';
import { ROUTES } from '../routes.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk({}, { phase: 'continuous' });
});
afterAll(() => desk.close());

const accountsOf = async (userId: number) =>
  desk.server.ctx.db
    .selectFrom('tradingAccounts')
    .select('id')
    .where('userId', '=', userId)
    .execute();

/** Somebody with money and a session, and without a key. */
async function exampleClient() {
  const person = await examplePerson(desk.server.ctx);
  const session = await signIn(desk.server, person);
  const { accountId } = resultOf<{ accountId: string }>(
    await session.ask('GET', '/json/v1/private/account/info'),
  );
  await desk.venue.fund(BigInt(accountId), RICH);
  const ask: typeof session.ask = (method, path, ...rest) =>
    session.ask(method, `/json/v1/private/${path}`, ...rest);
  return { person, accountId, session, ask };
}

describe('a session', () => {
  it('trades as its owner, without a signature', async () => {
    const { ask } = await exampleClient();
    const order = resultOf<Order>(
      await ask('POST', 'order/create', { ...LIMIT, price: '6000.00' }),
    );
    expect(order).toMatchObject({ status: 'open', symbol: 'btcusdt' });
    const [found] = resultOf<Order[]>(await ask('GET', 'order/open'));
    expect(found?.orderId).toBe(order.orderId);
    const { orderId } = order;
    expect(resultOf(await ask('DELETE', 'order/cancel', { orderId }))).toMatchObject({ orderId });
  });

  it('takes JSON as well, with the token in the header or among the members', async () => {
    const { session } = await exampleClient();
    const url = `${desk.server.origin}/json/v1/private/order/create`;
    const order = { ...LIMIT, price: '6000.00' };
    const post = (body: object, headers: Record<string, string>) =>
      send(url, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { cookie: session.cookie, 'content-type': 'application/json', ...headers },
      });
    const token = session.csrfToken;
    expect(codeOf(await post(order, { 'x-csrftoken': token }))).toBe('');
    expect(codeOf(await post({ ...order, csrfmiddlewaretoken: token }, {}))).toBe('');
    expect(codeOf(await post(order, {}))).toBe('3013');
  });

  it('opens the account on first use, once', async () => {
    const person = await examplePerson(desk.server.ctx);
    const session = await signIn(desk.server, person);
    expect(await accountsOf(person.id)).toEqual([]);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => session.ask('GET', '/json/v1/private/account/info')),
    );
    expect(answers.map(codeOf)).toEqual(answers.map(() => ''));
    expect(await accountsOf(person.id)).toHaveLength(1);
  });

  it('of a guest opens none, but reaches one that is there', async () => {
    const guest = await examplePerson(desk.server.ctx, { role: ROLE.guest });
    const session = await signIn(desk.server, guest);
    for (const { method, path, access } of ROUTES) {
      if (access === 'public') continue;
      const answer = await session.ask(method, `/json/v1${path}`);
      expect([path, codeOf(answer)]).toEqual([path, '3008']);
    }
    expect(await accountsOf(guest.id)).toEqual([]);
    const { accountId } = await exampleTrader(desk.server.ctx, { userId: guest.id });
    const answer = await session.ask('GET', '/json/v1/private/account/info');
    expect(resultOf(answer)).toMatchObject({ accountId: String(accountId) });
  });

  it('has no nonce', async () => {
    const { ask } = await exampleClient();
    const answer = await ask('GET', 'account/balances', { nonce: '1' });
    expect(codeOf(answer)).toBe('2004');
    expect(answer.body.error?.details).toMatchObject({ parameter: 'nonce' });
    expect(codeOf(await ask('POST', 'order/create', { ...LIMIT, nonce: '1' }))).toBe('2004');
  });

  describe('that states its time', () => {
    const ORDER = { ...LIMIT, price: '6000.00' };
    const ago = (ms: number) => String(Date.now() - ms);

    it.each<[string, () => Record<string, string>]>([
      ['now', () => ({ timestamp: ago(0) })],
      ['a while ago, with a wide window', () => ({ timestamp: ago(20_000), recvWindow: '60000' })],
      ['only as a window', () => ({ recvWindow: '5000' })],
    ])('%s, places its order', async (_when, timing) => {
      const { ask } = await exampleClient();
      const order = resultOf(await ask('POST', 'order/create', { ...ORDER, ...timing() }));
      expect(order).toMatchObject({ status: 'open' });
      expect(codeOf(await ask('GET', 'order/open', timing()))).toBe('');
    });

    it.each<[string, string, () => Record<string, string>]>([
      ['longer ago than its window', '3006', () => ({ timestamp: ago(6000) })],
      ['longer ago than it allows', '3006', () => ({ timestamp: ago(2000), recvWindow: '1000' })],
      ['ahead of the server', '3006', () => ({ timestamp: ago(-60_000) })],
      ['in seconds', '3005', () => ({ timestamp: ago(0).slice(0, 10) })],
      ['with a window out of range', '2003', () => ({ timestamp: ago(0), recvWindow: '60001' })],
    ])('%s, is refused with %s and places nothing', async (_when, code, timing) => {
      const { ask } = await exampleClient();
      expect(codeOf(await ask('POST', 'order/create', { ...ORDER, ...timing() }))).toBe(code);
      expect(resultOf(await ask('GET', 'order/open'))).toEqual([]);
    });

    it('too long ago learns the time of the server, as a program with a key does', async () => {
      const { ask } = await exampleClient();
      const answer = await ask('POST', 'order/create', { ...ORDER, timestamp: ago(6000) });
      const details = answer.body.error?.details;
      expect(details).toMatchObject({ recvWindow: '5000' });
      expect(Number(details?.['serverTime'])).toBeGreaterThan(Date.now() - 60_000);
    });

    it('twice, is refused', async () => {
      const { session } = await exampleClient();
      const url = `${desk.server.origin}/json/v1/private/order/create`;
      const body = `${new URLSearchParams(ORDER).toString()}&timestamp=${ago(0)}&timestamp=${ago(0)}`;
      const headers = {
        cookie: session.cookie,
        'x-csrftoken': session.csrfToken,
        'content-type': 'application/x-www-form-urlencoded',
      };
      expect(codeOf(await send(url, { method: 'POST', body, headers }))).toBe('2005');
    });
  });

  it('that has ended, or was never there, is refused', async () => {
    const { person, ask } = await exampleClient();
    const url = `${desk.server.origin}/json/v1/private/account/info`;
    for (const cookie of ['', 'sessionid=', `sessionid=${'A'.repeat(43)}`, 'sessionid=%00; x=1']) {
      const answer = await send(url, { headers: { cookie } });
      expect([answer.status, codeOf(answer)]).toEqual([401, '3012']);
    }
    await endOwnSessions(desk.server.ctx, person);
    expect(codeOf(await ask('GET', 'account/info'))).toBe('3012');
    expect(codeOf(await ask('POST', 'order/create', LIMIT))).toBe('3012');
  });

  it('of a deactivated person is refused, with the reason', async () => {
    const { person, ask } = await exampleClient();
    await desk.server.ctx.db
      .updateTable('users')
      .set({ isActive: false })
      .where('id', '=', person.id)
      .execute();
    const answer = await ask('GET', 'account/info');
    expect(answer.body.error).toMatchObject({ code: '3012', details: { reason: 'deactivated' } });
  });

  it('is named by what it did', async () => {
    const { person, accountId, ask } = await exampleClient();
    const sub = resultOf<{ accountId: string }>(
      await ask('POST', 'sub_account/create', { label: 'by hand' }),
    );
    resultOf(
      await ask('POST', 'sub_account/transfer', {
        fromAccountId: accountId,
        toAccountId: sub.accountId,
        coin: 'usdt',
        amount: '1',
        clientTransferId: 'by-hand',
      }),
    );
    const { rows } = await desk.server.owner.query(
      `SELECT operator, details::json->>'via' AS via FROM audit_log
        WHERE act = 'sub_account create' AND operator = $1`,
      [person.email],
    );
    expect(rows).toEqual([{ operator: person.email, via: 'session' }]);
    const transfers = await desk.server.owner.query(
      `SELECT t.key_id, c.requested_by FROM account_transfers t JOIN operator_commands c ON c.id = t.command_id
        WHERE t.account_id = $1`,
      [accountId],
    );
    expect(transfers.rows).toEqual([
      {
        key_id: expect.stringMatching(/^session-\d+$/) as string,
        requested_by: expect.stringMatching(/^session \d+$/) as string,
      },
    ]);
  });
});

describe('the tree of sessions', () => {
  it('has private routes only, and answers in the envelope', async () => {
    const { session, ask } = await exampleClient();
    const none = await session.ask('GET', '/json/v1/public/ping');
    expect([none.status, codeOf(none)]).toEqual([404, '1004']);
    const wrong = await ask('DELETE', 'order/create');
    expect([wrong.status, codeOf(wrong)]).toEqual([405, '1005']);
    expect(wrong.headers.get('allow')).toBe('OPTIONS, POST');
    const head = await ask('HEAD', 'account/info');
    expect([head.status, head.text]).toEqual([200, '']);
    const { body } = await ask('GET', 'account/info');
    expect(Object.keys(body)).toEqual(['status', 'serverTime', 'result']);
  });

  it('says nothing to pages of other sites', async () => {
    const { ask } = await exampleClient();
    const url = `${desk.server.origin}/json/v1/private/order/create`;
    const preflight = await send(url, {
      method: 'OPTIONS',
      headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(204);
    const answers = [
      preflight,
      await ask('GET', 'account/info', {}, { origin: 'https://elsewhere.example' }),
      await ask('GET', 'account/info'),
    ];
    for (const { headers } of answers) {
      const cors = [...headers.keys()].filter((name) => name.startsWith('access-control'));
      expect(cors).toEqual([]);
    }
  });
});

it('sessions and keys of an account share its window, and all share that of the address', async () => {
  const limited = await openDesk({ settings: { TRADING_RATE_LIMIT: '6' } });
  const { server } = limited;
  try {
    const person = await examplePerson(server.ctx);
    const key = await exampleTrader(server.ctx, { userId: person.id });
    const session = await signIn(server, person);
    const { windows } = server.ctx;
    const rule = { limit: 6, windowMs: 1000 };
    for (let n = 0; n < 6; n += 1) await windows.admit(`trading:account:${key.accountId}`, rule);
    const bySession = await session.ask('GET', '/json/v1/private/account/info');
    expect(bySession.body.error).toMatchObject({ code: '6001', details: { scope: 'account' } });
  } finally {
    await limited.close();
  }
});
