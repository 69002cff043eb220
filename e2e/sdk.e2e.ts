// The SDK against real processes: a clock that is wrong, answers that are lost on the wire, limits, restarts, aborts.
import { generateKeyPairSync } from 'node:crypto';
import { Chat, Trading, type NetworkError, type TradingOptions } from '@rialto/sdk';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createOwnKey } from '../server/src/accounts/trading-keys/own-keys.ts';
import { findUser } from '../server/src/accounts/users/access.ts';
import { startDeployment, type TestDeployment } from '../server/src/testing/deployment.ts';
import { examplePerson } from '../server/src/testing/example.ts';
import { liveVenue, type LiveVenue } from '../server/src/testing/live-venue.ts';
import { startRialtoProcess, type RialtoProcess } from '../server/src/testing/rialto-process.ts';
import type { Trader } from '../server/src/testing/trader.ts';
import { startFaultProxy, type FaultProxy } from './fault-proxy.ts';

const LIMIT = {
  symbol: 'btcusdt',
  side: 'buy',
  type: 'limit',
  price: '60000.00',
  volume: '0.01',
} as const;
const CREATE = 'POST /v1/private/order/create';
const SEND = 'POST /api/v1/messages';

let deployment: TestDeployment;
let processes: RialtoProcess[];
let api: RialtoProcess;
let venue: LiveVenue;
let proxy: FaultProxy;
/** Through the proxy. */
let url: string;

