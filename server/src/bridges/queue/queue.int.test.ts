// One queue for both products, against a server with its engine.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { deleteTradingKey } from '../../accounts/trading-keys/actions.ts';
import { ROLE } from '../../accounts/roles.ts';
import { deactivatePerson } from '../../chat/administration/users/actions.ts';
import { openBrowser } from '../../testing/browser.ts';
import { chatClient } from '../../testing/chat/client.ts';
import { examplePerson, type Person } from '../../testing/example.ts';
import { openDesk, resultOf, type Desk } from '../../testing/trading/desk.ts';
import type { Trader, TradingAnswer } from '../../testing/trader.ts';
import type { Balance } from '../../trading/account/shapes.ts';
import type { OrderWithTrades } from '../../trading/orders/order.ts';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import { TRADING_EVENTS } from './events.ts';
import { ofType, QueueClient, TRADING, type QueueEvent } from './test-client.ts';

const PASSWORD = 'correct horse battery staple';

let desk: Desk;
let maker: Trader;

beforeAll(async () => {
  desk = await openDesk({
    settings: {
      CHAT_RATE_LIMIT: '100000',
      CHAT_RATE_LIMIT_POLLS: '100000',
      CHAT_RATE_LIMIT_ANONYMOUS: '100000',
    },
  });
  maker = await desk.venue.trader();
});
afterEach(() => desk.sweep());
afterAll(() => desk.close());

/** Somebody with an account in both products. */
async function tradingPerson(given = {}): Promise<Person & { trader: Trader }> {
  const person = await examplePerson(desk.server.ctx, given);
  const trader = await desk.trader(undefined, {
    userId: person.id,
    permissions: ['read', 'trade', 'transfer'],
  });
  return { ...person, trader };
}

const register = (person: Pick<Person, 'basic'>, types?: readonly string[] | 'not chosen') =>
  QueueClient.register(desk.server, person, types);

const statusesOf = (events: readonly QueueEvent[]) =>
  ofType(events, 'order').flatMap(({ orders }) => orders.map(({ status }) => status));

/** Lets `taker` buy what the maker sells. */
async function fill(taker: Trader, volume = '0.010000') {
  await desk.place(maker, { side: 'sell', volume });
  return desk.place(taker, { side: 'buy', volume });
}

describe('registering', () => {
  it('names the accounts of the person and the engine event that the queue starts after', async () => {
    const person = await tradingPerson();
    const sub = resultOf<{ accountId: string }>(
      await desk.post(person.trader, 'sub_account/create', { label: 'bot' }),
    );
    const { trading } = await register(person, ['message', 'order']);
    expect(trading).toEqual({
      engineSeq: expect.stringMatching(/^[1-9][0-9]*$/),
      accounts: [
        { accountId: String(person.trader.accountId), name: '', rights: ['view', 'trade'] },
        { accountId: sub.accountId, name: 'bot', rights: ['view', 'trade'] },
      ],
    });
    expect((await register(await examplePerson(desk.server.ctx))).trading.accounts).toEqual([]);
  });

  it('says and sends nothing of the venue to a client that does not name its types', async () => {
    const person = await tradingPerson();
    const chat = chatClient(desk.server, person);
    for (const types of [undefined, ['message', 'realm_user'], []]) {
      const { body } = await chat.post('/register', { event_types: types });
      expect(body).not.toHaveProperty('trading');
    }
    const all = await register(person, 'not chosen');
    const some = await register(person, ['message']);
    const trading = await register(person);
    await fill(person.trader);
    await trading.collect((seen) => ofType(seen, 'balance').length > 0);
    await chat.post('/messages', { type: 'direct', to: [person.id], content: 'after' });
    for (const client of [all, some]) {
      const seen = await client.collect((events) => events.some(({ type }) => type === 'message'));
      expect(seen.filter(({ type }) => TRADING.includes(type))).toEqual([]);
    }
  });

  it.each([
    [['ordr'], "'ordr'"],
    [['order', 'message', 'trading_batch'], "'trading_batch'"],
    [['trading_account_opened'], "'trading_account_opened'"],
    [[''], "''"],
    [['__proto__', 'constructor'], "'__proto__', 'constructor'"],
  ])('refuses %j, and names what exists', async (types, named) => {
    const chat = chatClient(desk.server, await examplePerson(desk.server.ctx));
    const { status, body } = await chat.post('/register', { event_types: types });
    expect(status).toBe(400);
    expect(body['msg']).toContain(named);
    expect(body['known_event_types']).toEqual(
      expect.arrayContaining([...TRADING, 'message', 'realm_user']),
    );
    expect(body['known_event_types']).not.toContain('trading_batch');
  });

  it('opens no queue for too many names, or for names that are too long', async () => {
    const chat = chatClient(desk.server, await examplePerson(desk.server.ctx));
    const many = Array.from({ length: 1000 }, (_, index) => `type${index}`);
    for (const types of [many, ['x'.repeat(10_240)], Array.from({ length: 501 }, () => 'order')]) {
      const answer = await chat.post('/register', { event_types: types });
      expect(answer.status).toBe(400);
      expect(answer.text.length).toBeLessThan(5000);
    }
    const few = await chat.post('/register', { event_types: many.slice(0, 500) });
    expect(few.status).toBe(400);
    expect(few.text.length).toBeLessThan(5000);
    expect(few.body['unknown_event_types']).toHaveLength(10);
  });

  it('still takes what clients of Zulip name, whether or not this server has it', async () => {
    const chat = chatClient(desk.server, await examplePerson(desk.server.ctx));
    const types = ['pointer', 'hotspots', 'realm_filters', 'restart', 'zulip_version', 'message'];
    expect((await chat.post('/register', { event_types: types })).status).toBe(200);
    const fetch_event_types = ['zulip_version', 'of_a_newer_server'];
    const { status } = await chat.post('/register', {
      event_types: ['message'],
      fetch_event_types,
    });
    expect(status).toBe(200);
  });
});

