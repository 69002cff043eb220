// The demo's contract: one line of JSON, both APIs with the credentials in it, and nothing left behind.
import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Credentials } from '../scripts/demo/world.ts';
import { runBot } from '../server/src/testing/bot.ts';
import { RIALTO_BINARY } from '../server/src/testing/rialto-process.ts';
import { openBrowser } from './browser.ts';
import { settled, startDemo, type DemoProcess } from './demo-process.ts';
import { runBlock, readmeBlocks, SHELLS } from './readme.ts';

const CAST = ['owner', 'admin', 'moderator', 'member', 'guest', 'bot', 'trader_a', 'trader_b'];
const ROLES = { owner: 100, admin: 200, moderator: 300, member: 400, guest: 600 };

type Json = Record<string, unknown>;

async function json(url: string, init: RequestInit = {}): Promise<{ status: number; body: Json }> {
  const answer = await fetch(url, init);
  return { status: answer.status, body: (await answer.json()) as Json };
}

const basic = ({ email, api_key }: Credentials) => ({
  authorization: `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}`,
});

const form = (fields: Record<string, string>) => ({
  method: 'POST',
  body: new URLSearchParams(fields),
});

/** Earlier calls may have used up the ten requests of this second. */
async function signed(
  base: string,
  path: string,
  { trading }: Credentials,
  query = '',
): Promise<Response> {
  const text = `${query}${query === '' ? '' : '&'}timestamp=${Date.now()}`;
  const signature = createHmac('sha256', trading.secret_key).update(text).digest('hex');
  const headers = { 'X-SVC-APIKEY': trading.api_key, 'X-SVC-SIGNATURE': signature };
  const ask = () => fetch(`${base}${path}?${text}`, { headers });
  const answer = await ask();
  if (answer.status !== 429) return answer;
  await new Promise((resolve) => setTimeout(resolve, 1100));
  return ask();
}

