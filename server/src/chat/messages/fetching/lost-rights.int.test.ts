// A page is made by what the process remembers of rights and channels. Whatever right is lost, the next page lacks the
// messages, and whatever right is given, the next page has them. The changes are made by another process, and no event
// ever reaches the one that reads.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLE } from '../../../accounts/roles.ts';
import { roleGroupId } from '../../../accounts/users/role-groups.ts';
import { chatClient, type Answer } from '../../../testing/chat/client.ts';
import {
  ok,
  openMessageWorld,
  send,
  type Actor,
  type MessageWorld,
} from '../../../testing/chat/world.ts';
import { clusterSettings } from '../../../testing/context.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { statementsOf } from '../../../testing/statements.ts';

let world: MessageWorld;
/** The process that reads. It has no relay, and nothing numbers the events of the other one. */
let reading: TestServer;
let count = 0;

beforeAll(async () => {
  world = await openMessageWorld({ settings: clusterSettings(), withRelay: false });
  reading = await startTestServer({
    databaseUrl: world.server.databaseUrl,
    settings: { ...clusterSettings(), CHAT_RATE_LIMIT: '1000000' },
    withRelay: false,
  });
});
afterAll(async () => {
  await reading.close();
  await world.close();
});

type Terms = readonly (readonly [operator: string, operand: unknown])[];

const get = (who: Actor, terms: Terms = []): Promise<Answer> =>
  chatClient(reading, who).get('/messages', {
    anchor: 'newest',
    num_before: 20,
    num_after: 0,
    narrow: JSON.stringify(terms.map(([operator, operand]) => ({ operator, operand }))),
  });

const idsOf = async (who: Actor, terms: Terms = []): Promise<number[]> =>
  (ok(await get(who, terms))['messages'] as { id: number }[]).map(({ id }) => id);

/** Reads until a page goes by memory, and shows that it did. The first may find what an earlier test left there. */
async function warm(who: Actor, terms: Terms = []): Promise<number[]> {
  await idsOf(who, terms);
  await idsOf(who, terms);
  let ids: number[] = [];
  const statements = await statementsOf([reading.ctx.pooled('chat').database.pool], async () => {
    ids = await idsOf(who, terms);
  });
  expect(statements, statements.join('\n')).toHaveLength(1);
  return ids;
}

interface Case {
  readonly who: Actor;
  readonly name: string;
  readonly channelId: number;
  /** A message of the channel. */
  readonly id: number;
}

/** A member and a private channel with a message. */
async function newCase(inside: boolean): Promise<Case> {
  count += 1;
  const name = `page ${count}`;
  const who = await world.person({ role: ROLE.member });
  const people = inside ? [world.owner, who] : [world.owner];
  const channelId = await world.channel(name, people, {
    invite_only: true,
    history_public_to_subscribers: true,
  });
  return { who, name, channelId, id: await send(world.owner, channelId, 'x', 'secret') };
}

const principalsOf = ({ who }: Case) => ({ principals: JSON.stringify([who.id]) });

const remove = async (one: Case): Promise<void> => {
  const subscriptions = JSON.stringify([one.name]);
  ok(
    await world.owner.client.delete('/users/me/subscriptions', {
      subscriptions,
      ...principalsOf(one),
    }),
  );
};

const add = async (one: Case): Promise<void> => {
  const subscriptions = JSON.stringify([{ name: one.name }]);
  ok(
    await world.owner.client.post('/users/me/subscriptions', {
      subscriptions,
      ...principalsOf(one),
    }),
  );
};