describe('events of the venue', () => {
  it('are what the routes answer, in order, under ids of one position a batch', async () => {
    const person = await tradingPerson();
    const client = await register(person);
    const { orderId } = await fill(person.trader);
    const seen = await client.collect((events) => ofType(events, 'balance').length > 0);
    for (const { id: _, ...event } of seen) {
      const shape = TRADING_EVENTS.find(({ properties }) => properties.type.const === event.type);
      expect(Value.Check(shape as (typeof TRADING_EVENTS)[number], event)).toBe(true);
      expect(event['accountId']).toBe(String(person.trader.accountId));
      expect(Number(event['engineSeq'])).toBeGreaterThan(Number(client.trading.engineSeq));
    }
    expect(seen.map(({ type }) => type)).toEqual(['order', 'trade', 'balance']);
    const first = seen[0]?.id ?? 0;
    expect(first % 4096).toBe(0);
    expect(seen.map(({ id }) => id - first)).toEqual([0, 1, 2]);

    const order = resultOf<Static<typeof OrderWithTrades>>(
      await desk.get(person.trader, 'order/get', { orderId }),
    );
    const { trades, ...rest } = order;
    expect(ofType(seen, 'order')[0]?.orders).toEqual([rest]);
    expect(ofType(seen, 'trade')[0]?.trades).toEqual(trades);
    const told = ofType(seen, 'balance')[0]?.balances ?? [];
    expect(told.map(({ coin }) => coin).sort()).toEqual(['btc', 'usdt']);
    await expect
      .poll(async () =>
        resultOf<Balance[]>(await desk.get(person.trader, 'account/balances')).filter(({ coin }) =>
          told.some((one) => one.coin === coin),
        ),
      )
      .toEqual(expect.arrayContaining(told));
  });

  it('join with an answer: what the answer includes is not above its engine event, and what follows is', async () => {
    const person = await tradingPerson();
    const client = await register(person);
    const seqOf = (answer: TradingAnswer) => Number(answer.headers.get('x-svc-engine-seq'));
    const { orderId } = await desk.place(person.trader, { price: '60000.00' });
    for (const [path, params] of [
      ['account/balances', {}],
      ['order/open', {}],
      ['order/get', { orderId }],
    ] as const) {
      const answer = await desk.get(person.trader, path, params);
      const before = Number(
        (await client.collect((seen) => seen.length > 0)).at(-1)?.['engineSeq'],
      );
      expect(seqOf(answer), path).toBeGreaterThanOrEqual(before);
      const count = client.seen.length;
      await desk.place(person.trader, { price: '60000.00' });
      const after = (await client.collect((seen) => seen.length > count)).slice(count);
      for (const event of after) expect(Number(event['engineSeq'])).toBeGreaterThan(seqOf(answer));
    }
  });

  it('come again, the same under the same ids, to a client that asks again', async () => {
    const person = await tradingPerson();
    const client = await register(person);
    const start = client.last;
    for (let n = 0; n < 5; n += 1) await fill(person.trader);
    const seen = await client.collect((events) => ofType(events, 'balance').length >= 5);
    const again = await client.poll(start);
    expect(again).toEqual(seen);
    const middle = seen[7]?.id ?? 0;
    expect(await client.poll(middle)).toEqual(seen.filter(({ id }) => id > middle));
  });

  it('go to each type by its name alone', async () => {
    const person = await tradingPerson();
    const clients = await Promise.all(
      ['order', 'trade', 'balance'].map((t) => register(person, [t])),
    );
    await fill(person.trader);
    for (const [index, client] of clients.entries()) {
      const seen = await client.collect((events) => events.length > 0);
      expect(new Set(seen.map(({ type }) => type))).toEqual(
        new Set([['order', 'trade', 'balance'][index]]),
      );
      expect((seen[0]?.id ?? 1) % 4096).toBe(0);
    }
  });

  it('tell everybody who asks when a market changes its phase', async () => {
    const guest = await examplePerson(desk.server.ctx, { role: ROLE.guest });
    const client = await register(guest, ['market']);
    const deaf = await register(await examplePerson(desk.server.ctx), [
      'order',
      'trade',
      'balance',
    ]);
    await desk.venue.setPhase('ethusdt', 'halted');
    await desk.venue.setPhase('ethusdt', 'continuous');
    const seen = ofType(await client.collect((events) => events.length >= 2), 'market');
    expect(seen.map(({ symbol, phase, until, op }) => [op, symbol, phase, until])).toEqual([
      ['phase', 'ethusdt', 'halted', ''],
      ['phase', 'ethusdt', 'continuous', ''],
    ]);
    expect(client.trading.accounts).toEqual([]);
    expect(await deaf.poll()).toEqual([]);
  });

  it('stand in one order with messages: what was sent after a fill has the larger id in every queue', async () => {
    const [ada, bob] = [await tradingPerson(), await tradingPerson()];
    const clients = await Promise.all([
      register(ada, [...TRADING, 'message']),
      register(ada, ['trade', 'message']),
      register(bob, [...TRADING, 'message']),
    ]);
    const [own] = clients;
    for (let n = 0; n < 10; n += 1) {
      await desk.place(bob.trader, { side: 'sell' });
      await desk.place(ada.trader, { side: 'buy' });
      await own?.collect((events) => ofType(events, 'trade').length > n);
      const content = `after fill ${n}`;
      await own?.chat.post('/messages', { type: 'direct', to: [bob.id], content });
    }
    for (const client of clients) {
      const isMessage = ({ type }: QueueEvent) => type === 'message';
      const seen = await client.collect((events) => events.filter(isMessage).length >= 10);
      const order = seen.filter(({ type }) => type === 'trade' || type === 'message');
      expect(order.map(({ type }) => type)).toEqual(
        Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 'trade' : 'message')),
      );
    }
  });
});

