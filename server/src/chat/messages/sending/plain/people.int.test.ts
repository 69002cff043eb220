// Direct messages and mentions of people go by one statement too. What it writes and tells is what the long way writes
// and tells.
import { describe, expect, it } from 'vitest';
import { listUsersById } from '../../../../accounts/users/access.ts';
import type { User } from '../../../../accounts/user.ts';
import { ok, useMessageWorld, type Actor } from '../../../../testing/chat/world.ts';
import { statementsOf } from '../../../../testing/statements.ts';
import { sendMessage, type SendInput } from '../send.ts';
import { forgetful } from '../../../../testing/forgetful.ts';
import { traces } from '../../../../testing/chat/traces.ts';

const world = useMessageWorld();

type Sent = Pick<SendInput, 'content'> & Partial<SendInput>;

const contexts = () => {
  const { ctx, origin } = world.server;
  const api = { ...ctx, ...ctx.pooled('chat'), publicUrl: () => origin };
  return { short: api, long: forgetful(api) };
};

async function sendBy(
  way: 'short' | 'long',
  who: Actor,
  sent: Sent,
): Promise<{ readonly id: number; readonly statements: readonly string[] }> {
  const ctx = contexts()[way];
  const [sender] = (await listUsersById(ctx.db, [who.id])) as [User];
  let id = 0;
  const statements = await statementsOf([ctx.database.pool], async () => {
    const input = {
      type: 'channel' as const,
      to: String(world.publicId),
      topic: 'people',
      client: 'website',
      readBySender: undefined,
      queueId: undefined,
      localId: undefined,
      ...sent,
    };
    ({ id } = await sendMessage(ctx, sender, input));
  });
  return { id, statements };
}

const isShort = (statements: readonly string[]): boolean =>
  statements.some((text) => text.includes('post_messages')) && !statements.includes('commit');

const { query, head, traceOf } = traces(() => world.server.owner);

/** Sends it both ways, each from the same state of people's topics, after a few that fill the memory. */
async function compare(
  who: Actor,
  sent: Sent,
  topics: readonly (readonly [Actor, number])[] = [],
): Promise<unknown[]> {
  const prepare = async (): Promise<void> => {
    await query('DELETE FROM user_topics');
    for (const [{ id }, policy] of topics) {
      await query(
        `INSERT INTO user_topics (user_id, channel_id, topic, visibility_policy, updated_at)
         VALUES ($1, $2, 'People', $3, '2026-01-01')`,
        id,
        world.publicId,
        policy,
      );
    }
  };
  await sendBy('long', who, sent);
  // The first may find that what was remembered has changed.
  for (let n = 0; n < 2; n += 1) await sendBy('short', who, sent);
  const found: unknown[] = [];
  const ways: boolean[] = [];
  for (const way of ['short', 'long'] as const) {
    await prepare();
    const at = await head();
    const { id, statements } = await sendBy(way, who, sent);
    ways.push(isShort(statements));
    if (way === 'short') expect(statements).toHaveLength(1);
    found.push(await traceOf(id, at));
  }
  expect(ways).toEqual([true, false]);
  expect(found[0]).toEqual(found[1]);
  return found;
}

const direct = (...people: readonly Actor[]): Pick<SendInput, 'type' | 'to' | 'topic'> => ({
  type: 'direct',
  to: JSON.stringify(people.map(({ id }) => id)),
  topic: undefined,
});

