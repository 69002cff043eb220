// The chat client against a server that answers as it is told.
import { describe, expect, it } from 'vitest';
import { ChatError } from '../errors.ts';
import { startScripted, type Reaction, type Script, type Told } from '../test-server.ts';
import { Chat } from './client.ts';
import { parseZuliprc } from './zuliprc.ts';

const succeed = (fields: object = {}): Told => ({
  body: { result: 'success', msg: '', ...fields },
});
const refuse = (status: number, code: string, fields: object = {}): Told => ({
  status,
  body: { result: 'error', msg: `Refused: ${code}.`, code, ...fields },
});

async function open(script: Script) {
  const server = await startScripted(script);
  const chat = new Chat({
    url: server.url,
    email: 'ada@rialto.example',
    apiKey: 'key',
    retry: { attempts: 4, pauseMaxMs: 5 },
  });
  return { server, chat };
}

const inTurn =
  (...reactions: readonly Reaction[]): Script =>
  (_request, number) =>
    reactions[Math.min(number, reactions.length) - 1] as Reaction;

describe('a message', () => {
  const message = {
    type: 'channel',
    to: 'general',
    topic: 'prices',
    content: 'گران + 50%',
  } as const;

  it('is repeated under the same local id when its answer was lost', async () => {
    const { server, chat } = await open(inTurn('cut', refuse(500, 'INTERNAL'), succeed({ id: 7 })));
    expect(await chat.sendMessage(message)).toMatchObject({ id: 7 });
    const ids = server.received.map(({ form }) => form.get('local_id'));
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(server.received[0]?.form.get('content')).toBe(message.content);
  });

  it('keeps the ids of the caller, and another message gets others', async () => {
    const { server, chat } = await open(() => succeed({ id: 1 }));
    await chat.sendMessage({ ...message, queue_id: 'q', local_id: '1' });
    await chat.sendMessage(message);
    await chat.sendMessage(message);
    const [own, first, second] = server.received.map(({ form }) => form);
    expect([own?.get('queue_id'), own?.get('local_id')]).toEqual(['q', '1']);
    expect(first?.get('queue_id')).toBe(null);
    expect(first?.get('local_id')).not.toBe(second?.get('local_id'));
  });

  it.each([
    ['a UUID', { local_id: 'D94F0B9A-5A0C-4C7B-9C9E-0C6E0E4B7A11' }, 2],
    ['a number with its queue', { local_id: '12.01', queue_id: 'q' }, 2],
    ['a number without a queue', { local_id: '12.01' }, 1],
  ])('with %s of the caller is repeated only if the server knows it again', async (_id, ids, n) => {
    const { server, chat } = await open(inTurn('cut', succeed({ id: 7 })));
    const outcome = await chat.sendMessage({ ...message, ...ids }).catch(() => 'not repeated');
    expect(server.received).toHaveLength(n);
    expect(outcome).toEqual(n === 1 ? 'not repeated' : expect.objectContaining({ id: 7 }));
  });
});

it('strings go as they are, everything else as JSON', async () => {
  const { server, chat } = await open(() => succeed({ messages: [] }));
  await chat.getMessages({ anchor: 'newest', num_before: 10, narrow: [['stream', 'a & b']] });
  const { query } = server.received[0] ?? {};
  expect([...(query ?? [])]).toEqual([
    ['anchor', 'newest'],
    ['num_before', '10'],
    ['narrow', '[["stream","a & b"]]'],
  ]);
});

it('a write is not repeated in doubt, and is when nothing was done', async () => {
  const { server, chat } = await open(
    inTurn('cut', refuse(429, 'RATE_LIMIT_HIT', { 'retry-after': 0.01 }), succeed()),
  );
  await expect(chat.createDrafts({ drafts: [] })).rejects.toMatchObject({ outcome: 'unknown' });
  expect(server.received).toHaveLength(1);
  await chat.createDrafts({ drafts: [] });
  expect(server.received).toHaveLength(3);
});

it('a refusal has everything that the server said', async () => {
  const { server, chat } = await open(() => refuse(400, 'BAD_REQUEST', { field: 'topic' }));
  const error: unknown = await chat.getOwnUser().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ChatError);
  expect(error).toMatchObject({
    name: 'BAD_REQUEST',
    code: 'BAD_REQUEST',
    message: 'Refused: BAD_REQUEST.',
    details: { field: 'topic' },
    status: 400,
    outcome: 'none',
    isRetryable: false,
  });
  expect(server.received).toHaveLength(1);
});

it('a file goes as one part of a form, with its name', async () => {
  const { server, chat } = await open(() =>
    succeed({ url: '/user_uploads/1/a.txt', filename: 'a' }),
  );
  await chat.uploadFile({ file: new Blob(['hello'], { type: 'text/plain' }), name: 'نامه.txt' });
  const { headers, body } = server.received[0] ?? { headers: {}, body: '' };
  expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
  expect(body).toContain('filename="نامه.txt"');
  expect(body).toContain('hello');
});

it('a path parameter that is missing is named', async () => {
  const { chat } = await open(() => succeed());
  await expect(chat.getUser({} as { user_id: number })).rejects.toThrow(
    'chat.getUser needs user_id',
  );
});

describe('a zuliprc', () => {
  const text =
    '[other]\nkey=no\n[api]\n# a bot\nemail=bot@rialto.example\nkey = abc=\nsite=https://chat.example\n';

  it('gives address, key and server', () => {
    expect(parseZuliprc(text)).toEqual({
      url: 'https://chat.example',
      email: 'bot@rialto.example',
      apiKey: 'abc=',
    });
    expect(Chat.fromZuliprc(text).origin).toBe('https://chat.example');
  });

  it('without one of them is refused by name', () => {
    expect(() => parseZuliprc('[api]\nemail=a\nsite=b')).toThrow("no 'key'");
  });
});

it.each([
  [{ email: 'a@b.example' }, 'both email and apiKey'],
  [{ email: 'a@b.example', apiKey: 'k', session: true as const }, 'not both'],
])('a client with %j is refused with words', (given, message) => {
  expect(() => new Chat({ url: 'https://a.example', ...given })).toThrow(message);
});