describe('alone', () => {
  let running: DemoProcess;
  beforeAll(async () => {
    running = await startDemo(['--json', '--port', '0']);
  });
  afterAll(() => running.dispose());

  it('is ready well within a minute and prints exactly one line', () => {
    expect(running.readyMs).toBeLessThan(60_000);
    expect(running.output).toHaveLength(1);
    const { base_url, chat_url, web_url, api_urls } = running.demo;
    const origin = new URL(web_url).origin;
    expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect([base_url, chat_url, web_url]).toEqual([
      `${origin}/v1`,
      `${origin}/api/v1`,
      `${origin}/`,
    ]);
    expect(api_urls).toBeUndefined();
  });

  it('gives each person of the cast every credential, with the same ids in every run', () => {
    expect(Object.keys(running.demo.users)).toEqual(CAST);
    for (const [index, user] of Object.values(running.demo.users).entries()) {
      expect(user).toEqual({
        email: expect.stringMatching(/^[^@]+@[^@]+$/),
        password: expect.stringMatching(/^.{12,}$/),
        api_key: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
        user_id: index + 1,
        trading: {
          api_key: expect.stringMatching(/^svc_key_/),
          secret_key: expect.stringMatching(/^svc_secret_/),
        },
      });
    }
  });

  it('gives the operators what their commands need', () => {
    const { operators, users } = running.demo;
    expect(Object.keys(operators.secrets)).toEqual([users.owner.email, users.admin.email]);
    for (const [email, secret] of Object.entries(operators.secrets)) {
      const who = ['--email', users.guest.email, '--reason', 'A drill', '--by', email];
      const { status, stdout } = spawnSync(
        process.execPath,
        [RIALTO_BINARY, 'admin', 'session', 'end', ...who, '--json'],
        {
          cwd: '/',
          env: {
            PATH: process.env['PATH'],
            ...operators.environment,
            RIALTO_OPERATOR_SECRET: secret,
          },
          encoding: 'utf8',
        },
      );
      expect([status, JSON.parse(stdout)]).toMatchObject([0, { status: 'signed out' }]);
    }
  });

  const addressOf = (path: string) => new URL(path, running.demo.web_url).href;
  it.each([
    ['front page', () => running.demo.web_url, 'Rialto Demo', 'Skip to main content'],
    ['reference', () => `${running.demo.base_url}/docs`, 'Trading API', 'Skip to main content'],
    ['list of markets', () => addressOf('/markets'), 'Markets', 'Skip to main content'],
    ['page of a coin', () => addressOf('/coins/btc'), 'Bitcoin', 'Skip to main content'],
  ])(
    'shows a browser a %s that fits every screen and needs no mouse',
    async (_name, url, title, skip) => {
      const browser = await openBrowser();
      try {
        for (const colorScheme of ['light', 'dark'] as const) {
          for (const width of [1440, 768, 390, 320]) {
            const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
            const complaints: string[] = [];
            page.on('console', (message) => complaints.push(message.text()));
            page.on('requestfailed', (request) => complaints.push(request.url()));
            await page.goto(url());
            expect(await page.title()).toContain(title);
            const sideways = 'document.documentElement.scrollWidth - innerWidth';
            expect(await page.evaluate(sideways), `${width} ${colorScheme}`).toBeLessThanOrEqual(0);
            await page.keyboard.press('Tab');
            expect(await page.locator(':focus').textContent()).toBe(skip);
            expect(complaints).toEqual([]);
            await page.close();
          }
        }
      } finally {
        await browser.close();
      }
    },
  );

  it('answers public trading calls with data', async () => {
    const { base_url } = running.demo;
    expect((await json(`${base_url}/public/ping`)).body['result']).toBe('pong');
    const markets = (await json(`${base_url}/public/exchange_info`)).body['result'] as Json[];
    expect(markets.length).toBeGreaterThanOrEqual(6);
    expect(markets.filter((market) => market['isActive'] === false)).toHaveLength(1);
    const coins = (await json(`${base_url}/public/coins_info`)).body['result'] as Json[];
    expect(coins.length).toBeGreaterThanOrEqual(8);
  });

  it('has a week of history, and its markets move', async () => {
    const { base_url } = running.demo;
    const candles = await json(
      `${base_url}/public/candlesticks?symbol=ethirt&resolution=1d&limit=8`,
    );
    const days = candles.body['result'] as { tradeCount: string }[];
    expect(days.filter(({ tradeCount }) => Number(tradeCount) > 20).length).toBeGreaterThanOrEqual(
      7,
    );
    const book = (await json(`${base_url}/public/orderbook?symbol=btcusdt`)).body['result'] as {
      orderbook: { bids: Json[]; asks: Json[] };
    };
    expect(book.orderbook.bids.length).toBeGreaterThan(10);
    expect(book.orderbook.asks.length).toBeGreaterThan(10);
    const { body } = await json(`${base_url}/public/status`);
    expect(body['result']).toMatchObject({ money: 'simulated' });
    // Some market trades within a few seconds; this uses few of the visitor's own requests.
    const readyMs = Date.now();
    const newest = async () => {
      const tickers = (await json(`${base_url}/public/last_prices`)).body['result'] as Json[];
      return Math.max(...tickers.map(({ time }) => Number(time)));
    };
    await expect.poll(newest, { timeout: 20_000, interval: 500 }).toBeGreaterThan(readyMs);
  });

  it('runs the bot of the documentation unchanged, with a key that it prints', async () => {
    const { base_url, users } = running.demo;
    const { api_key, secret_key } = users.trader_a.trading;
    const script = await (await fetch(`${base_url}/docs/bot.mjs`)).text();
    const printed = await runBot(script, api_key, secret_key);
    expect(printed.map((line) => line.split(' ')[0])).toEqual(
      expect.arrayContaining([
        'market',
        'placed',
        'repeated',
        'amended',
        'canceled',
        'bought',
        'trade',
        'btc',
      ]),
    );
    expect(printed.find((line) => line.startsWith('placed'))).toMatch(/^placed \d+ open at \d/);
    expect(printed.find((line) => line.startsWith('repeated'))).toMatch(/ true$/);
  });

  it('shows a funded trader every coin of its markets, over a signed call', async () => {
    const { base_url, users } = running.demo;
    const answer = await signed(base_url, '/private/account/balances', users.trader_a);
    expect(answer.status).toBe(200);
    const { result } = (await answer.json()) as { result: { coin: string; available: string }[] };
    const funded = new Map(result.map(({ coin, available }) => [coin, available]));
    for (const coin of ['btc', 'eth', 'usdt', 'xrp', 'ton', 'trx', 'sol', 'doge', 'ltc', 'irt']) {
      expect(Number(funded.get(coin)), coin).toBeGreaterThan(0);
    }
  });

  it('knows everybody by chat key, in their role', async () => {
    const { chat_url, users } = running.demo;
    for (const [name, role] of Object.entries(ROLES)) {
      const user = users[name as keyof typeof ROLES];
      const { status, body } = await json(`${chat_url}/users/me`, { headers: basic(user) });
      expect(status, name).toBe(200);
      expect(body).toMatchObject({ user_id: user.user_id, email: user.email, role });
    }
  });

  it('gives the chat key only for the right password', async () => {
    const { chat_url, users } = running.demo;
    const { email, password, api_key } = users.member;
    const right = await json(`${chat_url}/fetch_api_key`, form({ username: email, password }));
    expect(right.body).toMatchObject({ result: 'success', api_key });
    const wrong = await json(
      `${chat_url}/fetch_api_key`,
      form({ username: email, password: 'wrong' }),
    );
    expect(wrong.status).toBe(401);
  });

  it('has two weeks of chat: channels in folders, conversations in two languages, unread messages', async () => {
    const { chat_url, users } = running.demo;
    const state = async (user: Credentials) => {
      const headers = basic(user);
      const { body } = await json(`${chat_url}/register`, { ...form({}), headers });
      expect(body['result']).toBe('success');
      return body as Json & {
        channel_folders: { id: number; name: string }[];
        subscriptions: Json[];
        unread_msgs: { count: number; mentions: number[] };
        starred_messages: number[];
        user_status: Json;
        cross_realm_bots: Json[];
      };
    };
    const member = await state(users.member);
    expect(member.channel_folders.map(({ name }) => name)).toContain('فارسی');
    expect(member.subscriptions.length).toBeGreaterThanOrEqual(8);
    for (const channel of member.subscriptions) expect(channel['folder_id']).not.toBeNull();
    expect(Object.keys(member.user_status).length).toBeGreaterThan(3);
    expect(member.cross_realm_bots).toMatchObject([{ is_system_bot: true }]);
    for (const name of ['owner', 'admin', 'moderator', 'member', 'trader_a', 'trader_b'] as const) {
      const { unread_msgs, starred_messages } = await state(users[name]);
      expect(unread_msgs.count, name).toBeGreaterThan(0);
      expect(unread_msgs.count, name).toBeLessThan(100);
      expect(starred_messages.length, name).toBeGreaterThan(0);
    }
    const query = new URLSearchParams({ anchor: 'newest', num_before: '1000', narrow: '[]' });
    const headers = basic(users.member);
    const { body } = await json(`${chat_url}/messages?${query.toString()}`, { headers });
    const messages = body['messages'] as { content: string; timestamp: number; subject: string }[];
    expect(messages.length).toBeGreaterThan(150);
    const ages = messages.map(({ timestamp }) => (Date.now() / 1000 - timestamp) / 86_400);
    expect(Math.max(...ages)).toBeGreaterThan(12);
    expect(Math.min(...ages)).toBeLessThan(0.2);
    const all = messages.map(({ content }) => content).join('\n');
    for (const part of [
      '<table>',
      'class="codehilite"',
      'katex',
      'user-mention',
      '<blockquote>',
      'سفارش',
    ]) {
      expect(all, part).toContain(part);
    }
    expect(messages.some(({ subject }) => subject.startsWith('✔ '))).toBe(true);
  });

  it('SIGTERM ends it within five seconds and nothing is left', async () => {
    expect(running.processes().length).toBeGreaterThan(2);
    running.kill('SIGTERM');
    const { code, ms } = await running.ended();
    expect(code).toBe(0);
    expect(ms).toBeLessThan(5000);
    expect(await settled(running, 5000 - ms)).toEqual({ processes: [], files: [] });
    expect(running.output).toHaveLength(1);
  });
});

