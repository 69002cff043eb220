// Inserts many people and channels at once, as rows; the benchmark measures only what comes after.
// Call it before the processes start, because it emits no events. It uses its own connection,
// because the product's statement time limit is too short for so many rows.
import type pg from 'pg';
import { ROLE } from '../../server/src/accounts/roles.ts';
import { groupsOfRole } from '../../server/src/accounts/users/role-groups.ts';

/** Settings for one machine that acts as thousands of clients, each of which keeps its connection. */
export const FOR_MANY_CLIENTS: Readonly<Record<string, string>> = {
  LOG_LEVEL: 'warn',
  CHAT_RATE_LIMIT: '1000000',
  CHAT_RATE_LIMIT_POLLS: '1000000',
  CONNECTIONS_PER_ADDRESS_MAX: '100000',
  CONNECTIONS_MAX: '100000',
  REQUESTS_PER_CONNECTION_MAX: '0',
};

/** Adds members who never sign in; returns their ids, ascending. `after` is how many such members there are already. */
export async function addCrowd(pool: pg.Pool, count: number, after = 0): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO users (email, full_name, role, chat_key_lookup, chat_key_sealed)
     SELECT 'crowd' || n || '@example.com', 'Crowd ' || n, $2, sha256(('crowd' || n)::bytea), '\\x00'
       FROM generate_series($3::int + 1, $3::int + $1::int) AS n
     RETURNING id`,
    [count, ROLE.member, after],
  );
  const ids = rows.map(({ id }) => id).sort((a, b) => a - b);
  await pool.query(
    `INSERT INTO user_group_members (group_id, user_id)
     SELECT g, u FROM unnest($1::int[]) AS g, unnest($2::int[]) AS u`,
    [groupsOfRole(ROLE.member), ids],
  );
  return ids;
}

export interface BenchChannel {
  readonly id: number;
  readonly conversationId: number;
}

/** Adds a public channel with these subscribers. */
export async function addChannel(
  pool: pg.Pool,
  name: string,
  creatorId: number,
  subscriberIds: readonly number[],
): Promise<BenchChannel> {
  const { rows } = await pool.query<BenchChannel>(
    `INSERT INTO channels (name, creator_id) VALUES ($1, $2)
     RETURNING id, conversation_id AS "conversationId"`,
    [name, creatorId],
  );
  const [channel] = rows;
  if (channel === undefined) throw new Error(`The channel "${name}" was not added.`);
  await pool.query('INSERT INTO subscriptions (user_id, channel_id) SELECT unnest($1::int[]), $2', [
    subscriberIds,
    channel.id,
  ]);
  return channel;
}
