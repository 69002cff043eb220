// Register in a large organization: nothing is loaded that was not asked for, long answers are compressed for clients that
// take that, and an answer beyond the limit leaves nothing behind.
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLE } from '../../../accounts/roles.ts';
import { examplePerson, type Person } from '../../../testing/example.ts';
import { chatClient, type ChatClient } from '../../../testing/chat/client.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';

const CROWD = 4000;

let server: TestServer;
let owner: Person;
let client: ChatClient;

beforeAll(async () => {
  server = await startTestServer({
    settings: { CHAT_RATE_LIMIT: '100000', CHAT_DIRECTORY_BYTES_MAX: String(4 * 1024 * 1024) },
  });
  owner = await examplePerson(server.ctx, { role: ROLE.owner });
  client = chatClient(server, owner);
  await addCrowd(0, CROWD);
});
afterAll(() => server.close());

/** Names with characters of one, two and four bytes, so that pieces of the answer end everywhere in them. */
const addCrowd = (after: number, count: number) =>
  server.owner.query(
    `INSERT INTO users (email, full_name, role, is_active, chat_key_lookup, chat_key_sealed)
     SELECT 'crowd' || n || '@example.com', repeat('گ😀x', n % 8) || ' ' || n, $3, n % 10 <> 0,
            sha256(('crowd' || n)::bytea), '\\x00'
       FROM generate_series($1::int + 1, $1::int + $2::int) AS n`,
    [after, count, ROLE.member],
  );

interface Row {
  readonly user_id: number;
  readonly full_name: string;
}

const UNPACK = {
  zstd: zstdDecompressSync,
  br: brotliDecompressSync,
  gzip: gunzipSync,
  none: (bytes: Buffer) => bytes,
} as const;

/** `fetch` would unpack the answer by itself and hide how it came. */
function registerRaw(
  accepts: string,
): Promise<{ encoding: string | undefined; vary: string | undefined; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: owner.basic, 'accept-encoding': accepts };
    const outgoing = request(
      `${server.chatUrl}/register`,
      { method: 'POST', headers },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            encoding: response.headers['content-encoding'],
            vary: response.headers.vary,
            bytes: Buffer.concat(chunks),
          }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end();
  });
}

const peopleIn = (bytes: Buffer) => {
  const body = JSON.parse(bytes.toString()) as Record<string, Row[]>;
  return { active: body['realm_users'] ?? [], others: body['realm_non_active_users'] ?? [] };
};

describe('register in a large organization', () => {
  it('lists everybody once, by id, in the list of their state', async () => {
    const { active, others } = peopleIn((await registerRaw('identity')).bytes);
    expect(others).toHaveLength(CROWD / 10);
    expect(active).toHaveLength(CROWD - CROWD / 10 + 1);
    for (const list of [active, others]) {
      const ids = list.map(({ user_id }) => user_id);
      expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    }
    const { rows } = await server.owner.query<{ id: number; name: string }>(
      'SELECT id, full_name AS name FROM users WHERE NOT is_system',
    );
    const names = new Map([...active, ...others].map((row) => [row.user_id, row.full_name]));
    expect(names).toEqual(new Map(rows.map(({ id, name }) => [id, name])));
  });

  it.each([
    ['zstd, br, gzip', 'zstd'],
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['*', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', undefined],
    ['br;q=0', undefined],
    ['x'.repeat(4000), undefined],
  ])('a client that takes %s gets %s', async (accepts, expected) => {
    const { encoding, vary, bytes } = await registerRaw(accepts);
    expect(encoding).toBe(expected);
    expect(vary).toBe('Authorization, Cookie, Accept-Encoding');
    const plain = UNPACK[expected === undefined ? 'none' : (expected as 'br')](bytes);
    expect(peopleIn(plain).active).toHaveLength(CROWD - CROWD / 10 + 1);
    if (expected !== undefined) expect(bytes.length).toBeLessThan(plain.length / 5);
  });

  it('loads nobody for a client that fetches no people', async () => {
    const { body, text } = await client.post('/register', { event_types: ['reaction'] });
    expect(body).toMatchObject({ result: 'success' });
    expect(body).not.toHaveProperty('realm_users');
    expect(text.length).toBeLessThan(500);
  });

  it('refuses an answer beyond the limit while it grows, and opens no queue for it', async () => {
    const queues = async () => (await server.owner.query('SELECT FROM event_queues')).rowCount;
    await addCrowd(CROWD, 3 * CROWD);
    const before = await queues();
    const answer = await client.post('/register');
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.body).toMatchObject({ result: 'error' });
    expect(await queues()).toBe(before);
    // The others are served as before.
    const { body } = await client.post('/register', { fetch_event_types: [] });
    expect(body).toMatchObject({ result: 'success' });
  });
});
