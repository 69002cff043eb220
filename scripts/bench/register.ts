// `bench register`: how long POST /register takes for somebody with 200,000 unread messages, and in an organization of
// 100,000 people, and how long the api's event loop stands still meanwhile. Each is compared with the SQL that reads the same
// rows, in turns on the same PostgreSQL.
import { request as httpRequest } from 'node:http';
import pg from 'pg';
import { startDeployment } from '../../server/src/testing/deployment.ts';
import { printTable, type Figure } from '../figure.ts';
import { createPerson, type Caller } from './chat-calls.ts';
import { addChannel, addCrowd } from './chat-world.ts';
import { startWatchedApi, type LoopReport } from './loop-watch.ts';
import { writeMessages } from './search-world.ts';
import { quantile, round } from './stats.ts';

const UNREAD = 200_000;
const PEOPLE = 100_000;
const CHANNELS = 40;
const SENDERS = 200;
const WARM_UP = 2;
const SAMPLES = 9;
const QUICK_SAMPLES = 3;
const GOAL_UNREAD_MS = 300;
const GOAL_PEOPLE_MS = 2000;
const GOAL_STALL_MS = 50;

/** The newest ids by conversation and topic, as many as a register lists. */
const BARE_UNREAD = `
  SELECT conversation_id, topic, array_agg(id ORDER BY id)::text AS ids
    FROM (SELECT id, conversation_id, topic FROM messages
           WHERE conversation_id = ANY ($1::int[]) ORDER BY id DESC LIMIT 50000) AS newest
   GROUP BY conversation_id, topic`;

const BARE_PEOPLE = `
  SELECT id, email, full_name, role, is_active, bot_type, bot_owner_id, timezone, avatar_version, date_joined
    FROM users WHERE NOT is_system ORDER BY id`;

interface Question {
  readonly name: string;
  readonly caller: Caller;
  readonly path: string;
  readonly encoding?: string;
  readonly bare: { readonly text: string; readonly values: unknown[] };
}

interface Measured {
  readonly ours: number[];
  readonly bare: number[];
  readonly bytes: number;
  /** The longest stall of each register, ascending. */
  readonly stalls: number[];
  readonly cpus: number[];
}

export async function benchRegister({ quick }: { quick: boolean }): Promise<Figure[]> {
  const samples = quick ? QUICK_SAMPLES : SAMPLES;
  const deployment = await startDeployment({ LOG_LEVEL: 'warn', CHAT_RATE_LIMIT: '1000000' });
  const { ctx, environment, postgres } = deployment;
  const pool = new pg.Pool({ connectionString: postgres.ownerUrl, max: 1 });
  const table = [['register', 'ours p50', 'p99', 'bare p50', 'p99 ms', 'MB', 'stall ms', 'CPU ms']];
  const note = (name: string, { ours, bare, bytes, stalls, cpus }: Measured) => {
    const times = [ours, bare].flatMap((of) => [0.5, 0.99].map((q) => quantile(of, q).toFixed(0)));
    const [stall, cpu] = [quantile(stalls, 1), quantile(cpus, 0.5)];
    table.push([name, ...times, (bytes / 1e6).toFixed(2), stall.toFixed(0), cpu.toFixed(0)]);
  };
  try {
    const { user, basic } = await createPerson(ctx, 'reader');
    const newcomer = await createPerson(ctx, 'newcomer');
    const crowd = await addCrowd(pool, SENDERS);
    const channels = [];
    for (let n = 0; n < CHANNELS; n += 1) {
      channels.push(await addChannel(pool, `channel ${n}`, user.id, [user.id, ...crowd]));
    }
    const { conversationIds } = await writeMessages(pool, channels, crowd, UNREAD);
    console.error(`${UNREAD} messages written.`);
    const unread = await withApi(environment, (origin, ask) =>
      measure(pool, samples, ask, {
        name: 'unread',
        caller: { origin, basic },
        path: '/register',
        bare: { text: BARE_UNREAD, values: [conversationIds] },
      }),
    );
    note(`${UNREAD} unread`, unread);
    await addCrowd(pool, PEOPLE, SENDERS);
    await pool.query('VACUUM ANALYZE users, user_group_members');
    console.error(`${PEOPLE} people written.`);
    const people = await withApi(environment, async (origin, ask) => {
      const question = {
        name: 'people',
        caller: { origin, basic: newcomer.basic },
        path: '/register',
        bare: { text: BARE_PEOPLE, values: [] },
      };
      const plain = await measure(pool, samples, ask, question);
      note(`${PEOPLE} people`, plain);
      for (const encoding of ['zstd', 'br', 'gzip']) {
        note(
          `${PEOPLE} people, ${encoding}`,
          await measure(pool, samples, ask, { ...question, encoding }),
        );
      }
      const types = encodeURIComponent(JSON.stringify(['reaction']));
      const path = `/register?event_types=${types}`;
      note('of reactions alone', await measure(pool, samples, ask, { ...question, path }));
      return plain;
    });
    printTable(table);
    console.error(`${samples} of each in turns, one at a time; stall is the longest of all.`);
    const stall = quantile(people.stalls, 1);
    return [
      figureOf('register.unread', unread, GOAL_UNREAD_MS),
      figureOf('register.people', people, GOAL_PEOPLE_MS),
      {
        figure: 'register.stall',
        ours: round(stall, 1),
        unit: 'ms',
        goal: GOAL_STALL_MS,
        met: stall <= GOAL_STALL_MS,
      },
    ];
  } finally {
    await pool.end();
    await deployment.close();
  }
}

