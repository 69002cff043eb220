// What a search may cost the server. The tests lock the table of messages, so that a search lasts.
import type pg from 'pg';
import { describe, expect, it } from 'vitest';
import { pause } from '../../../platform/std/wait.ts';
import { chatClient, encodeForm, type Answer } from '../../../testing/chat/client.ts';
import { ok, refused, send, useMessageWorld, type Actor } from '../../../testing/chat/world.ts';

/** Long, so that only the tested limit ends a search. */
const world = useMessageWorld({ settings: { SEARCH_MS: '60000' } });

const search = (operand: string, negated = false) => ({ operator: 'search', operand, negated });

const fetchPage = ({ client }: Actor, narrow: readonly unknown[]): Promise<Answer> =>
  client.get('/messages', { anchor: 'newest', num_before: 10, narrow });

/** Locks the messages against reading while `work` runs. */
async function whileUnreadable(work: () => Promise<void>): Promise<void> {
  const blocker = await world.server.ctx.database.pool.connect();
  await blocker.query('BEGIN; LOCK TABLE messages IN ACCESS EXCLUSIVE MODE');
  try {
    await work();
  } finally {
    await blocker.query('ROLLBACK');
    blocker.release();
  }
}

const searchPool = (): pg.Pool => world.server.ctx.pooled('search').database.pool;

async function countRunning(): Promise<number> {
  const { rows } = await world.server.ctx.database.pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE application_name LIKE 'rialto % search' AND state = 'active'
        AND datname = current_database()`,
  );
  return rows[0]?.count ?? 0;
}

async function untilRunning(wanted: number): Promise<void> {
  while ((await countRunning()) !== wanted) await pause(20);
}

describe('a narrow', () => {
  const four = Array.from({ length: 4 }, (_, index) => search(`word${index}`, index > 0));
  const sixPhrases = [search('"a b" "c d" "e f"'), search('"g h" "i j" "k l"', true)];
  const signs = [search('"a" "b" "c" "d"'), search('%%'), search(':)', true)];
  const cases = [
    ['four search terms', four, 'too many search terms (4, limit: 3)'],
    ['six phrases', sixPhrases, 'too many phrases in quotes (6, limit: 5)'],
    ['punctuation, which counts as phrases', signs, 'too many phrases in quotes (6, limit: 5)'],
  ] as const;

  it.each(cases)('with %s is refused by every route', async (_what, narrow, said) => {
    const { client } = world.guest;
    const page = { anchor: 'newest', num_before: 10, num_after: 0, narrow };
    const answers = [
      await client.get('/messages', page),
      await client.post('/messages', { ...page, method: 'GET' }),
      await client.post('/messages/flags/narrow', { ...page, op: 'add', flag: 'starred' }),
      await client.get('/messages/matches_narrow', { msg_ids: [1], narrow }),
    ];
    for (const answer of answers) {
      expect(refused(answer)).toMatchObject({ code: 'BAD_NARROW' });
      expect(refused(answer).msg).toContain(said);
    }
  });

  it('at the limits is answered by all of them', async () => {
    const id = await send(world.ada, world.publicId, 'limits', 'alpha "beta gamma" :)');
    const narrow = [
      search('alpha "beta gamma" "beta" "gamma"'),
      search(':)'),
      search('x "y"', true),
    ];
    const page = { anchor: 'newest', num_before: 10, num_after: 0, narrow };
    const { client } = world.ada;
    const found = ok(await client.get('/messages', page))['messages'] as { id: number }[];
    expect(found.map((one) => one.id)).toEqual([id]);
    ok(await client.post('/messages', { ...page, method: 'GET' }));
    ok(await client.post('/messages/flags/narrow', { ...page, op: 'add', flag: 'starred' }));
    const matches = await client.get('/messages/matches_narrow', { msg_ids: [id], narrow });
    expect(Object.keys(ok(matches)['messages'] as object)).toEqual([String(id)]);
  });
});

it('when the caller goes away, the statement is cancelled', async () => {
  await whileUnreadable(async () => {
    const gone = new AbortController();
    const query = encodeForm({ anchor: 'newest', num_before: 10, narrow: [search('alpha')] });
    const asked = fetch(`${world.server.chatUrl}/messages?${query.toString()}`, {
      headers: { authorization: world.ada.basic },
      signal: gone.signal,
    });
    const failed = expect(asked).rejects.toThrow('abort');
    await untilRunning(1);
    gone.abort();
    await failed;
    // The table is still locked, and the time limit is far away: only the cancellation can end the statement.
    await untilRunning(0);
  });
  expect(searchPool().waitingCount).toBe(0);
  ok(await fetchPage(world.ada, [search('alpha')]));
});

it('one person has two searches at a time, bots included; others have their own', async () => {
  const made = ok(
    await world.ada.client.post('/bots', { full_name: 'Ada’s seeker', short_name: 'ada-seeker' }),
  );
  const { email } = ok(await world.ada.client.get(`/users/${String(made['user_id'])}`))['user'] as {
    email: string;
  };
  const basic = `Basic ${Buffer.from(`${email}:${String(made['api_key'])}`).toString('base64')}`;
  const bot = chatClient(world.server, { basic });
  const page = { anchor: 'newest', num_before: 10, narrow: [search('alpha')] };

  let asked: Promise<Answer>[] = [];
  await whileUnreadable(async () => {
    asked = [fetchPage(world.ada, [search('alpha')]), bot.get('/messages', page)];
    await untilRunning(2);
    for (const third of [
      await fetchPage(world.ada, [search('alpha')]),
      await world.ada.client.post('/messages', { ...page, method: 'GET' }),
      await bot.get('/messages', page),
    ]) {
      expect(third.status).toBe(429);
      expect(refused(third).code).toBe('RATE_LIMIT_HIT');
      expect(third.headers.get('retry-after')).toBe('1');
    }
    asked.push(fetchPage(world.bob, [search('alpha')]));
    await untilRunning(3);
  });
  for (const answer of await Promise.all(asked)) ok(answer);
  // Afterwards the person may search again.
  ok(await fetchPage(world.ada, [search('alpha')]));
});

describe('highlighting matches', () => {
  it('stops where an answer gets long, and shows the rest unmarked', async () => {
    const long = `needle ${'hay '.repeat(2400)}`;
    const id = await send(world.ada, world.publicId, 'long', long);
    const { pool } = world.server.ctx.database;
    // As large as rendered messages get, without the time for rendering.
    await pool.query(
      `UPDATE messages SET rendered = '<p>needle</p>' || repeat('<i>hay</i>', 45000)
      WHERE id = $1`,
      [id],
    );
    const later = await send(world.ada, world.publicId, 'long', 'needle once more');
    const found = ok(await fetchPage(world.ada, [search('needle')]))['messages'] as {
      id: number;
      match_content: string;
    }[];
    expect(found.map((one) => one.id)).toEqual([id, later]);
    expect(found[0]?.match_content).toContain('<span class="highlight">needle</span>');
    const again = await send(world.ada, world.publicId, 'long', 'needle a third time');
    await pool.query(
      `UPDATE messages SET rendered = '<p>needle</p>' || repeat('<i>hay</i>', 45000)
      WHERE id = $1`,
      [later],
    );
    const more = ok(await fetchPage(world.ada, [search('needle')]))['messages'] as typeof found;
    expect(more.map((one) => one.match_content.includes('highlight'))).toEqual([
      true,
      false,
      false,
    ]);
    expect(more.at(-1)?.id).toBe(again);
  });
});
