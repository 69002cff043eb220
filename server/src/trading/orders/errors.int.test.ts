// Provokes every error that a private endpoint documents, once, over HTTP. The table is compared
// with the document: a documented error without a case fails, and so does a case without a
// documented error.
import { setTimeout as delay } from 'node:timers/promises';
import { Type } from 'typebox';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { RICH } from '../../testing/live-venue.ts';
import {
  exampleTrader,
  hmacHex,
  send,
  type Trader,
  type TradingAnswer,
} from '../../testing/trader.ts';
import { createOwnKey, type AskedKey } from '../../accounts/trading-keys/own-keys.ts';
import { examplePerson } from '../../testing/example.ts';
import { signIn } from '../../testing/session.ts';
import { ABANDON, extendedPublicKey } from '../../testing/extended-keys.ts';
import { exampleVenue } from '../../testing/venue.ts';
import { openWorld } from '../../testing/chains/world.ts';
import { errorsOf } from '../docs/document.ts';
import { findError } from '../http/errors.ts';
import { tradingRoute } from '../http/route.ts';
import { suspendAccount } from '../operators/acts.ts';
import { ROUTES } from '../routes.ts';
import type { Order } from './order.ts';
import {
  codeOf,
  LIMIT,
  openDesk,
  resultOf,
  type Desk,
  type Params,
} from '../../testing/trading/desk.ts';

const fault = tradingRoute({
  name: 'testFault',
  method: 'GET',
  path: '/private/test/fault',
  access: 'read',
  summary: 'Breaks.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle() {
    throw new Error('broken on purpose');
  },
});

/** Short, since some tests wait for its end; long enough for a busy machine. */
const ANSWER_MS = 1000;

let desk: Desk;
/** The same API without an engine and with the given limit. */
let bare: TestServer;
beforeAll(async () => {
  desk = await openDesk(
    {
      tradingRoutes: [fault],
      stepUp: async () => {},
      settings: {
        TRADING_DAILY_ORDERS_MAX: '4',
        TRADING_SUB_ACCOUNTS_MAX: '1',
        ENGINE_ANSWER_MS: String(ANSWER_MS),
        LOG_LEVEL: 'silent',
      },
    },
    { phase: 'continuous', terms: { xrpusdt: { maxOpenOrders: 1 } } },
  );
  bare = await startTestServer();
  await exampleVenue(bare.ctx);
});
afterEach(() => desk.sweep());
afterAll(async () => {
  await desk.close();
  await bare.close();
});

const create = async (params: Params) =>
  desk.post(await desk.trader(), 'order/create', { ...LIMIT, ...params });

/** First places another account's order on the other side. */
async function createAgainst(resting: Params, params: Params) {
  await desk.place(await desk.trader(), resting);
  return create(params);
}

/** First makes a trade at 64000, so that conditions have a reference price. */
async function createAfterTrade(params: Params) {
  await desk.place(await desk.trader(), { side: 'sell' });
  await desk.place(await desk.trader(), {});
  return create(params);
}

async function sendRaw(
  method: string,
  body: string,
  type: string,
  path = 'order/create',
): Promise<TradingAnswer> {
  const { keyId, secret } = await desk.trader();
  return send(`${desk.server.baseUrl}/private/${path}`, {
    method,
    body,
    headers: {
      'Content-Type': type,
      'X-SVC-APIKEY': keyId,
      'X-SVC-SIGNATURE': hmacHex(secret, body),
    },
  });
}

/** A trader whose key may open sub-accounts. */
const main = () => desk.trader(RICH, { permissions: ['read', 'trade', 'transfer'] });

async function openSubAccount(trader: Trader): Promise<string> {
  const opened = await desk.post(trader, 'sub_account/create', { label: 'first' });
  return resultOf<{ accountId: string }>(opened).accountId;
}

const KEYS = '/json/v1/private/api_key';
const WALLET = '/json/v1/private/wallet';
const READING_KEY: AskedKey = {
  label: '',
  type: 'hmac',
  publicKey: undefined,
  accountId: undefined,
  permissions: ['read'],
  ipAllowlist: [],
  markets: [],
  requireBoundSignature: false,
  expiresAt: undefined,
};

/** A person who is signed in. */
async function exampleOwner(server: TestServer) {
  const person = await examplePerson(server.ctx);
  return { person, session: await signIn(server, person) };
}

