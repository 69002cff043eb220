// Who may get a notification of a message in a channel: everybody whom the settings say, and found without looking at all
// devices.
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { useMessageWorld } from '../../../testing/chat/world.ts';
import type { LoggedEvent } from '../../../platform/events/event.ts';
import { findCandidates } from './candidates.ts';

const world = useMessageWorld();

const BYSTANDERS = 1000;

interface Person {
  readonly id: number;
  readonly isActive: boolean;
  readonly push: boolean | null;
  readonly general: boolean | null;
  readonly follows: boolean;
  readonly equipment: 'phone' | 'browser' | null;
}

it('finds whom the settings say, of every combination, and looks at few devices', async () => {
  const { db } = world.server.ctx;
  const people: Person[] = [];
  const { rows: channels } = await sql<{ id: number }>`
    INSERT INTO channels (name, creator_id) VALUES ('combined', ${world.owner.id}) RETURNING id`.execute(
    db,
  );
  const channelId = channels[0]?.id ?? 0;
  const add = async (person: Omit<Person, 'id'>) => {
    const { isActive, push, general, follows, equipment } = person;
    const name = `combined${people.length}`;
    const settings = general === null ? {} : { enable_stream_push_notifications: general };
    const { rows } = await sql<{ id: number }>`
      INSERT INTO users (email, full_name, role, chat_key_lookup, chat_key_sealed, settings)
      VALUES (${`${name}@example.com`}, ${name}, 400, sha256(${name}::bytea), '\\x00', ${JSON.stringify(settings)})
      RETURNING id`.execute(db);
    const id = rows[0]?.id ?? 0;
    await sql`INSERT INTO subscriptions (user_id, channel_id, is_active, received, push_notifications)
              VALUES (${id}, ${channelId}, ${isActive}, ${isActive ? '{[1,)}' : '{[1,2)}'}, ${push})`.execute(
      db,
    );
    if (follows) {
      await sql`INSERT INTO user_topics (user_id, channel_id, topic, visibility_policy, updated_at)
                VALUES (${id}, ${channelId}, 'Topic', 3, now())`.execute(db);
    }
    if (equipment === 'phone') {
      await sql`INSERT INTO devices (user_id, created_at, push_token_id)
                VALUES (${id}, now(), ${name})`.execute(db);
    } else if (equipment === 'browser') {
      await sql`INSERT INTO web_push_subscriptions (user_id, digest, endpoint, keys_sealed, created_at)
                VALUES (${id}, '\\x00', 'https://push.example', '\\x00', now())`.execute(db);
    }
    people.push({ id, ...person });
  };
  for (const isActive of [true, false])
    for (const push of [null, true, false])
      for (const general of [null, true, false])
        for (const follows of [true, false])
          for (const equipment of ['phone', 'browser', null] as const)
            await add({ isActive, push, general, follows, equipment });
  // People with devices who want nothing of the channel.
  await world.server.owner.query(
    `WITH crowd AS (
       INSERT INTO users (email, full_name, role, chat_key_lookup, chat_key_sealed)
       SELECT 'by' || n || '@example.com', 'By ' || n, 400, sha256(('by' || n)::bytea), '\\x00'
         FROM generate_series(1, $1::int) AS n
       RETURNING id
     ), theirs AS (
       INSERT INTO subscriptions (user_id, channel_id) SELECT id, $2::int FROM crowd
     )
     INSERT INTO devices (user_id, created_at, push_token_id) SELECT id, now(), id::text FROM crowd`,
    [BYSTANDERS, channelId],
  );
  await world.server.owner.query(
    'ANALYZE users, subscriptions, devices, web_push_subscriptions, user_topics',
  );

  const called = people.filter((_person, n) => n % 5 === 0).map(({ id }) => id);
  const [sender, reader] = people.filter(({ push, isActive }) => push === true && isActive);
  const found = async (mentionsEveryone: boolean) => {
    const event = {
      payload: JSON.stringify({
        message: { id: 77, sender_id: sender?.id, subject: 'tOPIC' },
        delivery: {
          channel_id: channelId,
          read_by: [reader?.id],
          mentioned: called.slice(0, 3),
          topic_mentioned: called.slice(3),
          mentions_everyone: mentionsEveryone,
        },
      }),
      audience: { channel: channelId },
    } as unknown as LoggedEvent;
    return db.transaction().execute(async (tx) => {
      const { userIds } = (await findCandidates(tx, event)) ?? { userIds: [] };
      const { rows } = await sql<{ read: number }>`
        SELECT (seq_tup_read + idx_tup_fetch)::int AS read FROM pg_stat_xact_user_tables
         WHERE relname = 'devices'`.execute(tx);
      return { userIds, devicesRead: rows[0]?.read ?? 0 };
    });
  };
  const hears = ({ id, isActive, push, general, follows, equipment }: Person) =>
    isActive &&
    equipment !== null &&
    id !== sender?.id &&
    id !== reader?.id &&
    ((push ?? general ?? false) || follows || called.includes(id));
  const { userIds, devicesRead } = await found(false);
  expect(userIds).toEqual(people.filter(hears).map(({ id }) => id));
  expect(userIds.length).toBeGreaterThan(20);
  expect(devicesRead).toBeLessThan(200);
  const all = await found(true);
  expect(all.userIds.length).toBeGreaterThan(BYSTANDERS);
});