describe('as a cluster', () => {
  let running: DemoProcess;
  beforeAll(async () => {
    running = await startDemo(['--json', '--port', '0', '--cluster']);
  });
  afterAll(() => running.dispose());

  it('names two api processes, and both answer', async () => {
    const urls = running.demo.api_urls ?? [];
    expect(new Set(urls).size).toBe(2);
    expect(running.demo.base_url).toBe(`${urls[0]}/v1`);
    // Five processes and three engines have started, and none of their logs is in the output for
    // people.
    expect(running.complaints()).not.toMatch(/^\{/m);
    for (const url of urls) {
      const { status, body } = await json(`${url}/health/ready`);
      expect(status).toBe(200);
      expect(body['checks']).toMatchObject({ bus: 'ok', windows: 'ok', database: 'ok' });
    }
  });

  it('a queue registered at one process receives what was done at the other', async () => {
    const [here = '', there = ''] = running.demo.api_urls ?? [];
    const headers = basic(running.demo.users.member);
    const registered = await json(`${here}/api/v1/register`, {
      ...form({ event_types: '["drafts"]' }),
      headers,
    });
    expect(registered.body['result']).toBe('success');
    const draft = { type: '', to: [], topic: '', content: 'From the other side' };
    const made = await json(`${there}/api/v1/drafts`, {
      ...form({ drafts: JSON.stringify([draft]) }),
      headers,
    });
    expect(made.body['result']).toBe('success');
    const query = new URLSearchParams({
      queue_id: String(registered.body['queue_id']),
      last_event_id: String(registered.body['last_event_id']),
    });
    const { body } = await json(`${here}/api/v1/events?${query.toString()}`, { headers });
    expect(body['events']).toMatchObject([
      { type: 'drafts', op: 'add', drafts: [{ content: 'From the other side' }] },
    ]);
  });

  it('the limit of ten a second holds across both processes', async () => {
    const urls = running.demo.api_urls ?? [];
    const calls = Array.from({ length: 24 }, (_none, index) =>
      fetch(`${urls[index % 2]}/v1/public/ping`).then(({ status }) => status),
    );
    const answered = (await Promise.all(calls)).filter((status) => status === 200);
    expect(answered.length).toBeLessThanOrEqual(10);
    expect(answered.length).toBeGreaterThan(0);
  });

  it('SIGINT ends every process within five seconds and nothing is left', async () => {
    // npm, the demo, five roles, PostgreSQL, NATS, Redis and their watchdogs.
    expect(running.processes().length).toBeGreaterThan(8);
    running.kill('SIGINT');
    const { code, ms } = await running.ended();
    expect(code).toBe(0);
    expect(ms).toBeLessThan(5000);
    expect(await settled(running, 5000 - ms)).toEqual({ processes: [], files: [] });
  });
});

/** A fresh demo, and then twenty commands in three shells. */
const README_WITHIN_MS = 300_000;

describe('for people', { timeout: README_WITHIN_MS }, () => {
  it('prints progress and a summary that works with the README, and leaves nothing when it is killed', async () => {
    const running = await startDemo(['--port', '0']);
    onTestFinished(() => running.dispose());
    for (let wait = 0; wait < 2400 && !running.output.join('\n').includes('Ctrl-C'); wait += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const text = running.output.join('\n');
    expect(text).toMatch(/✓ PostgreSQL started +\d+\.\d s/);
    expect(text).toMatch(/Trading API +http:\/\/127\.0\.0\.1:\d+\/v1/);
    expect(text).toContain('owner@rialto.example');
    expect(text).toMatch(/KEY=svc_key_\w+ SECRET=svc_secret_\w+ node bot\.mjs/);
    expect(text.match(/Trading key of trader_[ab]/g)).toHaveLength(2);
    await followReadme(running.output);
    const all = running.processes();
    // Killed without warning, npm cannot pass on the signal; then the demo itself is killed, and
    // cannot clean up.
    for (const pid of all.slice(0, 2)) process.kill(pid, 'SIGKILL');
    expect(await settled(running, 20_000)).toEqual({ processes: [], files: [] });
  });
});

/** The expected answers of the README's demo blocks, in order. */
const ANSWERS: readonly RegExp[] = [
  /"result":"success".*"id":\d+/,
  /"content":"<p>Good <strong>/,
  /"result":"success".*"events":\[/,
  /"bids":\[\{"price":"\d/,
  /"filledVolume":"0\.001000".*"averagePrice":"\d.*"status":"filled"/,
  /"coin":"btc","available":"\d/,
  /market phase/,
];

/** Types the README's commands into every shell it names, after the lines that the demo printed. */
async function followReadme(output: readonly string[]): Promise<void> {
  const blocks = readmeBlocks('demo');
  expect(blocks).toHaveLength(ANSWERS.length);
  const exports = output.filter((line) => /^ {4}export /.test(line)).join('\n');
  for (const [index, block] of blocks.entries()) {
    // The last block stops the venue and takes a second per command: once is enough.
    const shells = index === blocks.length - 1 ? SHELLS.slice(-1) : SHELLS;
    for (const shell of shells) {
      const answer = await runBlock(shell, `${exports}\n${block}`);
      expect(answer, `${shell.name}: ${block}`).toMatch(ANSWERS[index] ?? /^$/);
      // Two identical orders signed in one second count as one: the README's clock counts seconds.
      if (block.includes('order/create')) await new Promise((resolve) => setTimeout(resolve, 1100));
    }
  }
}
