// A send under a UUID is done once: twice in a row, in a race, over two processes, and after what came in between.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { chatClient, type Answer, type ChatClient } from '../../../testing/chat/client.ts';
import { fetchAll, ok, refused, send, useMessageWorld } from '../../../testing/chat/world.ts';
import { clusterSettings } from '../../../testing/context.ts';
import { startTestServer } from '../../../testing/server.ts';
import { signIn } from '../../../testing/session.ts';
import { forgetSentOnce } from './upkeep.ts';

// Two processes on one database need NATS and Redis.
const world = useMessageWorld({ settings: clusterSettings() });

let topics = 0;
const newTopic = (): string => `once ${(topics += 1)}`;

const post = (
  client: ChatClient,
  fields: { topic: string; local_id: string } & Record<string, unknown>,
): Promise<Answer> =>
  client.post('/messages', { type: 'channel', to: world.publicId, content: 'once', ...fields });

const idOf = (answer: Answer): number => Number(ok(answer)['id']);

const count = async (topic: string): Promise<number> =>
  (
    await fetchAll(world.ada, [
      { operator: 'channel', operand: world.publicId },
      { operator: 'topic', operand: topic },
    ])
  ).length;

describe('a message under a UUID', () => {
  it('is sent once, and the second answer is the first one', async () => {
    const fields = { topic: newTopic(), local_id: randomUUID() };
    const first = ok(await post(world.ada.client, fields));
    const second = ok(await post(world.ada.client, fields));
    expect(second).toMatchObject({
      id: first['id'],
      message_url: first['message_url'],
      message_link: first['message_link'],
    });
    expect(await count(fields.topic)).toBe(1);
  });

  it('is the same under another queue and in capital letters', async () => {
    const topic = newTopic();
    const localId = randomUUID();
    const first = idOf(await post(world.ada.client, { topic, local_id: localId, queue_id: 'a' }));
    const again = { topic, local_id: localId.toUpperCase(), queue_id: 'b' };
    expect(idOf(await post(world.ada.client, again))).toBe(first);
    expect(idOf(await post(world.ada.client, { topic, local_id: localId }))).toBe(first);
    expect(await count(topic)).toBe(1);
  });

  it('is sent once by ten requests at the same time', async () => {
    const fields = { topic: newTopic(), local_id: randomUUID() };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post(world.ada.client, fields)),
    );
    expect(new Set(answers.map(idOf)).size).toBe(1);
    expect(await count(fields.topic)).toBe(1);
  });

  it('is sent once by two processes at the same time', async () => {
    const { server, ada } = world;
    const other = await startTestServer({
      databaseUrl: server.databaseUrl,
      settings: clusterSettings(),
      withRelay: false,
    });
    try {
      const clients = [ada.client, chatClient(other, ada)];
      for (let round = 0; round < 5; round += 1) {
        const fields = { topic: newTopic(), local_id: randomUUID() };
        const answers = await Promise.all(clients.map((client) => post(client, fields)));
        expect(new Set(answers.map(idOf)).size).toBe(1);
        expect(await count(fields.topic)).toBe(1);
      }
    } finally {
      await other.close();
    }
  });

  it('is the same by key and by session', async () => {
    const { server, ada, publicId } = world;
    const fields = { topic: newTopic(), local_id: randomUUID() };
    const first = idOf(await post(ada.client, fields));
    const session = await signIn(server, ada.id);
    const form = { type: 'channel', to: String(publicId), content: 'once', ...fields };
    expect((await session.ask('POST', '/json/messages', form)).body).toMatchObject({ id: first });
    expect(await count(fields.topic)).toBe(1);
  });

  it('is another message from another person', async () => {
    const fields = { topic: newTopic(), local_id: randomUUID() };
    const [ada, bob] = [
      idOf(await post(world.ada.client, fields)),
      idOf(await post(world.bob.client, fields)),
    ];
    expect(bob).not.toBe(ada);
    expect(await count(fields.topic)).toBe(2);
  });

  it('has its id still after it was edited, and after it was deleted', async () => {
    const fields = { topic: newTopic(), local_id: randomUUID() };
    const id = idOf(await post(world.ada.client, fields));
    ok(await world.ada.client.patch(`/messages/${id}`, { content: 'edited' }));
    expect(idOf(await post(world.ada.client, fields))).toBe(id);
    ok(await world.owner.client.delete(`/messages/${id}`));
    expect(idOf(await post(world.ada.client, fields))).toBe(id);
    expect(await count(fields.topic)).toBe(0);
  });

  it('is answered when its sender could no longer send it', async () => {
    const { owner, ada, channel } = world;
    const to = await channel('once closed', [owner, ada]);
    const fields = { to, topic: newTopic(), local_id: randomUUID() };
    const id = idOf(await post(ada.client, fields));
    ok(await owner.client.delete(`/streams/${to}`));
    expect(idOf(await post(ada.client, fields))).toBe(id);
    refused(await post(ada.client, { ...fields, local_id: randomUUID() }));
  });

  it.each([
    ['content', { content: 'another' }],
    ['topic', { topic: 'another topic' }],
    ['recipient', { to: 'general' }],
  ])('is refused with another %s, and says what to do', async (_part, other) => {
    const fields = { topic: newTopic(), local_id: randomUUID() };
    const id = idOf(await post(world.ada.client, fields));
    const answer = refused(await post(world.ada.client, { ...fields, ...other }));
    expect(answer).toMatchObject({ code: 'LOCAL_ID_USED', message_id: id });
    expect(answer.msg).toContain('Give every message a new UUID');
    expect(await count(fields.topic)).toBe(1);
  });

  it('can be sent under the same UUID after a refusal', async () => {
    const fields = { topic: newTopic(), local_id: randomUUID() };
    const refusal = await post(world.ada.client, { ...fields, to: 'no such channel' });
    expect(refused(refusal).code).toBe('STREAM_DOES_NOT_EXIST');
    idOf(await post(world.ada.client, fields));
    expect(await count(fields.topic)).toBe(1);
  });

  it('is forgotten after 24 hours, and not before', async () => {
    const { ada, server } = world;
    const [old, young] = [
      { topic: newTopic(), local_id: randomUUID() },
      { topic: newTopic(), local_id: randomUUID() },
    ];
    const age = async (localId: string, interval: string) => {
      await server.ctx.database.pool.query(
        'UPDATE sent_once SET at = now() - $2::interval WHERE local_id = $1',
        [localId, interval],
      );
    };
    const first = {
      old: idOf(await post(ada.client, old)),
      young: idOf(await post(ada.client, young)),
    };
    await age(old.local_id, '24 hours 1 second');
    await age(young.local_id, '23 hours 59 minutes');
    expect(await forgetSentOnce(server.ctx)).toBe(1);
    expect(idOf(await post(ada.client, old))).not.toBe(first.old);
    expect(idOf(await post(ada.client, young))).toBe(first.young);
  });
});

it('a number such as clients of Zulip give is not remembered without its queue', async () => {
  const topic = newTopic();
  const ids = [
    await send(world.ada, world.publicId, topic, 'one', { local_id: '12.01' }),
    await send(world.ada, world.publicId, topic, 'two', { local_id: '12.01' }),
    await send(world.ada, world.publicId, topic, 'three', { local_id: '12.01', queue_id: 'q1' }),
    await send(world.ada, world.publicId, topic, 'four', { local_id: '12.01', queue_id: 'q2' }),
  ];
  expect(new Set(ids).size).toBe(4);
});
