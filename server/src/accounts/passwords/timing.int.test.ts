// Response times reveal nothing about who has an account.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chatClient } from '../../testing/chat/client.ts';
import { deactivatePerson } from '../../chat/administration/users/actions.ts';
import { examplePerson } from '../../testing/example.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { ROLE } from '../roles.ts';
import { MEASURED } from '../../testing/measured.ts';

const PASSWORD = 'a long enough secret';
const ROUNDS = 41;

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ settings: { CHAT_RATE_LIMIT_ANONYMOUS: '100000' } });
});
afterAll(() => server.close());

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

it(
  'an unknown name, a wrong password, a deactivated person, a bot and a person without password are answered alike, and in equal time',
  { ...MEASURED, timeout: 120_000 },
  async () => {
    const owner = await examplePerson(server.ctx, { role: ROLE.owner });
    const gone = await examplePerson(server.ctx, { password: PASSWORD });
    await deactivatePerson(server.ctx, owner, gone.id);
    const names = {
      wrong: (await examplePerson(server.ctx, { password: PASSWORD })).email,
      unknown: 'nobody@example.com',
      deactivated: gone.email,
      bot: (await examplePerson(server.ctx, { botType: 1 })).email,
      withoutPassword: (await examplePerson(server.ctx)).email,
    };
    const times = new Map<string, number[]>(Object.keys(names).map((kind) => [kind, []]));
    const answers = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      await server.ctx.database.pool.query('DELETE FROM sign_in_buckets');
      // Each comes first equally often, so that other load affects them alike.
      const kinds = Object.entries(names);
      for (const [kind, username] of [...kinds.slice(round % 5), ...kinds.slice(0, round % 5)]) {
        const startedMs = performance.now();
        const given = { username, password: 'a wrong guess' };
        const { status, body } = await chatClient(server).post('/fetch_api_key', given);
        times.get(kind)?.push(performance.now() - startedMs);
        answers.add(JSON.stringify([status, body]));
      }
    }
    expect([...answers]).toHaveLength(1);
    const medians = [...times.values()].map(median);
    // Without the hash that a wrong password costs, the answer would come in a fraction of the
    // time.
    expect(Math.max(...medians) / Math.min(...medians)).toBeLessThan(1.25);
  },
);
