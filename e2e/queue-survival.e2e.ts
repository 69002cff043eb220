// A client's queue survives whatever happens to the processes around it. Real processes are killed
// and paused at random from a seed: two relays, two api nodes, NATS, Redis. SURVIVAL_SEEDS sets how
// many seeds of each kind are run.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createUser } from '../server/src/accounts/users/actions.ts';
import { changePerson } from '../server/src/chat/administration/users/actions.ts';
import { ROLE } from '../server/src/accounts/roles.ts';
import type { Context } from '../server/src/platform/context.ts';
import { readBounds, trimLog } from '../server/src/platform/events/log.ts';
import { startRialtoProcess, type RialtoProcess } from '../server/src/testing/rialto-process.ts';
import { startDeployment, type TestDeployment } from '../server/src/testing/deployment.ts';
import { createRandom, type Random } from '../server/src/testing/random.ts';

const SEEDS = Number(process.env['SURVIVAL_SEEDS'] ?? 1);
const EVENTS = 1000;
const WRITERS = 16;
const COMMIT_DELAY_MAX_MS = 200;

let deployment: TestDeployment;
let ctx: Context;
let relays: RialtoProcess[];
let apis: RialtoProcess[];
let owner: Awaited<ReturnType<typeof createUser>>['user'];

beforeAll(async () => {
  deployment = await startDeployment({
    CHAT_RATE_LIMIT: '1000000',
    CHAT_RATE_LIMIT_POLLS: '1000000',
    HEARTBEAT_SECONDS: '2',
  });
  ({ ctx } = deployment);
  const start = (role: string) => startRialtoProcess(role, deployment.environment);
  relays = [await start('relay'), await start('relay')];
  apis = [await start('api'), await start('api')];
  ({ user: owner } = await createUser(ctx, {
    email: 'owner@example.com',
    fullName: 'Owner',
    role: ROLE.owner,
  }));
});

afterAll(async () => {
  await Promise.all([...relays, ...apis].map((process) => process.stop()));
  await deployment.close();
});

interface Client {
  readonly userId: number;
  readonly basic: string;
  queueId: string;
  last: number;
  readonly received: { id: number; n: number }[];
}

interface Answer {
  result: string;
  code?: string;
  queue_id: string;
  last_event_id: number;
  events: { id: number; type: string; op?: string; drafts?: { n: number }[] }[];
}

let people = 0;

async function openClient(): Promise<Client> {
  people += 1;
  const { user, chatKey } = await createUser(ctx, {
    email: `client${people}@example.com`,
    fullName: 'Client',
    role: ROLE.member,
  });
  const basic = `Basic ${Buffer.from(`${user.email}:${chatKey}`).toString('base64')}`;
  const client: Client = { userId: user.id, basic, queueId: '', last: -1, received: [] };
  const registered = await ask(client, apis[0] as RialtoProcess, 'POST', '/register', {
    event_types: '["drafts"]',
    fetch_event_types: '[]',
  });
  client.queueId = registered.queue_id;
  client.last = registered.last_event_id;
  return client;
}

async function ask(
  client: Client,
  api: RialtoProcess,
  method: string,
  path: string,
  parameters: Record<string, string>,
): Promise<Answer> {
  const query = new URLSearchParams(parameters).toString();
  const response = await fetch(`${api.origin}/api/v1${path}?${query}`, {
    method,
    headers: { authorization: client.basic },
    signal: AbortSignal.timeout(20_000),
  });
  return (await response.json()) as Answer;
}

/** One poll at a random node; if a node is down or dies, another one is tried. */
async function pollOnce(client: Client, random: Random): Promise<'ok' | 'bad queue'> {
  let answer: Answer;
  try {
    answer = await ask(client, random.pick(apis), 'GET', '/events', {
      queue_id: client.queueId,
      last_event_id: String(client.last),
    });
  } catch {
    await sleep(20);
    return 'ok';
  }
  if (answer.code === 'BAD_EVENT_QUEUE_ID') return 'bad queue';
  if (answer.result !== 'success') {
    await sleep(50);
    return 'ok';
  }
  for (const event of answer.events) {
    if (event.id <= client.last) throw new Error(`Event ${event.id} came after ${client.last}.`);
    client.last = event.id;
    const n = event.drafts?.[0]?.n;
    if (n !== undefined) client.received.push({ id: event.id, n });
  }
  return 'ok';
}

/** Emits EVENTS events from WRITERS writers; returns the numbers that were committed. */
async function write(userId: number, random: Random): Promise<Set<number>> {
  const committed = new Set<number>();
  let next = 0;
  async function one(): Promise<void> {
    while (committed.size < EVENTS) {
      const n = next;
      next += 1;
      const [delayMs, fate] = [random.below(COMMIT_DELAY_MAX_MS), random.below(10)];
      try {
        await ctx.inTransaction(async (tx) => {
          tx.emit({ type: 'drafts', op: 'add', drafts: [{ n }] } as { type: string }, {
            users: [userId],
          });
          if (fate < 3) {
            await tx
              .savepoint(async () => {
                tx.emit({ type: 'drafts', op: 'add', drafts: [{ n: -1 }] } as { type: string }, {
                  users: [userId],
                });
                await sql`SELECT 1`.execute(tx);
                throw new Error('taken back');
              })
              .catch(() => {});
          }
          await sql`SELECT pg_current_xact_id()`.execute(tx);
          await sleep(delayMs);
          if (fate === 9) throw new Error('rolled back');
        });
        committed.add(n);
      } catch (error) {
        if ((error as Error).message !== 'rolled back') throw error;
      }
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, one));
  return committed;
}

