// The examples of the SDK run against the demo as a reader runs them: with the settings that the demo prints, unchanged. Each
// is checked by what it did at the server.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Chat, Trading, type Order } from '@rialto/sdk';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Credentials } from '../scripts/demo/world.ts';
import { startStoredDemo, type DemoProcess } from './demo-process.ts';

const EXAMPLES = fileURLToPath(new URL('../packages/sdk/examples/', import.meta.url));
const WITHIN = { timeout: 90_000 };

/** The demo starts within a minute on a machine that has nothing else to do. */
const START_WITHIN_MS = 300_000;

let running: DemoProcess;
let url: string;
beforeAll(async () => {
  running = await startStoredDemo();
  url = new URL(running.demo.web_url).origin;
}, START_WITHIN_MS);
afterAll(() => running?.dispose());

const chatOf = ({ email, api_key }: Credentials) => new Chat({ url, email, apiKey: api_key });
const tradingOf = ({ trading }: Credentials) =>
  new Trading({ url, key: trading.api_key, secret: trading.secret_key });

interface Running {
  readonly child: ChildProcess;
  /** Everything that it printed so far. */
  output(): string;
  /** Ctrl-C; returns the exit code. */
  interrupt(): Promise<number | null>;
}

function run(file: string, user: Credentials, settings: Record<string, string> = {}): Running {
  const command = file.endsWith('.py') ? 'python3' : process.execPath;
  const child = spawn(command, [EXAMPLES + file], {
    env: {
      PATH: process.env['PATH'],
      PYTHONDONTWRITEBYTECODE: '1',
      RIALTO: url,
      CHAT_USER: `${user.email}:${user.api_key}`,
      TRADING_KEY: user.trading.api_key,
      TRADING_SECRET: user.trading.secret_key,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  const exited = once(child, 'exit');
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    child,
    output: () => output,
    async interrupt() {
      if (child.exitCode === null) child.kill('SIGINT');
      const [code] = (await exited) as [number | null];
      return code;
    },
  };
}

async function messagesOf(reader: Credentials, channel: string, topic: string): Promise<string[]> {
  const { messages } = await chatOf(reader).getMessages({
    anchor: 'newest',
    num_before: 50,
    num_after: 0,
    narrow: [
      { operator: 'channel', operand: channel },
      { operator: 'topic', operand: topic },
    ],
    apply_markdown: false,
  });
  return messages.map(({ content }) => content);
}

describe('the examples, against the demo', () => {
  it('price-alert posts to the topic when the price crosses a level', async () => {
    const { owner, member } = running.demo.users;
    const example = run('price-alert.ts', owner);
    await expect
      .poll(() => messagesOf(member, 'market-news', 'btcusdt alerts'), WITHIN)
      .toContainEqual(expect.stringMatching(/^\*\*btcusdt\*\* went (above|below) \d+\.\d+: /));
    expect(await example.interrupt(), example.output()).toBe(0);
  });

  it('market-maker has at most 60 lines, quotes both sides, follows the price and cancels at its end', async () => {
    const text = readFileSync(`${EXAMPLES}market-maker.ts`, 'utf8');
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
    const { trader_a } = running.demo.users;
    const trading = tradingOf(trader_a);
    const open = () => trading.order.open({ symbol: 'ethusdt' });
    const before = await open();
    expect(before).toEqual([]);
    const example = run('market-maker.ts', trader_a, { SYMBOL: 'ethusdt', EDGE: '0.0002' });
    await expect
      .poll(async () => (await open()).map(({ side }) => side).sort(), WITHIN)
      .toEqual(['buy', 'sell']);
    const first = (await open()).map(({ orderId }) => orderId);
    // The demo's market moves, and the quotes with it.
    await expect
      .poll(async () => (await open()).some(({ orderId }) => !first.includes(orderId)), WITHIN)
      .toBe(true);
    expect(await example.interrupt(), example.output()).toBe(0);
    expect(await open()).toEqual([]);
  });

  it('market-maker leaves no order behind when it is killed', async () => {
    const { trader_a } = running.demo.users;
    const trading = tradingOf(trader_a);
    const open = () => trading.order.open({ symbol: 'solusdt' });
    const example = run('market-maker.ts', trader_a, { SYMBOL: 'solusdt', EDGE: '0.01' });
    await expect.poll(async () => (await open()).length, WITHIN).toBe(2);
    example.child.kill('SIGKILL');
    await expect.poll(async () => (await open()).length, WITHIN).toBe(0);
    const { items } = await trading.order.history({ symbol: 'solusdt', limit: '2' });
    expect(items.map(({ statusReason }: Order) => statusReason)).toEqual([
      'disconnect',
      'disconnect',
    ]);
  });

  it('spread-bot answers in the topic where it is mentioned', async () => {
    const { bot, member } = running.demo.users;
    const example = run('spread-bot.ts', bot);
    await expect.poll(() => example.output(), WITHIN).toContain('listening');
    const ask = (content: string) =>
      chatOf(member).sendMessage({ type: 'stream', to: 'btcusdt', topic: 'spread', content });
    await ask('@**Desk Bot** what about ethusdt?');
    await ask('Nobody is asked here.');
    await ask('@**Desk Bot**, and here?');
    await expect
      .poll(async () => (await messagesOf(member, 'btcusdt', 'spread')).length, WITHIN)
      .toBe(5);
    const answers = (await messagesOf(member, 'btcusdt', 'spread')).filter(
      (text) => !text.includes('Desk Bot') && !text.startsWith('Nobody'),
    );
    expect(answers).toEqual([
      expect.stringMatching(
        /^The spread of \*\*ethusdt\*\* is \d+(\.\d+)?: \d+\.\d+ to \d+\.\d+\.$/,
      ),
      expect.stringMatching(/^The spread of \*\*btcusdt\*\* is /),
    ]);
    expect(await example.interrupt(), example.output()).toBe(0);
  });

  it('Python signs with the standard library alone', async () => {
    const { trader_b } = running.demo.users;
    const example = run('python/place_order.py', trader_b, { SYMBOL: 'xrpusdt' });
    const [code] = (await once(example.child, 'exit')) as [number | null];
    expect(code, example.output()).toBe(0);
    const id = /^order (\d+): buy [\d.]+ at [\d.]+ is open\norder \1 is canceled\n$/.exec(
      example.output(),
    )?.[1];
    expect(id, example.output()).toBeDefined();
    const order = await tradingOf(trader_b).order.get({ orderId: id ?? '' });
    expect(order).toMatchObject({ symbol: 'xrpusdt', status: 'canceled', statusReason: 'user' });
  });

  it('Python follows messages and orders in one queue', async () => {
    const { trader_a, member } = running.demo.users;
    const example = run('python/follow_events.py', trader_a);
    await expect.poll(() => example.output(), WITHIN).toContain('listening, with the accounts ');
    const order = await tradingOf(trader_a).order.create({
      symbol: 'xrpusdt',
      side: 'buy',
      type: 'limit',
      price: '1.9',
      volume: '10',
    });
    await expect.poll(() => example.output(), WITHIN).toContain(`order ${order.orderId} is open`);
    await chatOf(member).sendMessage({
      type: 'stream',
      to: 'general',
      topic: 'python',
      content: 'Hello, queue.',
    });
    await expect.poll(() => example.output(), WITHIN).toContain('Hello, queue.');
    await tradingOf(trader_a).order.cancel({ orderId: order.orderId });
    await expect
      .poll(() => example.output(), WITHIN)
      .toContain(`order ${order.orderId} is canceled`);
    expect(await example.interrupt(), example.output()).toBe(0);
  });
});
