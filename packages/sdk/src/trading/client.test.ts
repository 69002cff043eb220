// The trading client against a server that answers as it is told: retries, doubt, the clock, limits, aborts.
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { NetworkError, RialtoError, TradingError } from '../errors.ts';
import type { Attempt } from '../options.ts';
import { refuse, startScripted, succeed, type Reaction, type Script } from '../test-server.ts';
import { Trading, type TradingOptions } from './client.ts';

const LIMIT = {
  symbol: 'btcusdt',
  side: 'buy',
  type: 'limit',
  price: '64000.00',
  volume: '0.01',
} as const;

async function open(script: Script, options: Partial<TradingOptions> = {}) {
  const server = await startScripted(script);
  const trading = new Trading({
    url: server.url,
    key: 'svc_key_1',
    secret: 'secret',
    retry: { attempts: 4, pauseMaxMs: 5 },
    ...options,
  });
  return { server, trading };
}

/** The reactions one after the other; the last one from then on. */
const inTurn =
  (...reactions: readonly Reaction[]): Script =>
  (_request, number) =>
    reactions[Math.min(number, reactions.length) - 1] as Reaction;

/** A port at which nobody listens. */
async function closedPort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  return port;
}

const failureOf = async (call: Promise<unknown>): Promise<RialtoError> => {
  const error: unknown = await call.then(
    () => 'no error',
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(RialtoError);
  return error as RialtoError;
};

describe('reads', () => {
  it.each<[string, Reaction]>([
    ['the connection was cut', 'cut'],
    ['the server is starting', refuse(503, '1001', 'UNAVAILABLE')],
    ['the server failed', refuse(500, '1000', 'INTERNAL')],
    [
      'a proxy answered',
      { status: 502, headers: { 'Content-Type': 'text/html' }, body: '<h1>502' },
    ],
    ['too many were sent', refuse(429, '6001', 'RATE_LIMITED', { retryAfterMs: '20' })],
  ])('are repeated when %s', async (_what, reaction) => {
    const { server, trading } = await open(inTurn(reaction, reaction, succeed('pong')));
    expect(await trading.public.ping()).toBe('pong');
    expect(server.received).toHaveLength(3);
  });

  it('end after the attempts that are allowed, and the error says how many', async () => {
    const { server, trading } = await open(() => 'cut');
    const error = await failureOf(trading.public.ping());
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({
      code: 'NETWORK',
      attempts: 4,
      isRetryable: true,
      outcome: 'unknown',
    });
    expect(server.received).toHaveLength(4);
  });

  it('are asked once when the caller wants that, or when the refusal will not pass', async () => {
    const { server, trading } = await open(inTurn('cut', refuse(404, '4001', 'UNKNOWN_SYMBOL')));
    await failureOf(trading.public.ping({}, { retry: false }));
    expect(server.received).toHaveLength(1);
    const error = await failureOf(trading.public.depth({ symbol: 'btcxyz' }));
    expect(server.received).toHaveLength(2);
    expect(error).toBeInstanceOf(TradingError);
    expect(error).toMatchObject({
      name: 'UNKNOWN_SYMBOL',
      code: '4001',
      status: 404,
      message: 'Refused: UNKNOWN_SYMBOL.',
      requestId: 'req-1',
      outcome: 'none',
      isRetryable: false,
      attempts: 1,
      documentation: `${server.url}/docs/errors/4001/`,
    });
  });

  it('go nowhere when they are redirected: a credential would follow', async () => {
    const { server, trading } = await open(() => ({
      status: 302,
      headers: { Location: 'http://127.0.0.1:1/elsewhere' },
      body: '',
    }));
    await failureOf(trading.account.info({}, { retry: false }));
    expect(server.received).toHaveLength(1);
  });
});

it('the page about an error is the one that the server links to', async () => {
  const { server, trading } = await open(() =>
    refuse(404, '4001', 'UNKNOWN_SYMBOL', {}, { Link: '</help/4001>; rel="help"' }),
  );
  const { documentation } = await failureOf(trading.public.depth({ symbol: 'btcxyz' }));
  expect(documentation).toBe(`${server.url}/help/4001`);
});

describe('limits in time', () => {
  it('a silent server is given up after the time that was set', async () => {
    const { trading } = await open(() => 'silence');
    const error = await failureOf(trading.public.ping({}, { timeoutMs: 50, retry: false }));
    expect(error).toMatchObject({ code: 'TIMEOUT', outcome: 'unknown' });
  });

  it('a longer pause than there is time for is not begun', async () => {
    const { server, trading } = await open(
      inTurn(refuse(429, '6001', 'RATE_LIMITED', {}, { 'Retry-After': '3600' })),
    );
    const error = await failureOf(trading.public.ping());
    expect(error).toMatchObject({ code: '6001', retryAfterMs: 3_600_000 });
    expect(server.received).toHaveLength(1);
  });

  it('the server is not asked before the time that it named', async () => {
    const times: number[] = [];
    const { trading } = await open((_request, number) => {
      times.push(performance.now());
      return number === 1
        ? refuse(429, '6001', 'RATE_LIMITED', { retryAfterMs: '150' })
        : succeed('pong');
    });
    await trading.public.ping();
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(150);
  });

  it('a daily ceiling is no reason to try again', async () => {
    const { server, trading } = await open(() => refuse(429, '6003', 'ORDER_QUOTA'));
    await failureOf(trading.order.create(LIMIT));
    expect(server.received).toHaveLength(1);
  });
});

describe('an abort', () => {
  it('ends a call that waits for its answer, with the reason that was given', async () => {
    const ending = new AbortController();
    const { server, trading } = await open(() => {
      ending.abort(new Error('enough'));
      return 'silence';
    });
    await expect(trading.public.ping({}, { signal: ending.signal })).rejects.toThrow('enough');
    expect(server.received).toHaveLength(1);
  });

  it('ends the pause between two attempts', async () => {
    const ending = new AbortController();
    const { trading } = await open(() => {
      setTimeout(() => ending.abort(new Error('enough')), 20);
      return refuse(429, '6001', 'RATE_LIMITED', { retryAfterMs: '25000' });
    });
    await expect(trading.public.ping({}, { signal: ending.signal })).rejects.toThrow('enough');
  });

  it('before the call sends nothing', async () => {
    const { server, trading } = await open(() => succeed('pong'));
    await expect(trading.public.ping({}, { signal: AbortSignal.abort() })).rejects.toThrow(
      /abort/i,
    );
    expect(server.received).toHaveLength(0);
  });
});

describe('an order', () => {
  it('gets an id, and is repeated under the same id with a new signature', async () => {
    const { server, trading } = await open(inTurn('cut', 'cut', succeed({ orderId: '1' })));
    expect(await trading.order.create(LIMIT)).toMatchObject({ orderId: '1' });
    const sent = server.received.map(({ form }) => form.get('clientOrderId'));
    expect(new Set(sent).size).toBe(1);
    expect(sent[0]).toMatch(/^[A-Za-z0-9._:/-]{1,36}$/);
    const signatures = server.received.map(({ headers }) => headers['x-svc-signature']);
    expect(new Set(signatures).size).toBe(3);
  });

  it("keeps the caller's id, in a batch too", async () => {
    const { server, trading } = await open(() => succeed([]));
    await trading.order.createBatch({ orders: [{ ...LIMIT, clientOrderId: 'mine' }, LIMIT] });
    const orders = JSON.parse(server.received[0]?.form.get('orders') ?? '') as {
      clientOrderId: string;
    }[];
    expect(orders[0]?.clientOrderId).toBe('mine');
    expect(orders[1]?.clientOrderId).toMatch(/^[0-9a-f]{32}$/);
  });

  it('whose answer was lost and that is refused then is looked up before the refusal is believed', async () => {
    const { server, trading } = await open(
      inTurn('cut', refuse(409, '5001', 'INSUFFICIENT_FUNDS'), succeed({ orderId: '7' })),
    );
    expect(await trading.order.create(LIMIT)).toEqual({ orderId: '7' });
    const [first, , third] = server.received;
    expect(third?.path).toBe('/v1/private/order/get');
    expect(third?.query.get('clientOrderId')).toBe(first?.form.get('clientOrderId'));
  });

  it('that cannot be found afterwards stays in doubt while the engine may still take it', async () => {
    const { trading } = await open(
      inTurn(
        'cut',
        refuse(409, '5001', 'INSUFFICIENT_FUNDS'),
        refuse(404, '4011', 'ORDER_NOT_FOUND'),
      ),
    );
    expect(await failureOf(trading.order.create(LIMIT))).toMatchObject({
      code: '5001',
      outcome: 'unknown',
      attempts: 2,
    });
  });

  it('that cannot be found after its window was not placed', async () => {
    const script: Script = (_request, number) => {
      if (number === 1) return 'cut';
      // The server's clock goes on by a minute.
      if (number === 2)
        return refuse(409, '5001', 'INSUFFICIENT_FUNDS', { serverTime: Date.now() + 60_000 });
      return refuse(404, '4011', 'ORDER_NOT_FOUND', { serverTime: Date.now() + 60_000 });
    };
    const { trading } = await open(script);
    expect(await failureOf(trading.order.create(LIMIT))).toMatchObject({ outcome: 'none' });
  });

  it('that is refused at once is not looked up', async () => {
    const { server, trading } = await open(() => refuse(409, '5001', 'INSUFFICIENT_FUNDS'));
    expect(await failureOf(trading.order.create(LIMIT))).toMatchObject({ outcome: 'none' });
    expect(server.received).toHaveLength(1);
  });

  it('that was canceled by an attempt without an answer counts as canceled', async () => {
    const order = { orderId: '3', status: 'canceled' };
    const { trading } = await open(inTurn('cut', refuse(409, '4013', 'ORDER_FINAL', { order })));
    expect(await trading.order.cancel({ orderId: '3' })).toEqual(order);
  });

  it('that was filled before it could be canceled is a refusal', async () => {
    const order = { orderId: '3', status: 'filled' };
    const { trading } = await open(inTurn('cut', refuse(409, '4013', 'ORDER_FINAL', { order })));
    expect(await failureOf(trading.order.cancel({ orderId: '3' }))).toMatchObject({ code: '4013' });
  });
});

describe('a write that the server cannot recognise', () => {
  it('is not repeated when its outcome is unknown', async () => {
    const { server, trading } = await open(() => 'cut');
    const error = await failureOf(trading.subAccount.create({ label: 'desk' }));
    expect(error).toMatchObject({ outcome: 'unknown', attempts: 1 });
    expect(server.received).toHaveLength(1);
  });

  it('is repeated when nothing was done', async () => {
    const { server, trading } = await open(
      inTurn(refuse(503, '1001', 'UNAVAILABLE'), succeed({ accountId: '5' })),
    );
    await trading.subAccount.create({ label: 'desk' });
    expect(server.received).toHaveLength(2);
  });

  it('is repeated when no connection was made', async () => {
    const trading = new Trading({
      url: `http://127.0.0.1:${await closedPort()}`,
      key: 'k',
      secret: 's',
      retry: { attempts: 3, pauseMaxMs: 1 },
    });
    expect(await failureOf(trading.subAccount.create({ label: 'desk' }))).toMatchObject({
      code: 'NETWORK',
      outcome: 'none',
      attempts: 3,
    });
  });
});

describe('the clock', () => {
  const AHEAD_MS = 120_000;
  const strict: Script = ({ form, query }) => {
    const serverTime = Date.now() + AHEAD_MS;
    const signed = Number(form.get('timestamp') ?? query.get('timestamp'));
    return Math.abs(serverTime - signed) < 5000
      ? succeed({ orderId: '1' }, serverTime)
      : refuse(400, '3006', 'TIMESTAMP_OUTSIDE_WINDOW', { serverTime, recvWindow: 5000 });
  };

  it('is set by a refusal, after which the call is repeated once', async () => {
    const { server, trading } = await open(strict, { retry: { attempts: 1 } });
    await trading.order.create(LIMIT);
    expect(server.received).toHaveLength(2);
    await trading.account.info();
    expect(server.received).toHaveLength(3);
    expect(Math.abs(trading.clock.offsetMs - AHEAD_MS)).toBeLessThan(2000);
  });

  it('is set by any answer, so that the first signed request is right', async () => {
    const { server, trading } = await open((request, number) =>
      number === 1 ? succeed('pong', Date.now() + AHEAD_MS) : strict(request, number),
    );
    await trading.public.ping();
    await trading.order.create(LIMIT);
    expect(server.received).toHaveLength(2);
  });

  it('that cannot be set ends in the refusal, after two attempts', async () => {
    const { server, trading } = await open(() => refuse(400, '3006', 'TIMESTAMP_OUTSIDE_WINDOW'));
    const error = await failureOf(trading.account.info());
    expect(error).toMatchObject({ code: '3006', attempts: 2 });
    expect(error.hint).toContain('clock');
    expect(server.received).toHaveLength(2);
  });
});

describe('lists in pages', () => {
  it('are gone through to the end, and no further than the loop', async () => {
    const page: Script = ({ query }) => {
      const from = Number(query.get('cursor') ?? 0);
      const items = [from, from + 1].map((id) => ({ orderId: String(id) }));
      return succeed({ items, nextCursor: from < 4 ? String(from + 2) : '' });
    };
    const { server, trading } = await open(page);
    const ids: string[] = [];
    for await (const { orderId } of trading.each('order.history', { symbol: 'btcusdt' })) {
      ids.push(orderId);
    }
    expect(ids).toEqual(['0', '1', '2', '3', '4', '5']);
    expect(server.received.every(({ query }) => query.get('symbol') === 'btcusdt')).toBe(true);
    for await (const { orderId } of trading.each('order.history')) if (orderId === '1') break;
    expect(server.received).toHaveLength(4);
  });
});

describe('what is reported', () => {
  it('is every attempt, without a secret, and a log that fails changes nothing', async () => {
    const attempts: Attempt[] = [];
    const { trading } = await open(inTurn('cut', succeed({ orderId: '1' })), {
      onAttempt: (one) => {
        attempts.push(one);
        throw new Error('The log is full.');
      },
    });
    await trading.order.create(LIMIT);
    expect(attempts).toMatchObject([
      { attempt: 1, path: '/v1/private/order/create', code: 'NETWORK', status: undefined },
      { attempt: 2, status: 200, code: undefined, againInMs: undefined },
    ]);
    expect(attempts[0]?.againInMs).toBeGreaterThan(0);
    expect(JSON.stringify(attempts)).not.toMatch(/secret|svc_key_1|signature/);
  });

  it('names an answer that is none of the server', async () => {
    const { trading } = await open(() => ({ body: '<html>Sign in to the hotel</html>' }));
    const error = await failureOf(trading.public.ping({}, { retry: false }));
    expect(error).toMatchObject({ code: 'BAD_ANSWER', status: 200, isRetryable: false });
    expect(error.message).toContain('Sign in to the hotel');
  });
});

it('a file comes as text, a document without an envelope as it is', async () => {
  const { trading } = await open(({ path }) =>
    path.endsWith('statement')
      ? { headers: { 'Content-Type': 'text/csv; charset=utf-8' }, body: 'time,amount\n' }
      : { body: { openapi: '3.1.0', paths: {} } },
  );
  expect(await trading.account.statement({ from: 1, to: 2, format: 'csv' })).toBe('time,amount\n');
  expect(await trading.public.swagger()).toMatchObject({ openapi: '3.1.0' });
});