describe('nobody else', () => {
  it('gets events of an account: not its counterparty, not an owner, not a bot of its owner', async () => {
    const person = await tradingPerson();
    const owner = await examplePerson(desk.server.ctx, { role: ROLE.owner });
    const guest = await examplePerson(desk.server.ctx, { role: ROLE.guest });
    const chat = chatClient(desk.server, person);
    const made = await chat.post('/bots', { full_name: 'Helper', short_name: `h${person.id}` });
    expect(made.status, made.text).toBe(200);
    const listed = (await chat.get('/bots')).body['bots'] as {
      username: string;
      api_key: string;
    }[];
    const { username = '', api_key = '' } = listed[0] ?? {};
    const bot = { basic: `Basic ${Buffer.from(`${username}:${api_key}`).toString('base64')}` };
    const counterparty = await tradingPerson();
    const theirs = await register(counterparty);
    const others = await Promise.all([owner, guest, bot].map((one) => register(one)));
    const own = await register(person);
    await desk.place(counterparty.trader, { side: 'sell' });
    await desk.place(person.trader, { side: 'buy' });
    await own.collect((seen) => ofType(seen, 'balance').length > 0);
    for (const other of others) {
      expect(other.trading.accounts).toEqual([]);
      expect(await other.poll()).toEqual([]);
    }
    const seen = await theirs.collect((events) => ofType(events, 'trade').length > 0);
    const accounts = new Set(seen.map(({ accountId }) => accountId));
    expect(accounts).toEqual(new Set([String(counterparty.trader.accountId)]));
    expect(JSON.stringify(seen)).not.toContain(`"${person.trader.accountId}"`);
  });

  it('can poll the queue, with a key of somebody else or with one that has a scope', async () => {
    const person = await tradingPerson({ password: PASSWORD });
    const client = await register(person);
    const browser = openBrowser(desk.server);
    await browser.signIn(person.email, PASSWORD);
    for (const terms of [{ can: '["read"]' }, { can: '["read","write"]' }]) {
      const { body, status } = await browser.call('POST', '/api_keys', { label: 'app', ...terms });
      expect(status).toBe(200);
      const basic = `Basic ${Buffer.from(`${person.email}:${String(body['api_key'])}`).toString('base64')}`;
      const scoped = chatClient(desk.server, { basic });
      const plain = await scoped.post('/register', { event_types: ['message'] });
      expect(plain.status, 'such a key may register for the chat').toBe(200);
      for (const types of [['order'], ['message', 'market'], TRADING]) {
        const refused = await scoped.post('/register', { event_types: types });
        expect(refused.body['code']).toBe('KEY_SCOPE');
      }
      const query = { queue_id: client.queueId, last_event_id: client.last, dont_block: true };
      expect((await scoped.get('/events', query)).body['code']).toBe('BAD_EVENT_QUEUE_ID');
    }
    const stranger = chatClient(desk.server, await tradingPerson());
    const query = { queue_id: client.queueId, last_event_id: -1, dont_block: true };
    expect((await stranger.get('/events', query)).body['code']).toBe('BAD_EVENT_QUEUE_ID');
    // None of these attempts cost its owner the queue.
    await fill(person.trader);
    await client.collect((seen) => ofType(seen, 'trade').length > 0);
    // The session of the browser stands for the person, as the main key does.
    const { body } = await browser.call('POST', '/register', { event_types: '["order"]' });
    expect(body['trading']).toMatchObject({ accounts: [{ name: '' }] });
  });

  it('gets anything once the person is deactivated', async () => {
    const person = await tradingPerson();
    const client = await register(person);
    const owner = await examplePerson(desk.server.ctx, { role: ROLE.owner });
    await desk.place(person.trader, {});
    await client.collect((seen) => ofType(seen, 'order').length > 0);
    await deactivatePerson(desk.server.ctx, owner, person.id);
    const query = { queue_id: client.queueId, last_event_id: client.last, dont_block: true };
    expect((await client.chat.get('/events', query)).status).toBe(401);
  });
});

