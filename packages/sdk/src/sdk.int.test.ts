// The SDK against a real server: both kinds of keys, sessions, orders and messages whose answers are lost, the event loop.
import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { examplePerson, type Person } from '../../../server/src/testing/example.ts';
import { signIn } from '../../../server/src/testing/session.ts';
import type { Trader } from '../../../server/src/testing/trader.ts';
import { openDesk, type Desk } from '../../../server/src/testing/trading/desk.ts';
import { wait } from './http/wait.ts';
import { Chat, decimal, Trading, type AnyEvent, type TradingOptions } from './index.ts';

const LIMIT = {
  symbol: 'btcusdt',
  side: 'buy',
  type: 'limit',
  price: '64000.00',
  volume: '0.01',
} as const;

let desk: Desk;
let url: string;
beforeAll(async () => {
  // Keys are made without a second factor here.
  desk = await openDesk({ stepUp: async () => {} }, { phase: 'continuous' });
  url = desk.server.origin;
}, 120_000);
afterAll(() => desk.close());

const tradingOf = ({ keyId, secret }: Trader, more: Partial<TradingOptions> = {}) =>
  new Trading({ url, key: keyId, secret, ...more });
const chatOf = ({ email, chatKey }: Person) => new Chat({ url, email, apiKey: chatKey });

/** The server carries out the first requests to this path, and their answers are lost. */
function loseAnswers(path: string, count: number): { fetch: typeof fetch; lost(): number } {
  let lost = 0;
  return {
    lost: () => lost,
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      if (lost >= count || !new URL(input as string).pathname.endsWith(path)) return response;
      lost += 1;
      await response.arrayBuffer();
      throw new TypeError('fetch failed', { cause: new Error('other side closed') });
    },
  };
}

describe('signed requests', () => {
  it.each([1, 2] as const)(
    'with a secret, by version %i, reach every kind of route',
    async (version) => {
      const trading = tradingOf(await desk.trader(), { signatureVersion: version });
      const order = await trading.order.create({ ...LIMIT, postOnly: true, price: '63000' });
      expect(order).toMatchObject({ status: 'open', price: '63000.00', postOnly: true });
      const [open] = await trading.order.open({ symbol: 'btcusdt' });
      expect(open?.orderId).toBe(order.orderId);
      const batch = await trading.order.createBatch({
        orders: [
          { ...LIMIT, price: '62000' },
          { ...LIMIT, volume: '0.000001' },
        ],
      });
      expect(batch.map(({ status }) => status)).toEqual(['true', 'false']);
      expect(await trading.order.cancelAll()).toMatchObject({ canceledCount: '2' });
      const page = await trading.order.history({ limit: 1, sort: 'asc' });
      expect(page.items).toHaveLength(1);
    },
  );

  it('with an Ed25519 key, which a session has made', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const person = await examplePerson(desk.server.ctx);
    const session = await signIn(desk.server, person);
    const browser = new Trading({ url, session });
    const made = await browser.apiKey.create({
      type: 'ed25519',
      publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex'),
      permissions: ['read', 'trade'],
      requireBoundSignature: true,
    });
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
    const trading = new Trading({ url, key: made.keyId, privateKey: pem });
    const { accountId } = await trading.account.info();
    expect(accountId).toBe((await browser.account.info()).accountId);
    expect(await browser.apiKey.list()).toMatchObject([{ keyId: made.keyId }]);
    await expect(trading.apiKey.list()).rejects.toMatchObject({ name: 'SESSION_REQUIRED' });
  });

  it('with a wrong secret teach what to sign, which is what explain shows', async () => {
    const { keyId } = await desk.trader();
    const trading = new Trading({ url, key: keyId, secret: 'wrong', signatureVersion: 1 });
    const error = await trading.account.info().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: '3004', name: 'SIGNATURE_INVALID', status: 401 });
    const { signedText } = (error as { details: { signedText: string } }).details;
    const shown = await trading.explain('account.info');
    expect(signedText.replace(/\d{13}/, '')).toBe(shown.signedText?.replace(/\d{13}/, ''));
  });
});