describe('one statement writes what the long way writes:', () => {
  it('a direct message', async () => {
    const { ada, bob } = world;
    await compare(ada, { ...direct(bob), content: 'hello' });
  });

  it('a direct message to several, to oneself, and by address', async () => {
    const { ada, bob, owner, guest } = world;
    await compare(ada, { ...direct(bob, owner, guest), content: 'hello **all**' });
    await compare(ada, { ...direct(ada), content: 'a note' });
    await compare(ada, { ...direct(), to: `${bob.email},${owner.email}`, content: 'by address' });
  });

  it('a direct message that names people inside and outside', async () => {
    const { ada, bob, owner } = world;
    const content = `@**Bob** and @_**Owner** and @**Owner|${owner.id}**`;
    await compare(ada, { ...direct(bob), content });
  });

  it('a mention of somebody, who follows the topic from then on', async () => {
    const { ada, bob } = world;
    const content = `@**${bob.fullName}** look, @**${bob.fullName}|${bob.id}**`;
    const [trace] = (await compare(ada, { content })) as [{ flags: object[]; events: object[] }];
    expect(trace.flags).toHaveLength(1);
    expect(trace.events).toMatchObject([{ type: 'message' }, { type: 'user_topic' }]);
  });

  it.each([
    ['followed', 3, ['message']],
    ['unmuted', 2, ['message', 'user_topic']],
    ['muted', 1, ['message', 'muted_topics', 'user_topic']],
  ])('a mention of somebody who has %s the topic', async (_name, policy, types) => {
    const { ada, bob } = world;
    const [trace] = (await compare(ada, { content: `@**${bob.fullName}**` }, [[bob, policy]])) as [
      { events: { type: string }[] },
    ];
    expect(trace.events.map(({ type }) => type)).toEqual(types);
  });

  it('mentions of several, also of oneself and of somebody who is not subscribed', async () => {
    const { ada, bob, owner, stranger } = world;
    const content = [stranger, owner, bob, ada].map((one) => `@**${one.fullName}**`).join(' ');
    const [trace] = (await compare(ada, { content })) as [{ flags: object[] }];
    expect(trace.flags).toHaveLength(4);
  });

  it('a silent mention of a person, of a group, and a mention in code', async () => {
    const { ada, bob } = world;
    await compare(ada, {
      content: `@_**${bob.fullName}** @_*role:members* \`@**${bob.fullName}**\` @**nobody of this name**`,
    });
  });

  it('what is written by somebody whom others have muted', async () => {
    const { ada, bob, owner, stranger } = world;
    for (const one of [owner, stranger, bob]) {
      ok(await one.client.post(`/users/me/muted_users/${ada.id}`));
    }
    const [trace] = (await compare(ada, { content: 'muted' })) as [{ read: object[] }];
    expect(trace.read).toEqual(
      expect.arrayContaining([
        { user_id: owner.id, is_read: true },
        { user_id: bob.id, is_read: true },
      ]),
    );
    await compare(ada, { ...direct(bob), content: 'muted' });
    await compare(ada, { ...direct(bob), content: 'from a program', client: 'curl' });
    for (const one of [owner, stranger, bob]) {
      ok(await one.client.delete(`/users/me/muted_users/${ada.id}`));
    }
  });
});

describe('the long way goes', () => {
  const takesLong = async (who: Actor, sent: Sent): Promise<void> => {
    for (let n = 0; n < 2; n += 1) {
      expect((await sendBy('short', who, sent)).statements).toContain('commit');
    }
  };

  it('what mentions groups, crowds or bots, and what a guest writes directly', async () => {
    const { ada, bob, guest, owner, person } = world;
    const bot = await person({ botType: 1, botOwnerId: owner.id });
    for (const content of ['@*role:members*', '@**all**', '@**topic**', `@**${bot.fullName}**`]) {
      const statements: string[] = [];
      try {
        statements.push(...(await sendBy('short', owner, { content })).statements);
      } catch {
        // By default nobody may mention the groups of roles.
        continue;
      }
      expect(isShort(statements)).toBe(false);
    }
    await takesLong(guest, { ...direct(ada, bob), content: 'from a guest' });
  });

  it('the first message to people, and no later one', async () => {
    const { ada, person } = world;
    const other = await person();
    const sent = { ...direct(other), content: 'first' };
    expect((await sendBy('short', ada, sent)).statements).toContain('commit');
    for (let n = 0; n < 2; n += 1) await sendBy('short', ada, sent);
    expect((await sendBy('short', ada, sent)).statements).toHaveLength(1);
  });

  it('more people than a memory is asked about', async () => {
    const { ada, person } = world;
    const many = await Promise.all(Array.from({ length: 21 }, () => person()));
    await takesLong(ada, { ...direct(...many), content: 'many' });
    await takesLong(ada, {
      content: many.map(({ id, fullName }) => `@**${fullName}|${id}**`).join(' '),
    });
  });
});

it('many direct messages at once keep one order', async () => {
  const { ada, bob } = world;
  const post = (who: Actor, to: Actor, n: number) =>
    who.client.post('/messages', {
      type: 'direct',
      to: [to.id],
      content: `m ${n}`,
      client: 'website',
    });
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? post(ada, bob, n) : post(bob, ada, n))),
  );
  const ids = answers.map((answer) => Number(ok(answer)['id']));
  const rows = await query<{ seq: string }>(
    'SELECT seq FROM messages WHERE id = ANY ($1) ORDER BY id',
    ids,
  );
  const seqs = rows.map(({ seq }) => Number(seq));
  expect(seqs).toHaveLength(60);
  expect(seqs).toEqual(seqs.map((_, n) => (seqs[0] as number) + n));
});
