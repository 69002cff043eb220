// A page comes in few columns, with channels that the process remembers. It must be, byte for byte, what the whole rows of
// the same messages give; and its messages those that a process without memory finds.
import { Value } from 'typebox/value';
import { beforeAll, describe, expect, it } from 'vitest';
import { findUser } from '../../../accounts/users/access.ts';
import { readByMemory, type FactMemory } from '../../../platform/facts/memory.ts';
import { forgetful } from '../../../testing/forgetful.ts';
import { createRandom, type Random } from '../../../testing/random.ts';
import {
  ok,
  send,
  sendDirect,
  subscribe,
  unsubscribe,
  useMessageWorld,
  type Actor,
} from '../../../testing/chat/world.ts';
import { MessageObject } from '../message/object.ts';
import { parseNarrow } from '../narrow/terms.ts';
import { findPage } from './fetch.ts';

const world = useMessageWorld();

const TURNS = 90;
const NAMES = ['one', 'two', 'three'];
const TOPICS = ['x', 'Y', 'ⓧ, "quoted"', ''];
const TEXTS = [
  'plain',
  '/me waves',
  '/me',
  '/mexico',
  '@**all** look',
  '@**Ada** (1,2),"three"\\four',
  'a\u2028b \u0007 🙂 سلام',
  '**bold** <b>,</b>\n\n/me later',
];

let late: Actor;
const channels: number[] = [];
const ids: number[] = [];

beforeAll(async () => {
  const { owner, ada, bob, guest, publicId, protectedId, privateId } = world;
  late = await world.person();
  for (const name of NAMES) channels.push(await world.channel(name, [owner, ada, bob, guest]));
  channels.push(publicId, protectedId, privateId);
  const random = createRandom(Number(process.env['SEED'] ?? 11));
  await act('send', random);
  for (let turn = 0; turn < TURNS; turn += 1) await act(random.pick(ACTS), random);
});

const ACTS = [
  'send',
  'send',
  'send',
  'send',
  'direct',
  'flag',
  'read',
  'react',
  'edit',
  'move',
  'rename',
  'leave',
] as const;

async function act(what: (typeof ACTS)[number], random: Random): Promise<void> {
  const { owner, ada, bob, guest } = world;
  const who = random.pick([owner, ada, bob]);
  const id = ids.length === 0 ? 0 : random.pick(ids);
  switch (what) {
    case 'send': {
      const channel = random.pick(channels);
      const by = channels.indexOf(channel) < 4 ? who : random.pick([ada, bob]);
      ids.push(await send(by, channel, random.pick(TOPICS), random.pick(TEXTS)));
      return;
    }
    case 'direct':
      ids.push(
        await sendDirect(who, random.pick([[ada], [bob, ada], [bob, guest]]), random.pick(TEXTS)),
      );
      return;
    case 'flag':
      await who.client.post('/messages/flags', {
        messages: [id],
        op: random.pick(['add', 'remove']),
        flag: 'starred',
      });
      return;
    case 'read':
      await who.client.post('/messages/flags', {
        messages: [id],
        op: random.pick(['add', 'remove']),
        flag: 'read',
      });
      return;
    case 'react':
      await who.client.post(`/messages/${id}/reactions`, {
        emoji_name: random.pick(['thumbs_up', 'tada']),
      });
      return;
    case 'edit':
      await owner.client.patch(`/messages/${id}`, { content: random.pick(TEXTS) });
      return;
    case 'move':
      await owner.client.patch(`/messages/${id}`, {
        stream_id: random.pick(channels.slice(0, 4)),
        propagate_mode: random.pick(['change_one', 'change_all']),
      });
      return;
    case 'rename':
      await owner.client.patch(`/messages/${id}`, {
        topic: random.pick(['x', 'new', '✔ x']),
        propagate_mode: 'change_all',
      });
      return;
    default: {
      // Twice in the same channel makes two ranges of what was received.
      const name = random.pick(NAMES);
      const leaver = random.pick([ada, late]);
      await unsubscribe(leaver, name);
      if (random.below(3) > 0) await subscribe(leaver, name);
    }
  }
}

const term = (operator: string, operand: unknown) => ({ operator, operand });
const narrows = (): readonly (readonly unknown[])[] => [
  [],
  ...channels.slice(0, 5).map((id) => [term('channel', id)]),
  [term('channel', channels[0]), term('topic', 'x')],
  [term('is', 'dm')],
  [term('is', 'unread')],
  [term('is', 'starred')],
  [term('in', 'home')],
  [term('sender', world.bob.id)],
  [term('search', 'plain')],
  [term('search', 'look'), term('is', 'unread')],
];

const readers = () => [world.owner, world.ada, world.bob, world.guest, late, world.stranger];

const NEWEST = { anchor: 'newest', num_before: 60, num_after: 0 };

describe('a page in few columns', () => {
  it('is byte for byte what the whole rows of its messages give', async () => {
    let compared = 0;
    for (const { client } of readers()) {
      for (const narrow of narrows()) {
        for (const apply_markdown of [true, false]) {
          const options = { apply_markdown, allow_empty_topic_name: !apply_markdown };
          const answer = await client.get('/messages', { ...NEWEST, narrow, ...options });
          if (answer.body['code'] === 'BAD_NARROW') continue;
          const messages = ok(answer)['messages'] as MessageObject[];
          for (const one of messages) expect(Value.Check(MessageObject, one)).toBe(true);
          const message_ids = messages.map(({ id }) => id);
          const whole = await client.get('/messages', { message_ids, ...options });
          const texts = messages.map(withoutMatch);
          expect(JSON.stringify(texts)).toBe(listOf(whole.text));
          if (texts.every((one, n) => one === messages[n])) {
            expect(listOf(answer.text)).toBe(listOf(whole.text));
          }
          compared += messages.length;
        }
      }
    }
    expect(compared).toBeGreaterThan(500);
  });

  it('has the messages that a process without memory finds', async () => {
    const { ctx } = world.server;
    let compared = 0;
    for (const { id } of readers()) {
      const reader = await findUser(ctx.db, id);
      if (reader === undefined) throw new Error(`Nobody has the id ${id}.`);
      for (const narrow of narrows()) {
        for (const anchor of [
          { kind: 'id', id: ids[40] ?? 0 },
          { kind: 'first unread' },
        ] as const) {
          const request = {
            anchor,
            before: 20,
            after: 20,
            includesAnchor: true,
            narrow: parseNarrow(narrow, 'localhost'),
            bytesMax: 1e6,
          };
          const page = (memory: FactMemory) =>
            readByMemory(memory, ctx.db, (facts) => findPage(facts, reader, request)).then(
              ({ narrowed: _narrowed, ...found }) => found,
              (error: Error) => error.message,
            );
          const found = await page(ctx.facts);
          expect(found).toEqual(await page(forgetful(ctx).facts));
          if (typeof found !== 'string') compared += found.ids.length;
        }
      }
    }
    expect(compared).toBeGreaterThan(300);
  });
});

/** A match is marked HTML, whatever the message is shown as. */
function withoutMatch(message: MessageObject): MessageObject {
  if (message.match_content === undefined) return message;
  const { match_content, match_subject: _subject, ...rest } = message;
  expect(match_content).toMatch(/^<p>/);
  return rest;
}

/** The text of the messages in an answer. */
const listOf = (text: string): string => text.slice(text.indexOf('['), text.lastIndexOf(']') + 1);