describe('accounts that come and go', () => {
  it('an account that is opened after registering is followed from its first event', async () => {
    const person = await examplePerson(desk.server.ctx);
    const client = await register(person);
    expect(client.trading.accounts).toEqual([]);
    const trader = await desk.trader(undefined, {
      userId: person.id,
      permissions: ['read', 'trade', 'transfer'],
    });
    const coinsIn = (seen: readonly QueueEvent[]) =>
      ofType(seen, 'balance').flatMap(({ balances }) => balances.map(({ coin }) => coin));
    const deposited = await client.collect((seen) => coinsIn(seen).length >= 5);
    expect(new Set(deposited.map(({ accountId }) => accountId))).toEqual(
      new Set([String(trader.accountId)]),
    );
    const sub = resultOf<{ accountId: string }>(
      await desk.post(trader, 'sub_account/create', { label: 'late' }),
    );
    await desk.venue.fund(BigInt(sub.accountId), { usdt: '1000' });
    const seen = await client.collect((events) =>
      events.some(({ accountId }) => accountId === sub.accountId),
    );
    const [balance] = ofType(seen, 'balance').filter(
      ({ accountId }) => accountId === sub.accountId,
    );
    expect(balance?.balances).toMatchObject([{ coin: 'usdt', available: '1000' }]);
    // A queue that is read again from the log says the same.
    expect((await client.poll(-1)).filter(({ type }) => type !== 'heartbeat')).toEqual(seen);
  });

  it('closing a sub-account and revoking a key end nothing else', async () => {
    const person = await tradingPerson();
    const { trader } = person;
    const sub = resultOf<{ accountId: string }>(
      await desk.post(trader, 'sub_account/create', { label: 'short' }),
    );
    const client = await register(person);
    resultOf(await desk.delete(trader, 'sub_account/close', { accountId: sub.accountId }));
    await deleteTradingKey(desk.server.ctx, trader.keyId);
    await desk.venue.fund(trader.accountId, { usdt: '7' });
    const seen = await client.collect((events) => ofType(events, 'balance').length > 0);
    expect(seen.at(-1)?.['accountId']).toBe(String(trader.accountId));
    const again = await register(person);
    expect(again.trading.accounts.map(({ name }) => name)).toEqual(['']);
  });
});

it('every change of an order comes, in the order of the engine', async () => {
  const person = await tradingPerson();
  const client = await register(person, ['order']);
  const count = 40;
  for (let n = 0; n < count; n += 1) {
    const { orderId } = await desk.place(person.trader, { price: '60000.00' });
    resultOf(await desk.delete(person.trader, 'order/cancel', { symbol: 'btcusdt', orderId }));
  }
  const seen = await client.collect((events) => statusesOf(events).length >= 2 * count);
  expect(statusesOf(seen)).toEqual(
    Array.from({ length: 2 * count }, (_, index) => (index % 2 === 0 ? 'open' : 'canceled')),
  );
});
