// `bench search`: with a million messages, how long it takes over HTTP to find a word, open a
// topic, and load the first page after register. Each is compared with the SQL that returns the
// same rows, in turns on the same PostgreSQL.
import pg from 'pg';
import { startDeployment } from '../../server/src/testing/deployment.ts';
import { startRialtoProcess } from '../../server/src/testing/rialto-process.ts';
import { printTable, type Figure } from '../figure.ts';
import { callForText, createPerson, type Caller } from './chat-calls.ts';
import { addChannel, addCrowd } from './chat-world.ts';
import { writeMessages, type SearchWorld } from './search-world.ts';
import { quantile, round } from './stats.ts';

const MESSAGES = 1_000_000;
const CHANNELS = 40;
const SENDERS = 200;
const PAGE = 100;
const WARM_UP = 50;
const SAMPLES = 300;
const GOAL = 2;

const COLUMNS = `m.id, m.conversation_id, m.sender_id, u.full_name, u.email, m.topic, m.rendered,
  m.client, m.sent_at, m.edited_at`;
const FROM = `SELECT ${COLUMNS} FROM messages m JOIN users u ON u.id = m.sender_id`;
const NEWEST = `ORDER BY m.id DESC LIMIT ${PAGE}`;

interface Question {
  readonly figure: string;
  readonly ours: (n: number) => unknown[];
  readonly bare: (n: number) => { readonly text: string; readonly values: unknown[] };
}

export async function benchSearch(): Promise<Figure[]> {
  const deployment = await startDeployment({ LOG_LEVEL: 'warn', CHAT_RATE_LIMIT: '1000000' });
  const { ctx, environment, postgres } = deployment;
  const pool = new pg.Pool({ connectionString: postgres.ownerUrl, max: 1 });
  try {
    const { user, basic } = await createPerson(ctx, 'reader');
    const crowd = await addCrowd(pool, SENDERS);
    const channels = [];
    for (let n = 0; n < CHANNELS; n += 1) {
      channels.push(await addChannel(pool, `channel ${n}`, user.id, [user.id, ...crowd]));
    }
    const startMs = performance.now();
    const world = await writeMessages(pool, channels, crowd, MESSAGES);
    console.error(
      `${MESSAGES} messages written in ${round((performance.now() - startMs) / 1000)} s.`,
    );
    const api = await startRialtoProcess('api', environment);
    const relay = await startRialtoProcess('relay', environment);
    try {
      const caller = { origin: api.origin, basic };
      const figures: Figure[] = [];
      const table = [['question', 'ours p50', 'p99', 'bare p50', 'p99 ms', 'ratio']];
      for (const question of questionsOf(world)) {
        const { ours, bare } = await measure(question, caller, pool);
        const ratio = quantile(ours, 0.5) / quantile(bare, 0.5);
        const times = [ours, bare].flatMap((of) => [0.5, 0.99].map((q) => quantile(of, q)));
        table.push([question.figure, ...times.map((ms) => ms.toFixed(2)), ratio.toFixed(2)]);
        figures.push({
          figure: question.figure,
          ours: round(times[0] ?? 0, 2),
          p99: round(times[1] ?? 0, 2),
          bare: round(times[2] ?? 0, 2),
          bareP99: round(times[3] ?? 0, 2),
          ratio: round(ratio, 2),
          unit: 'ms',
          goal: GOAL,
          met: ratio <= GOAL,
        });
      }
      printTable(table);
      console.error(`${SAMPLES} of each in turns, pages of ${PAGE}, one at a time.`);
      return figures;
    } finally {
      await api.stop();
      await relay.stop();
    }
  } finally {
    await pool.end();
    await deployment.close();
  }
}

function questionsOf({ words, topics, channelIds, conversationIds }: SearchWorld): Question[] {
  const wordAt = (n: number) => words[n % words.length] as string;
  const topicAt = (n: number) => topics[n % topics.length] as readonly [number, string];
  const conversationOf = new Map(channelIds.map((id, index) => [id, conversationIds[index]]));
  return [
    {
      figure: 'search.text',
      ours: (n) => [{ operator: 'search', operand: wordAt(n) }],
      bare: (n) => ({
        text: `${FROM} WHERE m.conversation_id = ANY ($1::int[])
                 AND (m.content_words || words_of(m.topic)) @@ query_of($2) ${NEWEST}`,
        values: [conversationIds, wordAt(n)],
      }),
    },
    {
      figure: 'search.history',
      ours: (n) => [
        { operator: 'channel', operand: topicAt(n)[0] },
        { operator: 'topic', operand: topicAt(n)[1] },
      ],
      bare: (n) => ({
        text: `${FROM} WHERE m.conversation_id = $1 AND lower(m.topic) = lower($2) ${NEWEST}`,
        values: [conversationOf.get(topicAt(n)[0]), topicAt(n)[1]],
      }),
    },
    {
      figure: 'search.register',
      ours: () => [],
      bare: () => ({
        text: `${FROM} WHERE m.conversation_id = ANY ($1::int[]) ${NEWEST}`,
        values: [conversationIds],
      }),
    },
  ];
}

async function measure(
  question: Question,
  caller: Caller,
  pool: pg.Pool,
): Promise<{ ours: number[]; bare: number[] }> {
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let n = 0; n < WARM_UP + SAMPLES; n += 1) {
    const narrow = encodeURIComponent(JSON.stringify(question.ours(n)));
    const path = `/messages?anchor=newest&num_before=${PAGE}&num_after=0&narrow=${narrow}`;
    const startMs = performance.now();
    const text = await callForText(caller, 'GET', path);
    const betweenMs = performance.now();
    const { rows } = await pool.query({ name: question.figure, ...question.bare(n) });
    const endMs = performance.now();
    const { messages } = JSON.parse(text) as { messages?: unknown[] };
    if (messages?.length !== rows.length) {
      throw new Error(`${path} gave ${messages?.length ?? text} messages, the SQL ${rows.length}.`);
    }
    if (n < WARM_UP) continue;
    ours.push(betweenMs - startMs);
    bare.push(endMs - betweenMs);
  }
  return { ours: ours.sort((a, b) => a - b), bare: bare.sort((a, b) => a - b) };
}
