// What is remembered, for how long, and which changes the database notes. A write that relies on memory compares with
// these notes, so a table that remembered facts come from and that no trigger watches would be a hole.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { examplePerson } from '../../testing/example.ts';
import { ABOUT, createFactMemory, remembered, type Basis } from './memory.ts';
import { forgetFactChanges } from './upkeep.ts';

let test: TestContext;
let personId = 0;
let otherId = 0;
let channelId = 0;

beforeAll(async () => {
  test = await createTestContext();
  personId = (await examplePerson(test.ctx)).id;
  otherId = (await examplePerson(test.ctx)).id;
  const { rows } = await test.owner.query<{ id: number }>(
    `INSERT INTO channels (name, creator_id) VALUES ('facts', $1) RETURNING id`,
    [personId],
  );
  channelId = rows[0]?.id ?? 0;
});
afterAll(() => test.close());

const snapshotNow = async (): Promise<string> => {
  const { rows } = await sql<{ s: string }>`SELECT pg_current_snapshot()::text AS s`.execute(
    test.ctx.db,
  );
  return rows[0]?.s ?? '';
};

/** About whom the database has noted changes that this snapshot does not know. */
async function notedSince(snapshot: string): Promise<number[]> {
  const { rows } = await sql<{ about: number }>`
    SELECT DISTINCT about FROM fact_changes
     WHERE NOT pg_visible_in_snapshot(xid, ${snapshot}::pg_snapshot) ORDER BY about`.execute(
    test.ctx.db,
  );
  return rows.map(({ about }) => about);
}