describe('a page by memory', () => {
  it('of a channel ends when its reader was taken out', async () => {
    const one = await newCase(true);
    const narrow: Terms = [['channel', one.channelId]];
    expect(await warm(one.who, narrow)).toEqual([one.id]);
    await remove(one);
    expect((await get(one.who, narrow)).body).toMatchObject({ code: 'BAD_NARROW' });
  });

  it('shows a channel by the name that it has just been given', async () => {
    const one = await newCase(true);
    expect(await warm(one.who)).toContain(one.id);
    const new_name = `${one.name} renamed`;
    ok(await world.owner.client.patch(`/streams/${one.channelId}`, { new_name }));
    const shown = ok(await get(one.who))['messages'] as { id: number }[];
    expect(shown.find(({ id }) => id === one.id)).toMatchObject({ display_recipient: new_name });
  });

  it('shows as historical what was sent while its reader was away for a moment', async () => {
    const one = await newCase(true);
    const narrow: Terms = [['channel', one.channelId]];
    expect(await warm(one.who, narrow)).toEqual([one.id]);
    await remove(one);
    const missed = await send(world.owner, one.channelId, 'x', 'missed');
    await add(one);
    const shown = ok(await get(one.who, narrow))['messages'] as { id: number; flags: string[] }[];
    expect(shown.find(({ id }) => id === missed)?.flags).toContain('historical');
    expect(shown.find(({ id }) => id === one.id)?.flags).not.toContain('historical');
  });

  it('of everything loses the messages of a channel that its reader was taken out of', async () => {
    const one = await newCase(true);
    const later = await send(world.owner, one.channelId, 'x', 'for those inside');
    expect(await warm(one.who)).toContain(later);
    await remove(one);
    expect(await idsOf(one.who)).not.toContain(later);
  });

  it('shows a channel as soon as its reader was added', async () => {
    const one = await newCase(false);
    const narrow: Terms = [['channel', one.channelId]];
    await warm(one.who);
    expect((await get(one.who, narrow)).body).toMatchObject({ code: 'BAD_NARROW' });
    await add(one);
    expect(await idsOf(one.who, narrow)).toContain(one.id);
    const later = await send(world.owner, one.channelId, 'x', 'for those inside');
    expect(await idsOf(one.who)).toContain(later);
  });

  it('says that nothing is there only while that is so', async () => {
    const one = await newCase(false);
    await warm(one.who, [['is', 'starred']]);
    expect(await warm(one.who)).toEqual(await idsOf(one.who));
    await add(one);
    const later = await send(world.owner, one.channelId, 'x', 'for those inside');
    expect((await idsOf(one.who)).at(-1)).toBe(later);
  });

  it('loses what a group of the channel gave', async () => {
    const one = await newCase(false);
    const group = { name: `desk ${count}`, description: '', members: JSON.stringify([one.who.id]) };
    const groupId = Number(
      ok(await world.owner.client.post('/user_groups/create', group))['group_id'],
    );
    const given = { new: groupId, old: roleGroupId('role:nobody') };
    ok(
      await world.owner.client.patch(`/streams/${one.channelId}`, {
        can_subscribe_group: JSON.stringify(given),
      }),
    );
    const narrow: Terms = [['channel', one.channelId]];
    expect(await warm(one.who, narrow)).toEqual([one.id]);
    const out = { delete: JSON.stringify([one.who.id]) };
    ok(await world.owner.client.post(`/user_groups/${groupId}/members`, out));
    expect((await get(one.who, narrow)).body).toMatchObject({ code: 'BAD_NARROW' });
  });

  it('hides the history of edits as soon as the organization does', async () => {
    const one = await newCase(true);
    ok(await world.owner.client.patch(`/messages/${one.id}`, { content: 'edited' }));
    const narrow: Terms = [['channel', one.channelId]];
    const history = async () =>
      (ok(await get(one.who, narrow))['messages'] as { edit_history?: unknown[] }[])[0]
        ?.edit_history;
    await warm(one.who, narrow);
    expect(await history()).toHaveLength(1);
    const visible = 'message_edit_history_visibility_policy';
    ok(await world.owner.client.patch('/realm', { [visible]: 'none' }));
    expect((await history()) ?? []).toHaveLength(0);
    ok(await world.owner.client.patch('/realm', { [visible]: 'all' }));
    expect(await history()).toHaveLength(1);
  });
});