type Fault = (random: Random) => Promise<void>;

const FAULTS: Record<string, Fault> = {
  // Longer than the lease of a relay, so the competing relay takes over before the first one wakes.
  'a relay is paused until the competing relay takes over': async (random) => {
    const relay = random.pick(relays);
    relay.kill('SIGSTOP');
    await sleep(1300 + random.below(700));
    relay.kill('SIGCONT');
  },
  'a relay is killed': async (random) => {
    const relay = random.pick(relays);
    relay.kill('SIGKILL');
    await relay.restart();
  },
  'NATS is killed and comes back empty': async () => {
    deployment.nats.kill('SIGKILL');
    await deployment.nats.restart();
  },
  'an api node is killed': async (random) => {
    const api = random.pick(apis);
    api.kill('SIGKILL');
    await api.restart();
  },
  'Redis is killed and comes back empty': async () => {
    deployment.redis.kill('SIGKILL');
    await deployment.redis.restart();
  },
};

/**
 * Every fault at least once, in an order and at times from the seed, until the writers are done.
 */
async function disturb(random: Random, isDone: () => boolean): Promise<void> {
  let queue: Fault[] = [];
  for (let count = 0; count < Object.keys(FAULTS).length || !isDone(); count += 1) {
    if (queue.length === 0) queue = random.shuffled(Object.values(FAULTS));
    await sleep(random.below(300));
    await (queue.pop() as Fault)(random);
  }
}

describe.each(
  Array.from(
    { length: SEEDS },
    (_, index) => Number(process.env['SURVIVAL_FIRST_SEED'] ?? 1) + index,
  ),
)('seed %i', (seed) => {
  it('every event exactly once, in increasing order, and the queue never dies', async () => {
    const random = createRandom(seed);
    const client = await openClient();
    let isDone = false;
    const disturbing = disturb(random, () => isDone);
    const writing = write(client.userId, random).finally(() => {
      isDone = true;
    });
    let committed: Set<number> | undefined;
    void writing.then((numbers) => {
      committed = numbers;
    });
    const deadline = Date.now() + 120_000;
    while (committed === undefined || client.received.length < committed.size) {
      if (Date.now() > deadline) break;
      expect(await pollOnce(client, random), 'the queue must not die').toBe('ok');
    }
    await Promise.all([writing, disturbing]);
    const numbers = client.received.map((event) => event.n);
    expect(new Set(numbers).size, 'no event twice').toBe(numbers.length);
    expect(new Set(numbers), 'every event, and none that was rolled back').toEqual(committed);
    console.log(`seed ${seed}: ${numbers.length} events once each, in order`);
  });

  it('dies, as it must, when the log is trimmed past it or a right is taken away', async () => {
    const random = createRandom(seed + 10_000);
    const client = await openClient();
    await write100(client.userId);
    while (client.received.length < 50) expect(await pollOnce(client, random)).toBe('ok');
    const seen = client.received.length;
    await write100(client.userId);
    await numbered();
    if (seed % 2 === 0) await trimEverything();
    else await changePerson(ctx, owner, client.userId, { role: ROLE.guest });
    await numbered();
    // The nodes lose their memory of the queue, so it has to be rebuilt.
    for (const api of apis) api.kill('SIGKILL');
    await Promise.all(apis.map((api) => api.restart()));
    expect(await pollOnce(client, random)).toBe('bad queue');
    expect(client.received.length).toBe(seen);
    console.log(
      `seed ${seed}: ${seed % 2 === 0 ? 'log trimmed' : 'right taken away'}, BAD_EVENT_QUEUE_ID`,
    );
  });
});

async function write100(userId: number): Promise<void> {
  for (let n = 0; n < 100; n += 1) {
    await ctx.inTransaction(async (tx) => {
      tx.emit({ type: 'drafts', op: 'add', drafts: [{ n }] } as { type: string }, {
        users: [userId],
      });
    });
  }
}

async function numbered(): Promise<void> {
  await expect
    .poll(
      async () =>
        (await sql<{ n: bigint }>`SELECT count(*) n FROM outbox`.execute(ctx.db)).rows[0]?.n,
      { timeout: 20_000 },
    )
    .toBe(0n);
}

/** Moves the log to its next partition, so that the present one is complete and may be dropped. */
async function trimEverything(): Promise<void> {
  const { pool } = ctx.database;
  const { head } = await readBounds(pool);
  await deployment.owner.query(
    'UPDATE event_head SET position = (position / partition_size + 1) * partition_size',
  );
  // The log is never trimmed within the last hour.
  await deployment.owner.query("UPDATE event_log SET at = at - interval '2 hours'");
  await pool.query('SELECT ensure_event_partitions(50000)');
  expect(await trimLog(pool, new Date())).toBeGreaterThan(0);
  expect((await readBounds(pool)).trimmedThrough).toBeGreaterThanOrEqual(head);
}