async function withApi<T>(
  environment: Record<string, string>,
  work: (origin: string, ask: () => Promise<LoopReport>) => Promise<T>,
): Promise<T> {
  const { api, ask } = await startWatchedApi(environment);
  try {
    return await work(api.origin, ask);
  } finally {
    await api.stop();
  }
}

function figureOf(figure: string, { ours, bare, bytes }: Measured, goal: number): Figure {
  const [oursMs, bareMs] = [quantile(ours, 0.5), quantile(bare, 0.5)];
  return {
    figure,
    ours: round(oursMs, 1),
    p99: round(quantile(ours, 0.99), 1),
    bare: round(bareMs, 1),
    ratio: round(oursMs / bareMs, 2),
    bytes,
    unit: 'ms',
    goal,
    met: oursMs <= goal,
  };
}

async function measure(
  pool: pg.Pool,
  samples: number,
  ask: () => Promise<LoopReport>,
  { name, caller, path, encoding, bare }: Question,
): Promise<Measured> {
  const [ours, bares, stalls, cpus]: number[][] = [[], [], [], []];
  let bytes = 0;
  for (let n = 0; n < WARM_UP + samples; n += 1) {
    await ask();
    const startMs = performance.now();
    bytes = await register(caller, path, encoding);
    const betweenMs = performance.now();
    const { longestMs, cpuMs } = await ask();
    const bareMs = performance.now();
    await pool.query({ name, ...bare });
    const endMs = performance.now();
    if (n < WARM_UP) continue;
    ours?.push(betweenMs - startMs);
    bares?.push(endMs - bareMs);
    stalls?.push(longestMs);
    cpus?.push(cpuMs);
  }
  const sorted = (values: number[] = []) => values.sort((a, b) => a - b);
  return {
    ours: sorted(ours),
    bare: sorted(bares),
    bytes,
    stalls: sorted(stalls),
    cpus: sorted(cpus),
  };
}

/** One register; returns the bytes that came. They are neither unpacked nor parsed: that is the client's time. */
function register(
  { origin, basic }: Caller,
  path: string,
  encoding: string | undefined,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: basic,
      ...(encoding !== undefined && { 'accept-encoding': encoding }),
    };
    const outgoing = httpRequest(
      `${origin}/api/v1${path}`,
      { method: 'POST', headers },
      (response) => {
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
        });
        response.on('end', () =>
          response.statusCode === 200
            ? resolve(bytes)
            : reject(new Error(`${path} was answered with ${response.statusCode}.`)),
        );
        response.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end();
  });
}
