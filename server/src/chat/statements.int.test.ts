// How many statements the calls of the chat that matter most send to PostgreSQL, counted on the wire. The table in
// docs/scale.md says how many are allowed, so a change that needs more has to say so there.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ok, send, sendDirect, useMessageWorld, type Actor } from '../testing/chat/world.ts';
import { statementsOf } from '../testing/statements.ts';
import { scheduledMessages } from './messages/scheduled/deliver.ts';

const world = useMessageWorld();

const PAGE = { anchor: 'newest', num_before: 100, num_after: 0, allow_empty_topic_name: true };
const narrowOf = (...terms: readonly (readonly [string, unknown])[]): string =>
  JSON.stringify(terms.map(([operator, operand]) => ({ operator, operand })));

/** What is counted, and what has to be there before it each time. */
interface Call {
  prepare?(): Promise<readonly number[]>;
  run(ids: readonly number[]): Promise<unknown>;
}

const plain = (content: string) => (): Promise<number> =>
  send(world.ada, world.publicId, 'x', content, { client: 'website' });

const direct = (people: () => readonly Actor[]) => () => sendDirect(world.ada, people(), 'direct');

/** So many messages by Bob, which Ada has not read. */
const sent = (count: number) => (): Promise<number[]> =>
  Promise.all(
    Array.from({ length: count }, (_, n) => send(world.bob, world.publicId, 'marks', `m ${n}`)),
  );

const ofAda = async (): Promise<number[]> => [await plain('to be edited')()];

const flag =
  (name: string, op: string) =>
  async (messages: readonly number[]): Promise<unknown> =>
    ok(await world.ada.client.post('/messages/flags', { messages, op, flag: name }));

const then =
  (prepare: () => Promise<readonly number[]>, act: (ids: readonly number[]) => Promise<unknown>) =>
  async (): Promise<readonly number[]> => {
    const ids = await prepare();
    await act(ids);
    return ids;
  };

const LIKE = { emoji_name: 'thumbs_up' };
const react = async ([id]: readonly number[]): Promise<unknown> =>
  ok(await world.ada.client.post(`/messages/${id}/reactions`, LIKE));

/** A message of Ada that falls due. The statement by which the worker claims it is not counted. */
const deliver = async ([id = 0]: readonly number[]): Promise<void> => {
  const { ctx, origin } = world.server;
  const due = scheduledMessages({ ...ctx, publicUrl: () => origin });
  await ctx.pooled('chat').inTransaction((tx) => due.act(tx, id));
};
const scheduled = async (): Promise<number[]> => {
  const message = {
    type: 'channel',
    to: world.publicId,
    topic: 'x',
    content: 'due',
    scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 3600,
  };
  const { body } = await world.ada.client.post('/scheduled_messages', message);
  return [Number(body['scheduled_message_id'])];
};

const CALLS: Readonly<Record<string, Call>> = {
  'a plain message': { run: plain('plain') },
  'a message that mentions somebody': { run: plain('@**Bob** look') },
  'a direct message': { run: direct(() => [world.bob]) },
  'a direct message to several': { run: direct(() => [world.bob, world.owner]) },
  'a page of everything': { run: async () => ok(await world.ada.client.get('/messages', PAGE)) },
  'a page of a topic': {
    run: async () =>
      ok(
        await world.ada.client.get('/messages', {
          ...PAGE,
          narrow: narrowOf(['channel', world.publicId], ['topic', 'x']),
        }),
      ),
  },
  'a page of a search': {
    run: async () =>
      ok(
        await world.ada.client.get('/messages', {
          ...PAGE,
          narrow: narrowOf(['search', 'plain']),
        }),
      ),
  },
  'a register with everything': { run: async () => ok(await world.ada.client.post('/register')) },
  'a register for reactions alone': {
    run: async () =>
      ok(
        await world.ada.client.post('/register', {
          event_types: JSON.stringify(['reaction']),
          fetch_event_types: '[]',
        }),
      ),
  },
  'a reaction': { prepare: sent(1), run: react },
  'a reaction taken back': {
    prepare: then(sent(1), react),
    run: async ([id]) => ok(await world.ada.client.delete(`/messages/${id}/reactions`, LIKE)),
  },
  'a message marked as read': { prepare: sent(1), run: flag('read', 'add') },
  'a hundred messages marked as read': { prepare: sent(100), run: flag('read', 'add') },
  'a message marked as unread': {
    prepare: then(sent(1), flag('read', 'add')),
    run: flag('read', 'remove'),
  },
  'a page of unread messages marked as read': {
    prepare: sent(5),
    run: async () =>
      ok(
        await world.ada.client.post('/messages/flags/narrow', {
          anchor: 'newest',
          num_before: 100,
          num_after: 0,
          narrow: narrowOf(['channel', world.publicId], ['topic', 'marks']),
          op: 'add',
          flag: 'read',
        }),
      ),
  },
  'a star': { prepare: sent(1), run: flag('starred', 'add') },
  'a star taken back': {
    prepare: then(sent(1), flag('starred', 'add')),
    run: flag('starred', 'remove'),
  },
  'an edit of a text': {
    prepare: ofAda,
    run: async ([id]) => ok(await world.ada.client.patch(`/messages/${id}`, { content: 'edited' })),
  },
  'a scheduled message that falls due': { prepare: scheduled, run: deliver },
  'a topic resolved, and unresolved': {
    prepare: async () => [await send(world.ada, world.publicId, 'solved', 'it works')],
    run: async ([id]) => {
      const whole = { topic: '✔ solved', propagate_mode: 'change_all' };
      ok(await world.ada.client.patch(`/messages/${id}`, whole));
      ok(await world.ada.client.patch(`/messages/${id}`, { ...whole, topic: 'solved' }));
    },
  },
};

/** The rows of the table "Statements of a call". */
function allowed(): Map<string, number> {
  const page = readFileSync(new URL('../../../docs/scale.md', import.meta.url), 'utf8');
  const [, after = ''] = page.split('## Statements of a call');
  const [table = ''] = after.split('\n## ');
  const rows = table.matchAll(/^\| ([a-z][^|]*?) +\| +(\d+)/gm);
  return new Map([...rows].map(([, call = '', count = '']) => [call, Number(count)]));
}

describe('the statements of', () => {
  it('each call stand in the table', () => {
    expect([...allowed().keys()]).toEqual(Object.keys(CALLS));
  });

  it.each(Object.entries(CALLS))('%s', async (name, { prepare = async () => [], run }) => {
    const { ctx } = world.server;
    // What is remembered and prepared is there after a few calls.
    for (let n = 0; n < 4; n += 1) await run(await prepare());
    const pools = [ctx.pooled('chat').database.pool, ctx.pooled('search').database.pool];
    const ids = await prepare();
    const statements = await statementsOf(pools, () => run(ids));
    expect(statements.length, statements.join('\n')).toBeGreaterThan(0);
    expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(allowed().get(name) ?? 0);
  });
});