describe('the database notes', () => {
  const { everybody, alertWords, names } = ABOUT;
  it.each<
    [string, (ids: { p: number; c: number; o: number }) => string, 'p' | 'o' | number, number?]
  >([
    [
      'a subscription',
      ({ p, c }) => `INSERT INTO subscriptions (user_id, channel_id) VALUES (${p}, ${c})`,
      'p',
    ],
    ['its change', ({ p }) => `UPDATE subscriptions SET is_muted = true WHERE user_id = ${p}`, 'p'],
    ['its end', ({ p }) => `DELETE FROM subscriptions WHERE user_id = ${p}`, 'p'],
    ['a group', () => `INSERT INTO user_groups (name) VALUES ('facts')`, everybody],
    [
      'a group that has ended',
      () => `UPDATE user_groups SET is_deactivated = true WHERE name = 'facts'`,
      everybody,
    ],
    [
      'a member',
      ({ p }) =>
        `INSERT INTO user_group_members SELECT id, ${p} FROM user_groups WHERE name = 'facts'`,
      'p',
    ],
    ['a member who leaves', ({ p }) => `DELETE FROM user_group_members WHERE user_id = ${p}`, 'p'],
    [
      'a group in a group',
      () => `INSERT INTO user_group_subgroups SELECT id, 3 FROM user_groups WHERE name = 'facts'`,
      everybody,
    ],
    [
      'a permission',
      ({ c }) =>
        `INSERT INTO permission_settings VALUES ('channel', ${c}, 'can_send_message_group', '{}', '{8}')`,
      everybody,
    ],
    [
      'its change',
      () => `UPDATE permission_settings SET subgroups = '{7}' WHERE kind = 'channel'`,
      everybody,
    ],
    ['its end', () => `DELETE FROM permission_settings WHERE kind = 'channel'`, everybody],
    [
      'a setting of the organization',
      () => `UPDATE organization SET settings = '{"x": 1}'`,
      everybody,
    ],
    [
      'a channel that ends',
      ({ c }) => `UPDATE channels SET is_archived = true WHERE id = ${c}`,
      everybody,
    ],
    [
      'a name of a channel',
      ({ c }) => `UPDATE channels SET name = 'facts 2' WHERE id = ${c}`,
      everybody,
    ],
    ['a new channel', () => `INSERT INTO channels (name) VALUES ('facts 3')`, everybody],
    [
      'a linkifier',
      () => `INSERT INTO linkifiers (pattern, url_template, "order") VALUES ('a', 'b', 1)`,
      everybody,
    ],
    [
      'an alert word',
      ({ p }) => `INSERT INTO alert_words (user_id, word, first_token) VALUES (${p}, 'a', 'a')`,
      alertWords,
    ],
    [
      'a person who is muted',
      ({ p, o }) => `INSERT INTO muted_users VALUES (${p}, ${o}, now())`,
      'o',
    ],
    ['the end of a mute', ({ p }) => `DELETE FROM muted_users WHERE user_id = ${p}`, 'o'],
    ['a name', ({ p }) => `UPDATE users SET full_name = 'X' WHERE id = ${p}`, 'p', names],
    [
      'a custom emoji',
      ({ p }) =>
        `INSERT INTO custom_emoji (name, author_id, source_url) VALUES ('facts', ${p}, 'x')`,
      everybody,
    ],
    [
      'its end',
      () => `UPDATE custom_emoji SET is_deactivated = true WHERE name = 'facts'`,
      everybody,
    ],
    ['a key', ({ p }) => `UPDATE users SET chat_key_lookup = '\\x01' WHERE id = ${p}`, 'p'],
    ['a time zone', ({ p }) => `UPDATE users SET timezone = 'Asia/Tehran' WHERE id = ${p}`, 'p'],
    ['a picture', ({ p }) => `UPDATE users SET avatar_source = 'U' WHERE id = ${p}`, 'p'],
    [
      'the terms of one more key',
      ({ p }) =>
        `WITH made AS (INSERT INTO chat_keys (user_id, kind, lookup, label, can, direct)
                       VALUES (${p}, 'own', sha256('facts'), 'facts', '{read}', true) RETURNING id)
         SELECT FROM made;
         UPDATE chat_keys SET can = '{read,write}' WHERE label = 'facts'`,
      'p',
    ],
    ['its end', () => `DELETE FROM chat_keys WHERE label = 'facts'`, 'p'],
    [
      'a role, also for bots of this owner',
      ({ p }) => `UPDATE users SET role = 600 WHERE id = ${p}`,
      'p',
      everybody,
    ],
    [
      'an account that ends',
      ({ p }) => `UPDATE users SET is_active = false WHERE id = ${p}`,
      'p',
      everybody,
    ],
  ])('%s', async (_name, statement, about, also) => {
    const before = await snapshotNow();
    await test.owner.query(statement({ p: personId, c: channelId, o: otherId }));
    const expected = about === 'p' ? personId : about === 'o' ? otherId : about;
    expect(await notedSince(before)).toEqual(also === undefined ? [expected] : [also, expected]);
  });

  it('many people at once as a change for everybody', async () => {
    await test.owner.query(
      `INSERT INTO users (email, full_name, role, chat_key_lookup, chat_key_sealed)
       SELECT 'many' || n || '@example.com', 'M', 400, sha256(n::text::bytea), '' FROM generate_series(1, 600) n`,
    );
    const before = await snapshotNow();
    await test.owner.query(
      `INSERT INTO subscriptions (user_id, channel_id)
       SELECT id, $1 FROM users WHERE email LIKE 'many%'`,
      [channelId],
    );
    expect(await notedSince(before)).toEqual([ABOUT.everybody]);
  });

  it('each of many people who come', async () => {
    const before = await snapshotNow();
    await test.owner.query(
      `INSERT INTO users (email, full_name, role, chat_key_lookup, chat_key_sealed)
       SELECT 'more' || n || '@example.com', 'M', 400, sha256(('more' || n)::bytea), ''
         FROM generate_series(1, 600) n`,
    );
    const noted = await notedSince(before);
    expect(noted).toHaveLength(601);
    expect(noted[0]).toBe(ABOUT.names);
  });

  it('nothing for what sending writes', async () => {
    const before = await snapshotNow();
    await test.owner.query('UPDATE channels SET first_message_id = 1 WHERE id = $1', [channelId]);
    expect(await notedSince(before)).toEqual([]);
  });
});

