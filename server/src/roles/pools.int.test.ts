// Using up the connections of one kind of work does not affect another kind.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PoolName } from '../platform/db/pools.ts';
import { liveVenue } from '../testing/live-venue.ts';
import { examplePerson, type Person } from '../testing/example.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import type { Trader } from '../testing/trader.ts';
import { chatClient } from '../testing/chat/client.ts';

const PASSWORD = 'a long enough pass-phrase 91';

let server: TestServer;
let person: Person;
let trader: Trader;

beforeAll(async () => {
  server = await startTestServer({ withEngine: true });
  person = await examplePerson(server.ctx, { password: PASSWORD });
  trader = await (await liveVenue(server, { phase: 'continuous' })).trader();
  // The first call of somebody is looked up on a connection of chat.
  await doors.search();
});
afterAll(() => server.close());

const SEARCH = [{ operator: 'search', operand: 'anything' }];

const doors: Record<'trading' | 'chat' | 'search' | 'signIn', () => Promise<number>> = {
  trading: async () => {
    const params = {
      symbol: 'btcusdt',
      side: 'buy',
      type: 'limit',
      price: '60000',
      volume: '0.01',
    };
    const url = `${server.baseUrl}/private/order/create`;
    return (await trader.call(url, { method: 'POST', params })).status;
  },
  chat: async () => {
    const answer = await chatClient(server, person).post('/messages', {
      type: 'direct',
      to: [person.id],
      content: 'to myself',
    });
    return answer.status;
  },
  search: async () => {
    const page = { anchor: 'newest', num_before: 10, narrow: SEARCH };
    return (await chatClient(server, person).get('/messages', page)).status;
  },
  signIn: async () => {
    const given = { username: person.email, password: PASSWORD };
    return (await chatClient(server).post('/fetch_api_key', given)).status;
  },
};

/** What each request needs. The process remembers who searches, and the search itself checks that (decision 0093). */
const NEEDS: Record<keyof typeof doors, readonly PoolName[]> = {
  trading: ['trading'],
  chat: ['chat'],
  search: ['search'],
  signIn: ['signIn'],
};

it.each(['trading', 'chat', 'search', 'signIn', 'worker'] as const)(
  'while no connection of %s is free, every other kind of request is answered',
  async (name) => {
    const { pool } = server.ctx.pooled(name).database;
    const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
    const ask = async ([door, call]: [string, () => Promise<number>]) => [door, await call()];
    const answers = await Promise.all(Object.entries(doors).map(ask));
    for (const one of held) one.release();
    expect(Object.fromEntries(answers)).toEqual(
      Object.fromEntries(
        Object.entries(NEEDS).map(([door, needs]) => [door, needs.includes(name) ? 503 : 200]),
      ),
    );
  },
);
