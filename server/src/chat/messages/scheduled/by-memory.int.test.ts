// A scheduled message is delivered by one statement, if it is plain. What that writes and tells is what the long way writes
// and tells, and whatever right its owner has lost, it is not sent. The changes are made by another process, and no event
// ever reaches the one that delivers.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { roleGroupId } from '../../../accounts/users/role-groups.ts';
import { ROLE, type RoleCode } from '../../../accounts/roles.ts';
import type { OriginContext } from '../../../platform/context.ts';
import type { FormInput } from '../../../testing/chat/client.ts';
import { traces } from '../../../testing/chat/traces.ts';
import {
  ok,
  openMessageWorld,
  useMessageWorld,
  type Actor,
  type MessageWorld,
} from '../../../testing/chat/world.ts';
import { clusterSettings } from '../../../testing/context.ts';
import { forgetful } from '../../../testing/forgetful.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { statementsOf } from '../../../testing/statements.ts';
import { scheduledMessages } from './deliver.ts';

/** The message and the mark that it was sent are one transaction; its BEGIN and COMMIT are the caller's. */
const SHORT = 4;

async function schedule(who: Actor, given: FormInput): Promise<number> {
  const params = {
    scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 3600,
    read_by_sender: true,
    ...given,
  };
  return Number(ok(await who.client.post('/scheduled_messages', params))['scheduled_message_id']);
}

interface Delivered {
  /** Of the message; zero if it was not sent. */
  readonly id: number;
  readonly failure: string | null;
  readonly statements: readonly string[];
}

async function deliver(ctx: OriginContext, id: number): Promise<Delivered> {
  const { pool } = ctx.database;
  await pool.query(
    'UPDATE scheduled_messages SET deliver_at = now(), next_try_at = now() WHERE id = $1',
    [id],
  );
  const statements = await statementsOf([pool], () =>
    ctx.inTransaction((tx) => scheduledMessages(ctx).act(tx, id)),
  );
  const { rows } = await pool.query<{ message_id: string | null; failure: string | null }>(
    'SELECT message_id, failure FROM scheduled_messages WHERE id = $1',
    [id],
  );
  return { id: Number(rows[0]?.message_id ?? 0), failure: rows[0]?.failure ?? null, statements };
}

const isShort = ({ statements }: Delivered): boolean =>
  statements.length === SHORT + 2 && statements.some((text) => text.includes('post_messages'));

describe('one statement writes what the long way writes:', () => {
  const world = useMessageWorld();
  const { head, traceOf } = traces(() => world.server.owner);

  const contexts = () => {
    const { ctx, origin } = world.server;
    const worker = { ...ctx, ...ctx.pooled('chat'), publicUrl: () => origin };
    return { short: worker, long: forgetful(worker) };
  };

  /** Delivers it both ways, after a few that fill the memory. */
  async function compare(who: Actor, given: FormInput): Promise<void> {
    const { short, long } = contexts();
    await deliver(long, await schedule(who, given));
    for (let n = 0; n < 2; n += 1) await deliver(short, await schedule(who, given));
    const found: unknown[] = [];
    for (const ctx of [short, long]) {
      const id = await schedule(who, given);
      const at = await head();
      const delivered = await deliver(ctx, id);
      expect(isShort(delivered), delivered.statements.join('\n')).toBe(ctx === short);
      found.push(await traceOf(delivered.id, at));
    }
    expect(found[0]).toEqual(found[1]);
  }

  it('a message to a channel', async () => {
    const given = { type: 'channel', to: world.publicId, topic: 'later' };
    await compare(world.ada, { ...given, content: 'See **you** at #**general**' });
    await compare(world.ada, { ...given, content: 'unread', read_by_sender: false });
  });

  it('a message that mentions somebody, who follows the topic from then on', async () => {
    const { ada, bob, publicId } = world;
    const content = `@**${bob.fullName}** look`;
    await compare(ada, { type: 'channel', to: publicId, topic: 'later', content });
  });

  it('a direct message', async () => {
    const { ada, bob, owner } = world;
    await compare(ada, { type: 'direct', to: [bob.id], content: 'hello' });
    await compare(ada, { type: 'direct', to: [bob.id, owner.id], content: 'hello' });
  });

  it('and what has failed once goes the long way', async () => {
    const { short } = contexts();
    const given = { type: 'channel', to: world.publicId, topic: 'later', content: 'again' };
    for (let n = 0; n < 2; n += 1) await deliver(short, await schedule(world.ada, given));
    const id = await schedule(world.ada, given);
    await short.database.pool.query('UPDATE scheduled_messages SET attempts = 1 WHERE id = $1', [
      id,
    ]);
    const delivered = await deliver(short, id);
    expect(delivered).toMatchObject({ failure: null });
    expect(delivered.statements.join()).not.toContain('post_messages');
  });

  it('what the transaction of the delivery takes back was never sent', async () => {
    const { short } = contexts();
    const given = { type: 'channel', to: world.publicId, topic: 'later', content: 'taken back' };
    for (let n = 0; n < 2; n += 1) await deliver(short, await schedule(world.ada, given));
    const id = await schedule(world.ada, given);
    const count = async () => (await short.database.pool.query('SELECT FROM messages')).rowCount;
    const before = await count();
    const broken = short.inTransaction(async (tx) => {
      await scheduledMessages(short).act(tx, id);
      throw new Error('The power fails.');
    });
    await expect(broken).rejects.toThrow('The power fails.');
    expect(await count()).toBe(before);
    expect((await deliver(short, id)).failure).toBeNull();
    expect(await count()).toBe((before ?? 0) + 1);
  });
});