describe('the memory', () => {
  it('reads once, and again after an age, and after it was forgotten', async () => {
    let now = 0;
    let loads = 0;
    const memory = createFactMemory({ ageMaxMs: 1000, nowMs: () => now });
    const read = () => {
      const reader = memory.reader(test.ctx.db);
      return {
        reader,
        value: remembered(reader.db, 'k', [7], async () => {
          loads += 1;
          return loads;
        }),
      };
    };
    expect([await read().value, await read().value]).toEqual([1, 1]);
    now = 1001;
    expect(await read().value).toBe(2);
    const { reader, value } = read();
    expect(await value).toBe(2);
    expect(reader.basis().about).toEqual([7]);
    reader.forget();
    expect(await read().value).toBe(3);
  });

  it('can tell from a value what it is about, and does not keep what is not there', async () => {
    const memory = createFactMemory();
    const reader = memory.reader(test.ctx.db);
    const find = (key: string, value: readonly number[] | undefined) =>
      remembered(
        reader.db,
        key,
        (found) => found ?? [],
        async () => value,
      );
    expect(await find('there', [4, 5])).toEqual([4, 5]);
    expect(await find('missing', undefined)).toBeUndefined();
    expect(await find('there', undefined)).toEqual([4, 5]);
    expect(await find('missing', [6])).toEqual([6]);
    expect(reader.basis().about).toEqual([4, 5, 6]);
  });

  it('remembers nothing for the database itself', async () => {
    let loads = 0;
    const load = async () => (loads += 1);
    await remembered(test.ctx.db, 'k', [7], load);
    await remembered(test.ctx.db, 'k', [7], load);
    expect(loads).toBe(2);
  });

  it('keeps no more than it may, and drops what was used longest ago', async () => {
    const memory = createFactMemory({ weightMax: 3 });
    const reader = memory.reader(test.ctx.db);
    for (const key of ['a', 'b', 'c']) await remembered(reader.db, key, [], async () => key);
    await remembered(reader.db, 'a', [], async () => 'again');
    await remembered(reader.db, 'd', [], async () => 'd');
    expect(memory.size).toBe(3);
    expect(await remembered(reader.db, 'a', [], async () => 'loaded')).toBe('a');
    expect(await remembered(reader.db, 'b', [], async () => 'loaded')).toBe('loaded');
  });

  it('counts the rows of a list, and keeps no list that would drive out everything else', async () => {
    const memory = createFactMemory({ weightMax: 100 });
    const reader = memory.reader(test.ctx.db);
    const keep = (key: string, rows: number) =>
      remembered(reader.db, key, [], async () => Array.from({ length: rows }));
    await keep('a single row', 1);
    expect(memory.size).toBe(1);
    await keep('a fortieth of all and more', 2);
    expect(memory.size).toBe(1);
    for (let n = 0; n < 60; n += 1) await keep(`row ${n}`, 1);
    expect(memory.size).toBe(50);
  });

  it('does not take what rests on an old fact for a new one', async () => {
    let now = 0;
    const memory = createFactMemory({ ageMaxMs: 1000, nowMs: () => now });
    const first = memory.reader(test.ctx.db);
    await remembered(first.db, 'rights', [1], async () => 'old');
    await test.owner.query('INSERT INTO fact_changes (about) VALUES (1)');
    now = 900;
    const second = memory.reader(test.ctx.db);
    await remembered(second.db, 'rights', [1], async () => 'new');
    await remembered(second.db, 'channel', [2], async () => 'made of old rights');
    const third = memory.reader(test.ctx.db);
    await remembered(third.db, 'channel', [2], async () => 'never loaded');
    expect(await holds(third.basis())).toBe(false);
    // And it ends with the fact that it rests on.
    now = 1001;
    expect(await remembered(third.db, 'channel', [2], async () => 'fresh')).toBe('fresh');
  });
});

/** As post_messages asks it. */
async function holds({ about, snapshots }: Basis): Promise<boolean> {
  const { rows } = await sql<{ holds: boolean }>`
    SELECT NOT EXISTS (
      SELECT FROM fact_changes c, unnest(${about}::int[], ${snapshots}::pg_snapshot[]) AS r (about, seen)
       WHERE c.about = r.about AND NOT pg_visible_in_snapshot(c.xid, r.seen)) AS holds`.execute(
    test.ctx.db,
  );
  return rows[0]?.holds === true;
}

describe('upkeep', () => {
  const floor = async (): Promise<bigint> => {
    const { rows } = await test.owner.query<{ xid: string }>('SELECT xid::text FROM fact_floor');
    return BigInt(rows[0]?.xid ?? '0');
  };

  it('forgets old changes, and says up to where', async () => {
    await test.owner.query(
      `INSERT INTO fact_changes (about, at) VALUES (9, now() - interval '11 minutes')`,
    );
    const { rows } = await test.owner.query<{ xid: string }>(
      `SELECT xid::text FROM fact_changes WHERE about = 9 AND at < now() - interval '10 minutes'`,
    );
    expect(await forgetFactChanges(test.ctx.db)).toBe(1);
    expect(await floor()).toBe(BigInt(rows[0]?.xid ?? '0') + 1n);
    expect(await forgetFactChanges(test.ctx.db)).toBe(0);
  });

  it('brings a floor of another cluster down, as after a restore', async () => {
    await test.owner.query(`UPDATE fact_floor SET xid = '999999999999'`);
    await forgetFactChanges(test.ctx.db);
    expect(await floor()).toBeLessThan(999_999_999_999n);
  });
});