/** Blocks the journal while `work` runs. */
async function withoutJournal<T>(work: () => Promise<T>): Promise<T> {
  const client = await desk.server.owner.connect();
  try {
    await client.query('BEGIN; LOCK TABLE trading_journal IN ACCESS EXCLUSIVE MODE');
    return await work();
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

/** One address more than an account may have, on a network that was watched once. */
async function fillAddresses(): Promise<TradingAnswer> {
  const world = await openWorld([
    {
      network: 'LTC',
      chain: 'litecoin-regtest',
      publicKey: extendedPublicKey(ABANDON, "m/84'/2'/0'"),
      nodes: ['http://127.0.0.1:9'],
      blockSeconds: 3600,
    },
  ]);
  try {
    await world.list('ltc', 'LTC');
    await world.server.owner.query(
      `INSERT INTO custody_networks
         (network, identity, scanned_height, scanned_hash, tip_height, tip_hash)
       VALUES ('LTC', 'test', 1, 'a', 1, 'a')`,
    );
    await world.server.owner.query("INSERT INTO custody_counters (network) VALUES ('LTC')");
    const trader = await world.trader();
    for (let count = 0; count < 100; count += 1) await trader.freshAddress('ltc');
    const url = `${world.server.baseUrl}/private/wallet/create_deposit_address`;
    return await trader.call(url, { method: 'POST', params: { coin: 'ltc' } });
  } finally {
    await world.close();
  }
}

const PROVOKED: Record<string, () => Promise<TradingAnswer>> = {
  '1000': async () => desk.get(await desk.trader(), 'test/fault'),
  '1001': async () => {
    const trader = await exampleTrader(bare.ctx);
    return trader.call(`${bare.baseUrl}/private/order/create`, { method: 'POST', params: LIMIT });
  },
  '1003': async () => {
    const trader = await desk.trader();
    return withoutJournal(() => desk.post(trader, 'order/create', LIMIT));
  },
  '1006': () => sendRaw('POST', 'x='.padEnd(300_000, '1'), 'application/x-www-form-urlencoded'),
  '1007': () => sendRaw('POST', 'symbol: btcusdt', 'application/yaml'),
  '2001': () => create({ price: '' }),
  '2002': () => create({ side: 'hold' }),
  '2003': () => create({ volume: '0' }),
  '2004': () => create({ prise: '1' }),
  '2005': async () => {
    const trader = await desk.trader();
    const query = `symbol=btcusdt&symbol=ethusdt&timestamp=${Date.now()}`;
    return send(`${desk.server.baseUrl}/private/order/open?${query}`, {
      headers: { 'X-SVC-APIKEY': trader.keyId, 'X-SVC-SIGNATURE': hmacHex(trader.secret, query) },
    });
  },
  '2006': () => sendRaw('POST', '{"symbol":', 'application/json'),
  '2007': () => sendRaw('POST', '{"price":64000.5}', 'application/json'),
  '2008': () => sendRaw('DELETE', 'orderId=1', 'application/x-www-form-urlencoded', 'order/cancel'),
  '2009': () => create({ total: '100' }),
  // No receipts without a key to sign them.
  '2010': () => create({ receipt: 'true' }),
  '2011': async () => desk.get(await desk.trader(), 'order/history', { cursor: 'AAAA' }),
  '3001': () => send(`${desk.server.baseUrl}/private/order/open`),
  '3002': async () => {
    const trader = await desk.trader();
    const headers = { 'X-SVC-APIKEY': 'svc_key_0000000000000000' };
    return trader.call(`${desk.server.baseUrl}/private/order/open`, { headers });
  },
  '3003': async () =>
    desk.get(await desk.trader({}, { ipAllowlist: ['203.0.113.7/32'] }), 'order/open'),
  '3004': async () => {
    const trader = await desk.trader();
    const headers = { 'X-SVC-SIGNATURE': '0'.repeat(64) };
    return trader.call(`${desk.server.baseUrl}/private/order/open`, { headers });
  },
  '3005': async () => desk.get(await desk.trader(), 'order/open', { timestamp: 'now' }),
  '3006': async () => desk.get(await desk.trader(), 'order/open', { timestamp: '1760000000000' }),
  '3007': async () => {
    const { query, headers } = (await desk.trader()).prepare({ params: LIMIT });
    const once = () =>
      send(`${desk.server.baseUrl}/private/order/create?${query}`, { method: 'POST', headers });
    await once();
    return once();
  },
  '3008': async () =>
    desk.post(await desk.trader({}, { permissions: ['read'] }), 'order/create', LIMIT),
  // Nobody has a factor here, and the other server asks for none.
  '3009': async () => {
    const { session } = await exampleOwner(bare);
    return session.ask('POST', `${KEYS}/create`, { permissions: '["read"]' });
  },
  '3010': async () =>
    desk.delete(await desk.trader(), 'api_key/delete', { keyId: 'svc_key_other' }),
  '3011': async () => {
    const trader = await desk.trader();
    await desk.venue.perform(suspendAccount(Number(trader.accountId), true, 'test'));
    return desk.post(trader, 'order/create', LIMIT);
  },
  '3012': () => send(`${desk.server.origin}${KEYS}/list`),
  '3013': async () => {
    const { session } = await exampleOwner(desk.server);
    return session.ask('DELETE', `${KEYS}/delete`, {}, { 'x-csrftoken': 'wrong' });
  },
  '4001': () => create({ symbol: 'btcxyz' }),
  '4002': async () => desk.get(await desk.trader(), 'account/balances', { coin: 'doge' }),
  '4003': async () =>
    desk.get(await desk.trader(), 'wallet/deposit_address', { coin: 'btc', network: 'NONE' }),
  '4004': async () => {
    await desk.venue.setPhase('btcirt', 'halted');
    return create({ symbol: 'btcirt', price: '5500000000' });
  },
  '4005': () => create({ price: '64000.001' }),
  '4006': () => create({ volume: '0.0000001' }),
  '4007': () => create({ volume: '0.000001' }),
  '4008': () => createAgainst({ side: 'sell' }, { postOnly: 'true' }),
  '4009': () => create({ price: '90000.00' }),
  '4010': async () => {
    await desk.place(await desk.trader(), { volume: '1' });
    const { price: _, ...rest } = LIMIT;
    const params = { ...rest, type: 'market', side: 'sell', volume: '11' };
    return desk.post(await desk.trader(), 'order/create', params);
  },
  '4011': async () => desk.get(await desk.trader(), 'order/get', { orderId: '999999999' }),
  '4012': async () => {
    const trader = await desk.trader();
    await desk.place(trader, { clientOrderId: 'same' });
    const params = { ...LIMIT, clientOrderId: 'same', volume: '0.02' };
    return desk.post(trader, 'order/create', params);
  },
  '4013': async () => {
    const trader = await desk.trader();
    const { orderId } = await desk.place(trader);
    await desk.delete(trader, 'order/cancel', { orderId });
    return desk.delete(trader, 'order/cancel', { orderId });
  },
  '4014': async () => {
    const { price: _, volume: __, ...rest } = LIMIT;
    const params = { ...rest, type: 'market', total: '100' };
    return desk.post(await desk.trader(), 'order/create', params);
  },
  '4015': async () => {
    const trader = await desk.trader();
    const params = { ...LIMIT, symbol: 'xrpusdt', price: '2.5', volume: '100' };
    await desk.place(trader, params);
    return desk.post(trader, 'order/create', params);
  },
  '4016': () => createAfterTrade({ type: 'stop_limit', stopPrice: '63000.00' }),
  '4017': () => createAgainst({ side: 'sell', volume: '0.001' }, { timeInForce: 'FOK' }),
  '4018': () =>
    create({
      symbol: 'ethusdt',
      type: 'stop_limit',
      stopPrice: '3300.00',
      price: '3300.00',
      volume: '1',
    }),
  '4019': async () => {
    const trader = await desk.trader();
    const { orderId } = await desk.place(trader);
    return desk.post(trader, 'order/amend', { orderId, price: '64000' });
  },
  '5001': async () => desk.post(await desk.trader({ usdt: '600' }), 'order/create', LIMIT),
  // Money is simulated here.
  '5004': async () => desk.get(await desk.trader(), 'wallet/deposit_address', { coin: 'btc' }),
  '5011': async () => {
    const trader = await desk.trader();
    const { orderId } = await desk.place(trader);
    const named = { orderId, amendId: 'once' };
    await desk.post(trader, 'order/amend', { ...named, price: '63000.00' });
    return desk.post(trader, 'order/amend', { ...named, price: '63001.00' });
  },
  '5005': async () =>
    desk.get(await desk.trader(), 'wallet/withdraw_quote', { coin: 'btc', amount: '1' }),
  '5008': async () => {
    const { session } = await exampleOwner(desk.server);
    return session.ask('DELETE', `${WALLET}/withdraw_address_remove`, { addressId: 'A1' });
  },
  '5014': async () => {
    const { session } = await exampleOwner(desk.server);
    return session.ask('DELETE', `${WALLET}/withdraw_cancel`, { withdrawId: 'W1' });
  },
  '5013': () => fillAddresses(),
  '6001': async () => {
    const trader = await exampleTrader(bare.ctx);
    const ask = () => trader.call(`${bare.baseUrl}/private/account/rate_limits`);
    const answers = await Promise.all(Array.from({ length: 20 }, ask));
    return answers.find(({ status }) => status === 429) ?? (answers[0] as TradingAnswer);
  },
  '6003': async () => {
    const trader = await desk.trader();
    for (let count = 0; count < 4; count += 1) await desk.place(trader, { price: '60000.00' });
    return desk.post(trader, 'order/create', LIMIT);
  },
  '7001': async () => desk.delete(await main(), 'sub_account/close', { accountId: '999999' }),
  '7002': async () => {
    const { person, session } = await exampleOwner(desk.server);
    const owner = { user: person, address: '127.0.0.1' };
    for (let count = 0; count < 30; count += 1) {
      await createOwnKey(desk.server.ctx, owner, READING_KEY);
    }
    return session.ask('POST', `${KEYS}/create`, { permissions: '["read"]' });
  },
  '7003': async () => {
    const { session } = await exampleOwner(desk.server);
    return session.ask('DELETE', `${KEYS}/delete`, { keyId: 'svc_key_other' });
  },
  '7004': async () => {
    const trader = await main();
    await openSubAccount(trader);
    return desk.post(trader, 'sub_account/create', { label: 'one too many' });
  },
  '7005': async () => {
    const trader = await main();
    const accountId = await openSubAccount(trader);
    const moved = await desk.post(trader, 'sub_account/transfer', {
      fromAccountId: String(trader.accountId),
      toAccountId: accountId,
      coin: 'usdt',
      amount: '1',
      clientTransferId: 'once',
    });
    expect(codeOf(moved)).toBe('');
    return desk.delete(trader, 'sub_account/close', { accountId });
  },
};

/** These take coins of a network: withdrawals.int.test.ts provokes them. */
const ON_NETWORKS = ['5002', '5003', '5006', '5007', '5009', '5010', '5012'];

describe('every documented error', () => {
  const documented = new Set(
    ROUTES.filter(({ access }) => access !== 'public').flatMap((route) =>
      errorsOf(route)
        .map(({ code }) => code)
        .filter((code) => !ON_NETWORKS.includes(code)),
    ),
  );

  it('is provoked below, and no others are', () => {
    expect(Object.keys(PROVOKED).sort()).toEqual([...documented].sort());
  });

  it.each(Object.entries(PROVOKED))('%s', async (code, provoke) => {
    const { status, body } = await provoke();
    expect(body.error?.message ?? body).toEqual(expect.any(String));
    expect(body).toMatchObject({
      status: 'false',
      result: null,
      error: { code, name: findError(code)?.name },
    });
    expect(status).toBe(findError(code)?.status);
    // Errors teach: a sentence for people, and details whose numbers are texts.
    expect(body.error?.message).toMatch(/^.{10,300}$/);
    for (const value of Object.values(body.error?.details ?? {})) {
      expect(['string', 'boolean', 'object']).toContain(typeof value);
    }
  });
});

describe('the details of an error', () => {
  const errorOf = async (code: string) => (await PROVOKED[code]?.())?.body.error;

  it('contain the order concerned', async () => {
    expect((await errorOf('4017'))?.details).toMatchObject({
      order: { status: 'expired', statusReason: 'fok_unfilled', filledVolume: '0.000000' },
    });
    expect((await errorOf('4013'))?.details).toMatchObject({ order: { status: 'canceled' } });
  });

  it('contain what would have been accepted', async () => {
    expect((await errorOf('4009'))?.details).toEqual({
      parameter: 'price',
      minimum: expect.stringMatching(/^\d+\.\d\d$/) as string,
      maximum: expect.stringMatching(/^7\d{4}\.\d\d$/) as string,
    });
    expect((await errorOf('5001'))?.details).toEqual({
      coin: 'usdt',
      required: '640',
      available: '600',
    });
    expect((await errorOf('4007'))?.details).toEqual({
      limit: 'minimumQuoteSize',
      minimum: '5',
      value: '0.064',
    });
    expect((await errorOf('6003'))?.details).toEqual({
      limit: '4',
      resetAt: expect.stringMatching(/^\d{8}00000$/) as string,
    });
    expect((await errorOf('4004'))?.details).toEqual({ symbol: 'btcirt', phase: 'halted' });
  });
});

it('a market’s size limits are those that it publishes [T016] [T017] [T018] [T076]', async () => {
  await desk.place(await desk.trader(), { volume: '20' });
  await desk.place(await desk.trader(), { side: 'sell', price: '64100.00', volume: '20' });
  const { price: _, volume: __, ...rest } = LIMIT;
  const market = async (params: Params) =>
    (await desk.post(await desk.trader(), 'order/test', { ...rest, type: 'market', ...params }))
      .body;
  const detailsOf = async (params: Params) => (await market(params)).error?.details;
  expect(await detailsOf({ total: '4.99' })).toMatchObject({
    limit: 'minimumQuoteSize',
    minimum: '5',
    value: '4.99',
  });
  expect(await detailsOf({ side: 'sell', volume: '10.000001' })).toEqual({
    limit: 'maxMarketOrderAsk',
    maximum: '10',
  });
  expect(await detailsOf({ total: '500000.01' })).toEqual({
    limit: 'maxMarketOrderBid',
    maximum: '500000',
  });
  // Checked by what it asks for, at the best price: the book has far less than that. The figure is
  // written as the market's own data write it.
  const { body } = await send(`${desk.server.baseUrl}/public/exchange_info?symbol=btcusdt`);
  const published = (body.result as Array<Record<string, string>>)[0]?.['maxMarketOrderBid'];
  expect(published).toBe('500000');
  expect((await market({ volume: '100' })).error?.message).toContain(
    `maxMarketOrderBid of ${published ?? ''}.`,
  );
  expect(await detailsOf({ volume: '100' })).toEqual({
    limit: 'maxMarketOrderBid',
    maximum: '500000',
  });
  for (const params of [{ total: '5' }, { total: '500000' }, { side: 'sell', volume: '10' }]) {
    expect((await market(params)).result).toMatchObject({ accepted: true });
  }
});

describe('the daily quota', () => {
  it('counts created orders: not refusals, not replays, and not more in a burst', async () => {
    const trader = await desk.trader();
    const params = { price: '60000.00' };
    for (let count = 0; count < 6; count += 1) {
      const refused = await desk.post(trader, 'order/create', { ...LIMIT, price: '64000.001' });
      expect(codeOf(refused)).toBe('4005');
    }
    for (let count = 0; count < 6; count += 1)
      await desk.place(trader, { ...params, clientOrderId: 'q' });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => desk.post(trader, 'order/create', { ...LIMIT, ...params })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter((answer) => codeOf(answer) === '6003')).toHaveLength(7);
    const batch = JSON.stringify(Array.from({ length: 5 }, () => LIMIT));
    const other = await desk.trader();
    expect(codeOf(await desk.post(other, 'order/create_batch', { orders: batch }))).toBe('6003');
    expect(resultOf(await desk.get(other, 'order/open'))).toEqual([]);
  });
});

describe('a slow engine', () => {
  it('takes no order after its window, and loses none whose outcome was unknown', async () => {
    const trader = await desk.trader();
    const params = { ...LIMIT, price: '60000.00' };
    const [unknown, late] = await withoutJournal(async () => {
      // The first is in the batch that cannot be written, the second in the one prepared meanwhile;
      // the third waits in the queue.
      const place = (clientOrderId: string, more: Params = {}) =>
        desk.post(trader, 'order/create', { ...params, clientOrderId, ...more });
      const first = place('first');
      await delay(60);
      void place('second');
      await delay(ANSWER_MS / 2);
      const third = place('third', { recvWindow: '150' });
      // When the journal is back, nobody waits for the first any more, but somebody still does for
      // the third.
      await delay(ANSWER_MS / 2);
      return [first, third] as const;
    });
    expect(codeOf(await unknown)).toBe('1003');
    const refused = await late;
    expect(refused.body.error).toMatchObject({
      code: '3006',
      details: { recvWindow: '150', serverTime: expect.stringMatching(/^\d{13}$/) as string },
    });
    expect(codeOf(await desk.get(trader, 'order/get', { clientOrderId: 'third' }))).toBe('4011');
    // Repeating the call, as its message says, returns the one order.
    const again = await desk.post(trader, 'order/create', { ...params, clientOrderId: 'first' });
    expect(again.headers.get('x-svc-idempotent-replay')).toBe('true');
    const open = resultOf<Order[]>(await desk.get(trader, 'order/open'));
    expect(open.map(({ clientOrderId }) => clientOrderId)).toEqual(['first', 'second']);
  });
});

it('an impossible symbol is unknown on every endpoint, whatever its characters', async () => {
  const trader = await desk.trader();
  for (const symbol of [
    '/poll lunch?\nsoup',
    '`\u0001`',
    'بتکوین',
    "'; drop--",
    ' ',
    '__proto__',
  ]) {
    expect(codeOf(await create({ symbol })), JSON.stringify(symbol)).toBe('4001');
    const tested = await desk.post(trader, 'order/test', { ...LIMIT, symbol });
    expect(codeOf(tested), symbol).toBe('4001');
    expect(codeOf(await desk.get(trader, 'order/open', { symbol })), symbol).toBe('4001');
  }
});