describe('a right that its owner has lost a millisecond ago:', () => {
  let world: MessageWorld;
  /** The process that delivers. It has no relay, and nothing numbers the events of the other one. */
  let delivering: TestServer;
  let count = 0;
  beforeAll(async () => {
    world = await openMessageWorld({ settings: clusterSettings(), withRelay: false });
    delivering = await startTestServer({
      databaseUrl: world.server.databaseUrl,
      settings: clusterSettings(),
      withRelay: false,
    });
  });
  afterAll(async () => {
    await delivering.close();
    await world.close();
  });

  const worker = (): OriginContext => {
    const { ctx, origin } = delivering;
    return { ...ctx, ...ctx.pooled('chat'), publicUrl: () => origin };
  };

  interface Case {
    readonly who: Actor;
    readonly channelId: number;
    readonly name: string;
  }
  /** A new member in a new private channel. */
  async function newCase(role: RoleCode = ROLE.member): Promise<Case> {
    count += 1;
    const name = `lost ${count}`;
    const who = await world.person({ role });
    const channelId = await world.channel(name, [world.owner, who], { invite_only: true });
    return { who, channelId, name };
  }
  const inChannel = ({ channelId }: Case): FormInput => ({
    type: 'channel',
    to: channelId,
    topic: 'x',
    content: 'plain',
  });

  /** Delivers by memory, and shows that it does; then once more after the right was lost. */
  async function failureAfter(who: Actor, given: FormInput, lose: () => Promise<unknown>) {
    for (let n = 0; n < 2; n += 1) await deliver(worker(), await schedule(who, given));
    const last = await deliver(worker(), await schedule(who, given));
    expect(isShort(last), last.statements.join('\n')).toBe(true);
    const id = await schedule(who, given);
    await lose();
    const { rows } = await world.server.owner.query('SELECT FROM messages WHERE sender_id = $1', [
      who.id,
    ]);
    const refused = await deliver(worker(), id);
    const after = await world.server.owner.query('SELECT FROM messages WHERE sender_id = $1', [
      who.id,
    ]);
    expect([refused.id, after.rowCount]).toEqual([0, rows.length]);
    return refused.failure;
  }
  const setPosting = (channelId: number, before: number, after: number) => async () => {
    const change = JSON.stringify({ new: after, old: before });
    ok(await world.owner.client.patch(`/streams/${channelId}`, { can_send_message_group: change }));
  };
  const everybody = roleGroupId('role:everyone');
  const moderators = roleGroupId('role:moderators');
  const mayNot = 'You do not have permission to post in this channel.';

  it('the channel, which they have left', async () => {
    const one = await newCase();
    const left = {
      subscriptions: JSON.stringify([one.name]),
      principals: JSON.stringify([one.who.id]),
    };
    const leave = async () => ok(await world.owner.client.delete('/users/me/subscriptions', left));
    expect(await failureAfter(one.who, inChannel(one), leave)).toContain('does not exist');
  });

  it('a permission of the channel', async () => {
    const one = await newCase();
    const lose = setPosting(one.channelId, everybody, moderators);
    expect(await failureAfter(one.who, inChannel(one), lose)).toBe(mayNot);
  });

  it('their role', async () => {
    const one = await newCase(ROLE.moderator);
    await setPosting(one.channelId, everybody, moderators)();
    const lose = async () =>
      ok(await world.owner.client.patch(`/users/${one.who.id}`, { role: ROLE.member }));
    expect(await failureAfter(one.who, inChannel(one), lose)).toBe(mayNot);
  });

  it('their account', async () => {
    const one = await newCase();
    const lose = async () => ok(await world.owner.client.delete(`/users/${one.who.id}`));
    expect(await failureAfter(one.who, inChannel(one), lose)).toBe('Account is deactivated');
  });

  it('the channel, which has ended', async () => {
    const one = await newCase();
    const lose = async () => ok(await world.owner.client.delete(`/streams/${one.channelId}`));
    expect(await failureAfter(one.who, inChannel(one), lose)).not.toBeNull();
  });

  it('somebody to write to', async () => {
    const [ada, bob] = [await world.person(), await world.person()];
    const lose = async () => ok(await world.owner.client.delete(`/users/${bob.id}`));
    const given = { type: 'direct', to: [bob.id], content: 'x' };
    expect(await failureAfter(ada, given, lose)).toContain('no longer using');
  });

  it('and a right that was given again counts', async () => {
    const one = await newCase();
    const lose = setPosting(one.channelId, everybody, moderators);
    expect(await failureAfter(one.who, inChannel(one), lose)).toBe(mayNot);
    await setPosting(one.channelId, moderators, everybody)();
    const given = await deliver(worker(), await schedule(one.who, inChannel(one)));
    expect(given).toMatchObject({ failure: null });
  });
});
