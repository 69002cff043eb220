// Sends the texts that markdown/hostile.test.ts renders over HTTP. Their HTML is harmless in every answer and event,
// and their text comes back unchanged.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROLE } from '../../../accounts/roles.ts';
import { examplePerson, type Person } from '../../../testing/example.ts';
import { HOSTILE_TEXTS } from '../../../testing/hostile-texts.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { settle } from '../../../testing/verify-events.ts';
import { chatClient, type ChatClient } from '../../../testing/chat/client.ts';
import { findUnsafe } from '../../text/markdown/sanitize.ts';

/** Half of the texts. They include every attack, and every position of it in a message. */
const TEXTS = HOSTILE_TEXTS.filter((_text, index) => index % 2 === 0).map(({ text }) => text);
const CHANNEL = 'attacked';

let server: TestServer;
let author: Person;
let client: ChatClient;
let channelId: number;
const ids = new Map<number, string>();

beforeAll(async () => {
  server = await startTestServer({
    settings: { CHAT_RATE_LIMIT: '100000', CHAT_RATE_LIMIT_POLLS: '100000' },
  });
  author = await examplePerson(server.ctx, { role: ROLE.owner });
  client = chatClient(server, author);
  const { body } = await client.post('/channels/create', {
    name: CHANNEL,
    subscribers: [author.id],
  });
  channelId = Number(body['id']);
});
afterAll(() => server.close());

/** The fields of an answer that hold HTML. `content` does if HTML was requested. */
const HTML = /^(?:rendered_\w+|match_\w+|content_html_diff|content|prev_rendered_content)$/;

function unsafeIn(value: unknown, isHtml = (name: string) => HTML.test(name)): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]: [string, unknown]) => {
    if (typeof item !== 'string') return unsafeIn(item, isHtml);
    const problem = isHtml(name) ? findUnsafe(item) : undefined;
    return problem === undefined ? [] : [`${name}: ${problem}: ${item.slice(0, 200)}`];
  });
}

it('there are more than three hundred texts', () => {
  expect(TEXTS.length).toBeGreaterThan(300);
});

it('as messages and topics, they reach others as harmless HTML in events', async () => {
  const { body } = await client.post('/register', {
    event_types: ['message'],
    apply_markdown: true,
  });
  for (const [index, text] of TEXTS.entries()) {
    // A topic is a single line.
    const topic = `${index} ${text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')}`.slice(0, 50).trim();
    const answer = await client.post('/messages', {
      type: 'channel',
      to: channelId,
      topic: topic.toWellFormed(),
      content: text,
    });
    expect(answer.status, `${topic}: ${answer.text}`).toBe(200);
    ids.set(Number(answer.body['id']), text);
  }
  await settle(server);
  const seen: { content: string; subject: string; topic_links: { url: string }[] }[] = [];
  let last = Number(body['last_event_id']);
  for (let look = 0; look < 100 && seen.length < TEXTS.length; look += 1) {
    const got = await client.get('/events', {
      queue_id: body['queue_id'],
      last_event_id: last,
    });
    const events = got.body['events'] as { id: number; message?: (typeof seen)[number] }[];
    last = events.at(-1)?.id ?? last;
    seen.push(...events.flatMap(({ message }) => (message === undefined ? [] : [message])));
  }
  expect(seen.length).toBe(TEXTS.length);
  expect(unsafeIn(seen)).toEqual([]);
  for (const { url } of seen.flatMap(({ topic_links }) => topic_links)) {
    expect(url).toMatch(/^(?:https?:\/\/|mailto:)[^\s"<>]*$/i);
  }
}, 120_000);

it('they are found, with matches marked, and nothing else added', async () => {
  const { body } = await client.get('/messages', {
    anchor: 'newest',
    num_before: 1000,
    num_after: 0,
    narrow: [{ operator: 'search', operand: 'canary' }],
  });
  const messages = body['messages'] as { match_content?: string; match_subject?: string }[];
  expect(messages.length).toBeGreaterThan(100);
  expect(messages.some(({ match_content }) => match_content?.includes('"highlight"'))).toBe(true);
  expect(unsafeIn(messages)).toEqual([]);
});

it('as text, they come back unchanged', async () => {
  for (const [id, text] of ids) {
    const { body } = await client.get(`/messages/${id}`, { apply_markdown: false });
    const { content } = body['message'] as { content: string };
    expect(content.trim()).toBe(text.trim());
  }
});

it('in the differences of an edit, they are harmless too', async () => {
  const texts = [...ids.values()];
  for (const [index, id] of [...ids.keys()].entries()) {
    const content = texts[(index + 1) % texts.length] ?? '';
    const edited = await client.patch(`/messages/${id}`, { content });
    expect(edited.body, content).toMatchObject({ result: 'success' });
    const { body } = await client.get(`/messages/${id}/history`);
    const versions = body['message_history'] as Record<string, unknown>[];
    // Here `content` is text; the HTML has its own field.
    const isHtml = (name: string) => name !== 'content' && HTML.test(name);
    expect(versions.length, content).toBeGreaterThan(1);
    expect(unsafeIn(versions, isHtml)).toEqual([]);
  }
}, 120_000);

it('as the description of a channel, they are harmless HTML', async () => {
  for (const text of TEXTS) {
    await client.patch(`/streams/${channelId}`, { description: text.slice(0, 1000) });
    const { body } = await client.get(`/streams/${channelId}`);
    expect(unsafeIn(body)).toEqual([]);
  }
}, 120_000);

it('as the value of a profile field, they are harmless HTML', async () => {
  const made = await client.post('/realm/profile_fields', { name: 'About', field_type: 2 });
  const id = Number(made.body['id']);
  for (const text of TEXTS) {
    await client.patch('/users/me/profile_data', { data: [{ id, value: text }] });
    const { body } = await client.get(`/users/${author.id}`, {
      include_custom_profile_fields: true,
    });
    const { profile_data } = body['user'] as { profile_data: Record<string, unknown> };
    expect(unsafeIn(profile_data)).toEqual([]);
  }
}, 120_000);