describe('an order whose answers are lost', () => {
  it('is placed once, and returned', async () => {
    const trader = await desk.trader();
    const wire = loseAnswers('/order/create', 2);
    const trading = tradingOf(trader, { fetch: wire.fetch, retry: { pauseMaxMs: 20 } });
    const order = await trading.order.create({ ...LIMIT, price: '61000' });
    expect(wire.lost()).toBe(2);
    const open = await trading.order.open();
    expect(open.map(({ orderId }) => orderId)).toEqual([order.orderId]);
    const [balance] = await trading.account.balances({ coin: 'usdt' });
    expect(decimal.equals(balance?.hold ?? '', decimal.multiply('61000', LIMIT.volume))).toBe(true);
  });

  it('is found by its id when no attempt has an answer and the next one is refused', async () => {
    const trader = await desk.trader();
    const wire = loseAnswers('/order/create', 9);
    const trading = tradingOf(trader, {
      fetch: wire.fetch,
      retry: { attempts: 2, pauseMaxMs: 20 },
    });
    const order = await trading.order.create({ ...LIMIT, price: '61000' });
    expect(await trading.order.open()).toMatchObject([{ orderId: order.orderId }]);
  });

  it('is amended once and canceled once', async () => {
    const trader = await desk.trader();
    const plain = tradingOf(trader);
    const { orderId } = await plain.order.create({ ...LIMIT, price: '61000' });
    const amending = tradingOf(trader, { fetch: loseAnswers('/order/amend', 1).fetch });
    expect(await amending.order.amend({ orderId, volume: '0.005' })).toMatchObject({
      volume: '0.005000',
    });
    const canceling = tradingOf(trader, { fetch: loseAnswers('/order/cancel', 1).fetch });
    expect(await canceling.order.cancel({ orderId })).toMatchObject({ status: 'canceled' });
  });

  it('in a list is placed once', async () => {
    const trader = await desk.trader();
    await desk.trade('64000.00');
    const trading = tradingOf(trader, { fetch: loseAnswers('/order_list/create_oco', 1).fetch });
    const { orderListId } = await trading.orderList.createOco({
      symbol: 'btcusdt',
      side: 'sell',
      volume: '0.01',
      limitPrice: '70000.00',
      stopPrice: '60000.00',
    });
    expect(await trading.orderList.open()).toMatchObject([{ orderListId }]);
    await trading.orderList.cancel({ orderListId });
  });
});

