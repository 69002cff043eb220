// A right is taken away while somebody uses it. The test locks what the act writes, so that the act stops between the
// check and the write; then the right is taken away; then the act goes on. After the answer that the right is gone, it
// must not be used any more: either taking it away waits for the act, or the act is refused.
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLE, type RoleCode } from '../../../accounts/roles.ts';
import { roleGroupId } from '../../../accounts/users/role-groups.ts';
import { examplePerson, type Person } from '../../example.ts';
import { startTestServer, type TestServer } from '../../server.ts';
import { pause } from '../../../platform/std/wait.ts';
import { chatClient, type Answer, type ChatClient } from '../../chat/client.ts';

const ROUNDS = 12;
/** Longer than a revocation takes, unless it has to wait for the act. */
const REVOKE_MS = 200;

let server: TestServer;
let owner: Person;
let byOwner: ChatClient;

beforeAll(async () => {
  server = await startTestServer({ settings: { CHAT_RATE_LIMIT: '100000' } });
  owner = await examplePerson(server.ctx, { role: ROLE.owner });
  byOwner = chatClient(server, owner);
});
afterAll(() => server.close());

interface Scene {
  readonly person: Person;
  readonly client: ChatClient;
  readonly channelId: number;
  readonly name: string;
  readonly messageId: number;
}

let scenes = 0;

async function sure(answer: Promise<Answer>): Promise<Record<string, unknown>> {
  const { body, text } = await answer;
  expect(body, text).toMatchObject({ result: 'success' });
  return body;
}

async function openScene(role: RoleCode): Promise<Scene> {
  const person = await examplePerson(server.ctx, { role });
  const client = chatClient(server, person);
  const name = `scene ${(scenes += 1)}`;
  const { id } = await sure(
    byOwner.post('/channels/create', {
      name,
      subscribers: [person.id, owner.id],
      invite_only: true,
    }),
  );
  const channelId = Number(id);
  if (role === ROLE.administrator) {
    const group = roleGroupId('role:administrators');
    await sure(byOwner.patch(`/streams/${channelId}`, { can_send_message_group: { new: group } }));
  }
  const message = { type: 'channel', to: channelId, topic: 'x', content: 'before' };
  const { id: messageId } = await sure(client.post('/messages', message));
  return { person, client, channelId, name, messageId: Number(messageId) };
}

const ACTS: Readonly<
  Record<string, { lock(scene: Scene): [string, unknown[]]; act(scene: Scene): Promise<Answer> }>
> = {
  'sending a message': {
    lock: ({ channelId }) => [
      `SELECT FROM conversation_counters WHERE conversation_id =
         (SELECT conversation_id FROM channels WHERE id = $1) FOR UPDATE`,
      [channelId],
    ],
    act: ({ client, channelId }) =>
      client.post('/messages', { type: 'channel', to: channelId, topic: 'x', content: 'during' }),
  },
  'editing a message': {
    lock: ({ channelId }) => [
      `SELECT FROM conversation_counters WHERE conversation_id =
         (SELECT conversation_id FROM channels WHERE id = $1) FOR UPDATE`,
      [channelId],
    ],
    act: ({ client, messageId }) => client.patch(`/messages/${messageId}`, { content: 'during' }),
  },
};

/** For an administrator, where only administrators may post. */
const LOWERING = 'losing the required role';

const TAKING: Readonly<Record<string, (scene: Scene) => Promise<Answer>>> = {
  'being deactivated': ({ person }) => byOwner.delete(`/users/${person.id}`),
  'being removed from the channel': ({ person, name }) =>
    byOwner.delete('/users/me/subscriptions', { subscriptions: [name], principals: [person.id] }),
  [LOWERING]: ({ person }) => byOwner.patch(`/users/${person.id}`, { role: ROLE.guest }),
};

/** Waits until a statement of the server waits for the lock of `holder`. */
async function untilHeld(holder: pg.PoolClient): Promise<boolean> {
  const { rows } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  for (let look = 0; look < 250; look += 1) {
    const { rows: waiting } = await server.owner.query(
      'SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))',
      [rows[0]?.pid],
    );
    if (waiting.length > 0) return true;
    await pause(4);
  }
  return false;
}

describe.each(Object.entries(ACTS))('%s', (doing, { lock, act }) => {
  const isEdit = doing === 'editing a message';

  it.each(Object.entries(TAKING))('and %s', async (name, take) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const scene = await openScene(name === LOWERING ? ROLE.administrator : ROLE.member);
      const holder = await server.owner.connect();
      let isTaken = false;
      try {
        await holder.query('BEGIN');
        await holder.query(...lock(scene));
        const acting = act(scene);
        expect(await untilHeld(holder)).toBe(true);
        const taking = take(scene).then(({ body }) => {
          expect(body).toMatchObject({ result: 'success' });
          isTaken = true;
        });
        await Promise.race([taking, pause(REVOKE_MS)]);
        const wasTakenFirst = isTaken;
        await holder.query('COMMIT');
        const { body } = await acting;
        await taking;
        if (wasTakenFirst) expect(body).toMatchObject({ result: 'error' });
      } finally {
        await holder.query('ROLLBACK');
        holder.release();
      }
      // In either order, the right is gone now. One's own messages may be edited in any role.
      if (name === LOWERING && isEdit) continue;
      const { body: later } = await act(scene);
      expect(later).toMatchObject({ result: 'error' });
    }
  });
});

it('a file is requested while its reader is removed from the channel: it is refused', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const scene = await openScene(ROLE.member);
    const form = new FormData();
    form.set('file', new Blob(['kept']), 'kept.txt');
    const { url } = await sure(byOwner.raw('/user_uploads', { method: 'POST', body: form }));
    const content = `[a file](${String(url)})`;
    const message = { type: 'channel', to: scene.channelId, topic: 'x', content };
    await sure(byOwner.post('/messages', message));
    const ask = () => scene.client.get(String(url));
    await sure(ask());
    const holder = await server.owner.connect();
    try {
      await holder.query('BEGIN');
      // The reader and the file are already known; the next query is whether one of the reader's messages has the
      // file.
      await holder.query('LOCK TABLE attachment_messages IN ACCESS EXCLUSIVE MODE');
      const asking = ask();
      expect(await untilHeld(holder)).toBe(true);
      await sure(TAKING['being removed from the channel']?.(scene) ?? asking);
      await holder.query('COMMIT');
      expect((await asking).body).toMatchObject({ result: 'error' });
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
  }
});
