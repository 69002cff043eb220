// `bench narrows`: how long a page of each narrow takes that used to read through all messages. Two people ask: a
// newcomer, who has read nothing and set nothing, so that much is unread and nothing is muted or followed, and a
// regular, who has read nearly everything and has set much. One of the two is the worst case of each narrow.
import pg from 'pg';
import { startDeployment } from '../../server/src/testing/deployment.ts';
import { startRialtoProcess } from '../../server/src/testing/rialto-process.ts';
import { printTable, type Figure } from '../figure.ts';
import { callForText, createPerson, type Caller } from './chat-calls.ts';
import { addChannel, addCrowd, type BenchChannel } from './chat-world.ts';
import { writeMessages, type SearchWorld } from './search-world.ts';
import { quantile, round } from './stats.ts';

const MESSAGES = 1_000_000;
const MESSAGES_FULL = 10_000_000;
const CHANNELS = 40;
const SENDERS = 200;
const PAGE = 100;
const WARM_UP = 4;
const SAMPLES = 15;
const GOAL_MS = 150;
/** What the regular has not read in each channel. */
const UNREAD_A_CHANNEL = 500;

interface Question {
  readonly name: string;
  readonly narrow: readonly unknown[];
  /** Otherwise the newest page. */
  readonly anchor?: string;
}

export async function benchNarrows({ full }: { readonly full: boolean }): Promise<Figure[]> {
  const count = full ? MESSAGES_FULL : MESSAGES;
  const deployment = await startDeployment({ LOG_LEVEL: 'warn', CHAT_RATE_LIMIT: '1000000' });
  const pool = new pg.Pool({ connectionString: deployment.postgres.ownerUrl, max: 2 });
  try {
    const world = await fillNarrows(deployment.ctx, pool, count);
    const api = await startRialtoProcess('api', deployment.environment);
    const relay = await startRialtoProcess('relay', deployment.environment);
    try {
      return await measureNarrows(api.origin, world, count);
    } finally {
      await api.stop();
      await relay.stop();
    }
  } finally {
    await pool.end();
    await deployment.close();
  }
}

export interface NarrowsWorld {
  /** The credentials of each person, by name. */
  readonly people: Readonly<Record<string, string>>;
  readonly questions: readonly Question[];
}

export async function fillNarrows(
  ctx: Parameters<typeof createPerson>[0],
  pool: pg.Pool,
  count: number,
): Promise<NarrowsWorld> {
  const newcomer = await createPerson(ctx, 'newcomer');
  const regular = await createPerson(ctx, 'regular');
  const crowd = await addCrowd(pool, SENDERS);
  const channels: BenchChannel[] = [];
  for (let n = 0; n < CHANNELS; n += 1) {
    const subscribers = [newcomer.user.id, regular.user.id, ...crowd];
    channels.push(await addChannel(pool, `channel ${n}`, regular.user.id, subscribers));
  }
  const startMs = performance.now();
  const world = await writeMessages(pool, channels, crowd, count);
  console.error(`${count} messages written in ${round((performance.now() - startMs) / 1000)} s.`);
  await settle(pool, regular.user.id, channels);
  return {
    people: { newcomer: newcomer.basic, regular: regular.basic },
    questions: await questionsOf(pool, world),
  };
}

/** Lets the regular read and set things; a few messages get signs, far back in the past. */
async function settle(
  pool: pg.Pool,
  userId: number,
  channels: readonly BenchChannel[],
): Promise<void> {
  const ids = channels.map(({ id }) => id);
  await pool.query(
    `INSERT INTO read_marks (user_id, home_id, read_through)
     SELECT $1, c.conversation_id, k.seq - $3 FROM channels c
       JOIN conversation_counters k ON k.conversation_id = c.conversation_id
      WHERE c.id = ANY ($2::int[])`,
    [userId, ids, UNREAD_A_CHANNEL],
  );
  // Quiet topics: a scan of the newest messages does not meet them soon.
  await pool.query(
    `INSERT INTO user_topics (user_id, channel_id, topic, visibility_policy, updated_at)
     SELECT $1, c, 'topic ' || (195 + n), CASE WHEN n = 0 THEN 1 ELSE 3 END, now()
       FROM unnest($2::int[]) AS c, generate_series(0, 2) AS n`,
    [userId, ids],
  );
  await pool.query(
    `UPDATE messages SET content = content || ' %%'
      WHERE id IN (SELECT id FROM messages ORDER BY id LIMIT 50)`,
  );
  await pool.query('VACUUM ANALYZE messages, user_topics, read_marks, subscriptions, channels');
}