describe('the chat', () => {
  it('sends a message once, reads it, and gets a file', async () => {
    const ada = await examplePerson(desk.server.ctx);
    const bob = await examplePerson(desk.server.ctx);
    const wire = loseAnswers('/messages', 1);
    const chat = new Chat({ url, email: ada.email, apiKey: ada.chatKey, fetch: wire.fetch });
    const { url: file } = await chat.uploadFile({
      file: new Blob(['hello']),
      name: 'greeting.txt',
    });
    const content = `سلام [greeting](${file})`;
    const { id } = await chat.sendMessage({
      type: 'direct',
      to: [bob.id],
      content,
    });
    expect(wire.lost()).toBe(1);
    const { messages } = await chatOf(bob).getMessages({
      anchor: 'newest',
      num_before: 10,
      narrow: [{ operator: 'dm', operand: [ada.id] }],
      apply_markdown: false,
    });
    expect(messages).toMatchObject([{ id, content }]);
  });

  it('answers a session', async () => {
    const person = await examplePerson(desk.server.ctx);
    const session = await signIn(desk.server, person);
    const chat = new Chat({ url, session });
    expect(await chat.getOwnUser()).toMatchObject({ user_id: person.id });
    expect(await chat.addAlertWords({ alert_words: ['rialto'] })).toMatchObject({
      alert_words: ['rialto'],
    });
  });

  it('refuses with its own errors', async () => {
    const person = await examplePerson(desk.server.ctx);
    await expect(chatOf(person).getUser({ user_id: 999_999 })).rejects.toMatchObject({
      name: 'BAD_REQUEST',
      status: 400,
      documentation: `${url}/docs/errors/BAD_REQUEST/`,
    });
    const wrong = new Chat({ url, email: person.email, apiKey: 'x'.repeat(32) });
    await expect(wrong.getOwnUser()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

it('the first sample of the README trades, talks and listens', async () => {
  await desk.trade('64000.00');
  const person = await examplePerson(desk.server.ctx);
  const other = chatOf(await examplePerson(desk.server.ctx));
  const trader = await desk.trader(undefined, { userId: person.id });
  const subscriptions = [{ name: 'desk' }];
  await chatOf(person).subscribe({ subscriptions });
  await other.subscribe({ subscriptions });
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const sample = /^```ts\n([^]*?)^```$/m.exec(readme)?.[1] ?? '';
  const program = spawn(
    process.execPath,
    ['--input-type=module', '-e', sample.replace('https://venue.example', url)],
    {
      cwd: fileURLToPath(new URL('.', import.meta.url)),
      env: {
        KEY: trader.keyId,
        SECRET: trader.secret,
        EMAIL: person.email,
        API_KEY: person.chatKey,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  onTestFinished(() => void program.kill());
  let said = '';
  program.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = once(program, 'exit');
  for await (const event of other.events({ types: ['message'] })) {
    if (event.type !== 'message') continue;
    expect(event.message.content).toMatch(/^Bid 63360.*: order \d+$/);
    break;
  }
  const open = await tradingOf(trader).order.open();
  expect(open).toMatchObject([{ price: '63360.00', volume: '0.001000' }]);
  const over = ended.then(() => true);
  // The sample may not listen yet.
  while (!(await Promise.race([over, wait(200).then(() => false)]))) {
    await other.sendMessage({ type: 'channel', to: 'desk', topic: 'orders', content: 'stop' });
  }
  expect([(await ended)[0], said]).toEqual([0, '']);
  expect(await tradingOf(trader).order.open()).toEqual([]);
});

describe('the event loop', () => {
  it('gets every message once, over a queue that the server has forgotten, and ends by its signal', async () => {
    const ada = await examplePerson(desk.server.ctx);
    const bob = await examplePerson(desk.server.ctx);
    const [adas, bobs] = [chatOf(ada), chatOf(bob)];
    const say = (content: string) => bobs.sendMessage({ type: 'direct', to: [ada.id], content });
    const seen: string[] = [];
    let queueId = '';
    const ending = new AbortController();
    const read = async (event: AnyEvent): Promise<void> => {
      if (event.type === 'started' || event.type === 'restarted') {
        queueId = event.state.queue_id;
        seen.push(event.type);
        await say(`after ${event.type}`);
      } else if (event.type === 'message') {
        seen.push(event.message.content);
        if (seen.length === 2) await adas.deleteQueue({ queue_id: queueId });
        else ending.abort(new Error('enough'));
      }
    };
    const loop = async () => {
      const events = adas.events({ types: ['message'], signal: ending.signal });
      for await (const event of events) await read(event);
    };
    await expect(loop()).rejects.toThrow('enough');
    expect(seen).toEqual(['started', 'after started', 'restarted', 'after restarted']);
    // The loop has deleted its queue.
    await expect(adas.getEvents({ queue_id: queueId, last_event_id: -1 })).rejects.toMatchObject({
      code: 'BAD_EVENT_QUEUE_ID',
    });
  });

  it('brings the events of the venue too, beside messages', async () => {
    const person = await examplePerson(desk.server.ctx);
    const trading = tradingOf(await desk.trader({ usdt: '1000' }, { userId: person.id }));
    const chat = chatOf(person);
    const { accountId } = await trading.account.info();
    const seen: string[] = [];
    for await (const event of chat.events({ types: ['message', 'order', 'balance'] })) {
      if (event.type === 'started') {
        expect(event.state.trading?.accounts).toMatchObject([{ accountId }]);
        await trading.order.create({ ...LIMIT, price: '50000', clientOrderId: 'by-queue' });
      } else if (event.type === 'order') {
        expect(event.accountId).toBe(accountId);
        for (const { clientOrderId, status } of event.orders) {
          seen.push(`${clientOrderId} ${status}`);
          if (status === 'open') await trading.order.cancelAll();
        }
      } else if (event.type === 'balance') {
        for (const { coin, hold } of event.balances) seen.push(`${coin} ${hold}`);
      }
      if (seen.includes('by-queue canceled') && seen.includes('usdt 0')) break;
    }
    expect(new Set(seen)).toEqual(
      new Set(['by-queue open', 'usdt 500', 'by-queue canceled', 'usdt 0']),
    );
  });

  it('is left and resumed by another client, without a gap', async () => {
    const ada = await examplePerson(desk.server.ctx);
    const chat = chatOf(ada);
    const note = (content: string) => chat.sendMessage({ type: 'direct', to: [ada.id], content });
    let position = { queueId: '', lastEventId: -1 };
    for await (const event of chat.events({
      types: ['message'],
      keepQueue: true,
      onPosition: (at) => {
        position = at;
      },
    })) {
      if (event.type === 'started') await note('one');
      if (event.type === 'message') break;
    }
    await note('two');
    const contents: string[] = [];
    for await (const event of chatOf(ada).events({ resume: position })) {
      if (event.type === 'message') contents.push(event.message.content);
      if (contents.length === 2) break;
    }
    // The first one had not been finished with.
    expect(contents).toEqual(['one', 'two']);
  });
});
