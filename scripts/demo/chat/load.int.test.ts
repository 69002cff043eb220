// The demo's organization as its people see it, over HTTP.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLE } from '../../../server/src/accounts/roles.ts';
import { chatClient } from '../../../server/src/testing/chat/client.ts';
import { examplePerson, type Person } from '../../../server/src/testing/example.ts';
import { startTestServer, type TestServer } from '../../../server/src/testing/server.ts';
import { checkLoggedShapes, settle } from '../../../server/src/testing/verify-events.ts';
import { CHANNELS } from '../data/channels.ts';
import { PEOPLE, type DemoPerson, type PersonKey } from '../data/people.ts';
import { loadChat } from './load.ts';

let server: TestServer;
const people = {} as Record<PersonKey, Person>;
beforeAll(async () => {
  server = await startTestServer({
    settings: { CHAT_RATE_LIMIT: '100000', WEB_PUBLIC_STREAMS_ENABLED: 'true' },
  });
  for (const key of Object.keys(PEOPLE) as PersonKey[]) {
    const person: DemoPerson = PEOPLE[key];
    people[key] = await examplePerson(server.ctx, {
      email: person.email,
      fullName: person.name,
      role: ROLE[person.role],
      ...(person.isBot === true && { botType: 1 }),
    });
  }
  await loadChat(server.ctx);
  await settle(server);
}, 300_000);
afterAll(async () => {
  await checkLoggedShapes(server);
  await server.close();
});

const as = (key: PersonKey) => chatClient(server, people[key]);

interface State {
  readonly subscriptions: readonly {
    readonly name: string;
    readonly creator_id: number;
    readonly invite_only: boolean;
    readonly is_web_public: boolean;
    readonly history_public_to_subscribers: boolean;
    readonly can_administer_channel_group: unknown;
    readonly date_created: number;
  }[];
  readonly never_subscribed: readonly { readonly name: string }[];
  readonly unread_msgs: { readonly count: number; readonly mentions: readonly number[] };
  readonly starred_messages: readonly number[];
  readonly drafts: readonly unknown[];
}
async function stateOf(key: PersonKey): Promise<State> {
  const { status, body } = await as(key).post('/register', {});
  expect(status).toBe(200);
  return body as unknown as State;
}

describe('the demo’s organization', () => {
  it('has channels of every kind, administered by their creators, two weeks old', async () => {
    const { subscriptions } = await stateOf('marco');
    const named = new Map(subscriptions.map((channel) => [channel.name, channel]));
    for (const { name, creator, members } of CHANNELS) {
      if (members !== 'everyone' && !members.includes('marco')) continue;
      const id = people[creator].id;
      expect(named.get(name), name).toMatchObject({
        creator_id: id,
        can_administer_channel_group: { direct_members: [id], direct_subgroups: [] },
      });
      expect(named.get(name)?.date_created).toBeLessThan(Date.now() / 1000 - 14 * 86_400);
    }
    expect(named.get('api-users')).toMatchObject({ is_web_public: true });
    expect(named.get('otc-desk')).toMatchObject({
      invite_only: true,
      history_public_to_subscribers: true,
    });
    expect(named.get('risk')).toMatchObject({
      invite_only: true,
      history_public_to_subscribers: false,
    });
  });

  it('shows private channels only to their members', async () => {
    const { subscriptions, never_subscribed } = await stateOf('reza');
    const names = [...subscriptions, ...never_subscribed].map(({ name }) => name);
    expect(names).not.toContain('otc-desk');
    expect(names).not.toContain('risk');
    const { body } = await as('reza').get('/messages', {
      anchor: 'newest',
      num_before: 1000,
      narrow: [{ operator: 'search', operand: 'iceberg' }],
    });
    expect(JSON.stringify(body['messages'])).not.toContain('iceberg, 0.8 at a time');
  });

  it('left everybody something unread, something starred and drafts', async () => {
    for (const key of ['marco', 'sara', 'grace', 'reza', 'nora', 'amir', 'tomas'] as const) {
      const { unread_msgs, starred_messages } = await stateOf(key);
      expect(unread_msgs.count, key).toBeGreaterThan(0);
      expect(unread_msgs.count, key).toBeLessThan(100);
      expect(starred_messages.length, key).toBeGreaterThan(0);
    }
    expect((await stateOf('amir')).unread_msgs.mentions.length).toBeGreaterThan(0);
    expect((await stateOf('marco')).drafts).toHaveLength(1);
  });

  it('has channels announced by the bot, and resolved topics that name who resolved them', async () => {
    const narrow = [{ operator: 'sender', operand: 'notification-bot@rialto.invalid' }];
    const { body } = await as('marco').get('/messages', {
      anchor: 'newest',
      num_before: 1000,
      narrow,
      apply_markdown: false,
    });
    const texts = (body['messages'] as { content: string }[]).map(({ content }) => content);
    expect(texts.filter((text) => text.includes('created a new channel')).length).toBeGreaterThan(
      5,
    );
    expect(texts.filter((text) => text.includes('as resolved')).length).toBeGreaterThan(8);
    expect(texts.join()).not.toContain('otc-desk');
  });

  it('renders every message as intended', async () => {
    const { body } = await as('marco').get('/messages', { anchor: 'newest', num_before: 1000 });
    const messages = body['messages'] as { content: string; sender_full_name: string }[];
    const all = messages.map(({ content }) => content).join('\n');
    for (const part of ['<table>', 'codehilite', 'katex', 'spoiler-block', '<blockquote>']) {
      expect(all, part).toContain(part);
    }
    // A mention that matches no user stays text.
    expect(all).not.toMatch(/@\*\*|@\*[a-z]|#\*\*|\{\{/);
  });

  it('loads its past only once', async () => {
    await expect(loadChat(server.ctx)).rejects.toThrow('without messages');
  });
});