beforeAll(async () => {
  deployment = await startDeployment({ MONEY: 'simulated', HEARTBEAT_SECONDS: '2' });
  const { environment } = deployment;
  processes = [];
  for (const roles of ['engine,relay,worker', 'api']) {
    processes.push(await startRialtoProcess(roles, environment));
  }
  api = processes.at(-1) as RialtoProcess;
  venue = await liveVenue(deployment, { phase: 'continuous' });
  proxy = await startFaultProxy({ host: '127.0.0.1', port: api.port });
  url = `http://127.0.0.1:${proxy.port}`;
});
afterAll(async () => {
  await proxy?.close();
  for (const one of processes ?? []) one.kill('SIGKILL');
  await deployment?.close();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const tradingOf = ({ keyId, secret }: Trader, more: Partial<TradingOptions> = {}) =>
  new Trading({ url, key: keyId, secret, ...more });

const person = async (): Promise<{ id: number; chat: Chat }> => {
  const { id, email, chatKey } = await examplePerson(deployment.ctx);
  return { id, chat: new Chat({ url, email, apiKey: chatKey }) };
};

describe('a clock that is wrong by two minutes', () => {
  it.each([-120_000, 120_000])(
    'by %i ms: reads and orders work, with both kinds of keys',
    async (ms) => {
      const trader = await venue.trader();
      const { publicKey, privateKey } = generateKeyPairSync('ed25519');
      const user = await findUser(deployment.ctx.db, trader.userId);
      if (user === undefined) throw new Error('The trader is a user.');
      const owner = { user, address: '127.0.0.1' };
      const { key } = await createOwnKey(deployment.ctx, owner, {
        type: 'ed25519',
        publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex'),
        accountId: undefined,
        label: '',
        permissions: ['read', 'trade'],
        ipAllowlist: [],
        markets: [],
        expiresAt: undefined,
        requireBoundSignature: true,
      });
      const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
      const real = Date.now.bind(Date);
      vi.spyOn(Date, 'now').mockImplementation(() => real() + ms);
      for (const trading of [
        tradingOf(trader),
        new Trading({ url, key: key.keyId, privateKey: pem }),
      ]) {
        const order = await trading.order.create(LIMIT);
        expect(await trading.order.cancel({ orderId: order.orderId })).toMatchObject({
          status: 'canceled',
        });
        expect(Math.abs(trading.clock.offsetMs + ms)).toBeLessThan(2000);
      }
    },
  );
});

describe('answers that are lost on the wire', () => {
  it.each(['cut before', 'cut after', 'silence after', 'silence before'] as const)(
    '%s: an order is placed once',
    async (fault) => {
      const trading = tradingOf(await venue.trader(), { timeoutMs: 2000 });
      await trading.account.info();
      const struck = proxy.strike(fault, CREATE);
      const order = await trading.order.create(LIMIT);
      await struck;
      const open = await trading.order.open();
      expect(open.map(({ orderId }) => orderId)).toEqual([order.orderId]);
      const history: string[] = [];
      for await (const { orderId } of trading.each('order.history', { limit: 1 })) {
        history.push(orderId);
      }
      expect(history).toEqual([order.orderId]);
    },
  );

  it.each(['cut after', 'silence after'] as const)('%s: a message is sent once', async (fault) => {
    const [ada, bob] = [await person(), await person()];
    await ada.chat.getOwnUser();
    const struck = proxy.strike(fault, SEND);
    const to = [bob.id];
    const sent = await ada.chat.sendMessage(
      { type: 'direct', to, content: fault },
      { timeoutMs: 2000 },
    );
    await struck;
    const { messages } = await bob.chat.getMessages({ anchor: 'newest', num_before: 10 });
    expect(messages.filter(({ sender_id }) => sender_id === ada.id)).toMatchObject([
      { id: sent.id },
    ]);
  });
});

it('the limit of ten requests a second is waited for, and nothing fails', async () => {
  const trading = new Trading({ url, retry: { attempts: 50, totalMs: 60_000 } });
  const codes: (string | undefined)[] = [];
  const noted = new Trading({
    url,
    retry: { attempts: 50, totalMs: 60_000 },
    onAttempt: ({ code }) => codes.push(code),
  });
  await trading.public.time();
  const times = await Promise.all(Array.from({ length: 25 }, () => noted.public.time()));
  expect(times).toHaveLength(25);
  expect(codes).toContain('6001');
  expect(codes.filter((code) => code === undefined)).toHaveLength(25);
});

it('the event loop goes on over a killed api process, and every message comes once, in order', async () => {
  const [ada, bob] = [await person(), await person()];
  const wanted = Array.from({ length: 20 }, (_, index) => `message ${index}`);
  const seen: string[] = [];
  const say = async () => {
    for (const [index, content] of wanted.entries()) {
      await bob.chat.sendMessage(
        { type: 'direct', to: [ada.id], content },
        { retry: { attempts: 100, totalMs: 100_000 } },
      );
      if (index % 7 === 3) {
        api.kill('SIGKILL');
        await api.restart();
      }
    }
  };
  let sending: Promise<void> | undefined;
  for await (const event of ada.chat.events({ types: ['message'] })) {
    if (event.type === 'started') sending = say();
    expect(event.type).not.toBe('restarted');
    if (event.type === 'message') seen.push(event.message.content);
    if (seen.length === wanted.length) break;
  }
  await sending;
  expect(seen).toEqual(wanted);
});

it('a silent connection is noticed, and the loop goes on', async () => {
  const ada = await person();
  const troubles: unknown[] = [];
  let isSilent = false;
  for await (const event of ada.chat.events({
    types: ['message'],
    // The server sends a heartbeat every two seconds, and up to ten more.
    silenceMs: 15_000,
    onTrouble: (error) => {
      troubles.push((error as NetworkError).code);
      proxy.heal();
      void ada.chat.sendMessage({
        type: 'direct',
        to: [ada.id],
        content: 'still here',
      });
    },
  })) {
    if (!isSilent) {
      isSilent = true;
      setTimeout(() => proxy.silence(), 500);
    }
    if (event.type === 'message') break;
  }
  expect(troubles[0]).toBe('TIMEOUT');
});

it('an abort ends a long poll at once, and the queue is gone', async () => {
  const ada = await person();
  const ending = new AbortController();
  let queueId = '';
  const loop = async () => {
    for await (const event of ada.chat.events({ types: ['message'], signal: ending.signal })) {
      if (event.type === 'started') {
        queueId = event.state.queue_id;
        setTimeout(() => ending.abort(new Error('enough')), 300);
      }
    }
  };
  await expect(loop()).rejects.toThrow('enough');
  await expect(
    ada.chat.getEvents({ queue_id: queueId, last_event_id: -1 }, { retry: false }),
  ).rejects.toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
});
