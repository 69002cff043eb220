// Channels with more people than most organizations have, created by one request.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROLE } from '../../../accounts/roles.ts';
import { examplePerson } from '../../../testing/example.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { chatClient, type ChatClient } from '../../../testing/chat/client.ts';

const CROWD = 10_001;

let server: TestServer;
let client: ChatClient;
let ids: number[];

beforeAll(async () => {
  server = await startTestServer();
  const owner = await examplePerson(server.ctx, { role: ROLE.owner });
  client = chatClient(server, owner);
  const { rows } = await sql<{ id: number }>`
    INSERT INTO users (email, full_name, role, chat_key_lookup, chat_key_sealed)
    SELECT 'crowd' || n || '@example.com', 'Crowd ' || n, 400, sha256(('crowd' || n)::bytea), '\\x00'
      FROM generate_series(1, ${CROWD}::int) n
    RETURNING id`.execute(server.ctx.db);
  ids = rows.map(({ id }) => id);
}, 60_000);
afterAll(() => server.close());

it('one request creates a channel or a group with 10,001 people', async () => {
  const made = await client.post('/channels/create', { name: 'everybody', subscribers: ids });
  expect(made.body).toMatchObject({ result: 'success' });
  const members = await client.get(`/streams/${String(made.body['id'])}/members`);
  expect(members.body['subscribers']).toHaveLength(CROWD);
  const group = await client.post('/user_groups/create', {
    name: 'crowd',
    description: '',
    members: ids,
  });
  expect(group.body).toMatchObject({ result: 'success' });
}, 120_000);

it('refuses a list that is too long, and says how long it may be', async () => {
  const many = Array.from({ length: 100_001 }, (_value, index) => index % 10);
  const created = await client.post('/channels/create', { name: 'too many', subscribers: many });
  expect([created.status, created.body]).toMatchObject([
    400,
    { code: 'BAD_REQUEST', msg: 'subscribers is too long (limit: 100000 items)' },
  ]);
  const flags = { op: 'add', flag: 'read', messages: many.slice(0, 10_001) };
  const flagged = await client.post('/messages/flags', flags);
  expect(flagged.body).toMatchObject({ msg: 'messages is too long (limit: 5000 items)' });
});
