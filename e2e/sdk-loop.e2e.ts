// A program that knows only the SDK trades and talks from one loop across a rolling restart of the whole deployment: its final
// balances, orders, trades and messages equal the server's. SDK_LOOP_SECONDS sets how long it runs; the gate takes half a minute.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Chat, Trading, type MyTrade, type Order } from '@rialto/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { START_WITHIN_MS, startSdkCluster, type Member, type SdkCluster } from './sdk/cluster.ts';
import type { Beliefs } from './sdk/program.ts';

const RUN_MS = Number(process.env['SDK_LOOP_SECONDS'] ?? 30) * 1000;
const PROGRAM = fileURLToPath(new URL('sdk/program.ts', import.meta.url));
const CHANNEL = 'floor';

let cluster: SdkCluster | undefined;
let member: Member;
let maker: Member;

beforeAll(async () => {
  cluster = await startSdkCluster({ CHAT_RATE_LIMIT: '100000' });
  member = await cluster.join();
  maker = await cluster.join();
}, START_WITHIN_MS);
afterAll(() => cluster?.close());

function venue(): SdkCluster {
  if (cluster === undefined) throw new Error('The cluster did not start.');
  return cluster;
}
const url = () => venue().balancer.origin;

async function runProgram(): Promise<Beliefs> {
  const settings = { url: url(), ...member, channel: CHANNEL, runMs: RUN_MS };
  const child = spawn(process.execPath, [PROGRAM], {
    env: { PATH: process.env['PATH'], PROGRAM: JSON.stringify(settings) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const late = setTimeout(() => child.kill('SIGKILL'), RUN_MS + 120_000);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearTimeout(late);
  expect(code, 'the program ended by itself').toBe(0);
  return JSON.parse(output) as Beliefs;
}

/** Stops and starts every process in turn, spread over the run. */
async function roll(): Promise<number> {
  const { all } = venue();
  for (const one of all) {
    await sleep(RUN_MS / (all.length + 2));
    expect(await one.stop(), `${one.roles} stops in order`).toBe(0);
    await one.restart();
  }
  return all.length;
}

/** All messages of the topic, oldest first. */
async function listMessages(chat: Chat): Promise<{ id: number; content: string }[]> {
  const found: { id: number; content: string }[] = [];
  for (;;) {
    const { messages } = await chat.getMessages({
      anchor: String((found.at(-1)?.id ?? 0) + 1),
      num_before: 0,
      num_after: 1000,
      narrow: [{ operator: 'topic', operand: 'sdk' }],
      apply_markdown: false,
    });
    if (messages.length === 0) return found;
    found.push(...messages.map(({ id, content }) => ({ id, content })));
  }
}

const byId = <T extends Record<K, string>, K extends keyof T>(list: readonly T[], key: K) =>
  list.toSorted((a, b) => Number(a[key]) - Number(b[key]));

it('believes at the end what the server says', { timeout: RUN_MS + 240_000 }, async () => {
  const chat = new Chat({ url: url(), ...member.chat });
  await chat.subscribe({ subscriptions: [{ name: CHANNEL }] });
  // Somebody to trade with, on both sides.
  const other = new Trading({ url: url(), ...maker.trading });
  for (const [side, price] of [
    ['buy', '63995.00'],
    ['sell', '64005.00'],
  ] as const) {
    await other.order.create({ symbol: 'btcusdt', side, type: 'limit', price, volume: '50' });
  }

  const [beliefs, restarted] = await Promise.all([runProgram(), roll()]);

  const trading = new Trading({ url: url(), ...member.trading });
  const orders: Order[] = [];
  for await (const order of trading.each('order.history', { limit: '500' })) orders.push(order);
  const trades: MyTrade[] = [];
  for await (const trade of trading.each('order.trades', { limit: '500' })) trades.push(trade);
  expect(orders.length).toBeGreaterThan(10);
  expect(byId(beliefs.orders, 'orderId')).toEqual(byId(orders, 'orderId'));
  expect(byId(beliefs.trades, 'tradeId')).toEqual(byId(trades, 'tradeId'));
  const balances = await trading.account.balances();
  for (const balance of balances) {
    const believed = beliefs.balances.find(({ coin }) => coin === balance.coin);
    expect({ ...believed, updatedAt: '' }).toEqual({ ...balance, updatedAt: '' });
  }
  const messages = await listMessages(chat);
  expect(beliefs.messages).toEqual(messages);
  expect(beliefs.restarts, 'the queue survived every restart').toBe(0);
  console.log(
    `${RUN_MS / 1000} s, ${restarted} processes restarted, ${beliefs.troubles} calls repeated: ` +
      `${orders.length} orders, ${trades.length} trades, ${messages.length} messages and ${balances.length} balances are the server's`,
  );
});