async function questionsOf(pool: pg.Pool, { words }: SearchWorld): Promise<Question[]> {
  const { rows } = await pool.query<{ content: string; sent_at: Date }>(
    `SELECT content, sent_at FROM messages
      WHERE id >= (SELECT (min(id) + max(id)) / 2 FROM messages) ORDER BY id LIMIT 1`,
  );
  const [middle] = rows;
  if (middle === undefined) throw new Error('No message was written.');
  const frequent = words[0] ?? '';
  const is = (operand: string, negated = false) => [{ operator: 'is', operand, negated }];
  const search = (operand: string) => [{ operator: 'search', operand }];
  return [
    { name: 'all messages', narrow: [] },
    { name: 'not unread', narrow: is('unread', true) },
    { name: 'is:muted', narrow: is('muted') },
    { name: 'first unread over all', narrow: [], anchor: 'anchor=first_unread' },
    { name: 'is:followed', narrow: is('followed') },
    { name: 'is:unread', narrow: is('unread') },
    { name: 'is:unread, oldest', narrow: is('unread'), anchor: 'anchor=oldest' },
    { name: 'topic without channel', narrow: [{ operator: 'topic', operand: 'topic 199' }] },
    { name: 'unknown topic', narrow: [{ operator: 'topic', operand: 'nowhere' }] },
    {
      name: 'date anchor',
      narrow: [],
      anchor: `anchor=date&anchor_date=${encodeURIComponent(middle.sent_at.toISOString())}`,
    },
    { name: 'frequent word', narrow: search(frequent) },
    {
      name: 'phrase, frequent words',
      narrow: search(`"${frequentPhrase(middle.content, words)}"`),
    },
    { name: 'phrase that nobody wrote', narrow: search(`"${frequent} ${frequent} ${frequent}"`) },
    { name: 'signs only', narrow: search('%%') },
  ];
}

/** Two words that stand beside each other in a text, the more frequent the shorter their numbers are. */
const frequentPhrase = (content: string, words: readonly string[]): string => {
  const written = content.split(' ');
  const at = Math.max(
    0,
    written.findIndex((word) => words.slice(0, 10).includes(word)),
  );
  return written
    .slice(Math.min(at, written.length - 2))
    .slice(0, 2)
    .join(' ');
};

export async function measureNarrows(
  origin: string,
  { people, questions }: NarrowsWorld,
  count: number,
): Promise<Figure[]> {
  const table = [['narrow', ...Object.keys(people).map((name) => `${name} p50 ms`), 'found']];
  let worst = { name: '', ms: 0 };
  for (const question of questions) {
    const cells: string[] = [];
    const founds: string[] = [];
    for (const basic of Object.values(people)) {
      const { times, found } = await measure({ origin, basic }, question);
      const ms = quantile(times, 0.5);
      if (ms > worst.ms) worst = { name: question.name, ms };
      cells.push(ms.toFixed(1));
      founds.push(String(found));
    }
    table.push([question.name, ...cells, founds.join(' and ')]);
  }
  printTable(table);
  console.error(`${count} messages, pages of ${PAGE}, ${SAMPLES} of each, one at a time.`);
  return [
    {
      figure: 'narrows.worst',
      narrow: worst.name,
      ours: round(worst.ms, 1),
      messages: count,
      unit: 'ms',
      goal: GOAL_MS,
      met: worst.ms <= GOAL_MS,
    },
  ];
}

async function measure(
  caller: Caller,
  { narrow, anchor }: Question,
): Promise<{ times: number[]; found: number | string }> {
  const sides =
    anchor === undefined ? `anchor=newest&num_before=${PAGE}` : `${anchor}&num_after=${PAGE}`;
  const path = `/messages?${sides}&narrow=${encodeURIComponent(JSON.stringify(narrow))}`;
  const times: number[] = [];
  let found: number | string = 0;
  let spent = 0;
  for (let n = 0; n < WARM_UP + SAMPLES; n += 1) {
    const startMs = performance.now();
    const text = await callForText(caller, 'GET', path);
    const ms = performance.now() - startMs;
    const answer = JSON.parse(text) as { messages?: unknown[]; code?: string };
    found = answer.messages?.length ?? answer.code ?? text;
    if (n >= WARM_UP || ms > 1000) times.push(ms);
    spent += ms;
    // A few samples of a narrow that takes seconds say enough.
    if (spent > 10_000) break;
  }
  return { times: times.sort((a, b) => a - b), found };
}
