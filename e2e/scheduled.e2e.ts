// A thousand scheduled messages fall due within ten seconds, while three workers are killed at random and started
// again. Each is sent exactly once, or failed with a reason; none is early. SCHEDULED_SEED chooses other victims.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROLE } from '../server/src/accounts/roles.ts';
import { scheduleMessage } from '../server/src/chat/messages/scheduled/actions.ts';
import { createChannel } from '../server/src/chat/channels/subscriptions/actions.ts';
import { createPerson, deactivatePerson } from '../server/src/chat/administration/users/actions.ts';
import type { OriginContext } from '../server/src/platform/context.ts';
import { startDeployment, type TestDeployment } from '../server/src/testing/deployment.ts';
import { startRialtoProcess, type RialtoProcess } from '../server/src/testing/rialto-process.ts';
import { createRandom } from '../server/src/testing/random.ts';

const SEED = Number(process.env['SCHEDULED_SEED'] ?? 1);
const MESSAGES = 1000;
const WITHIN_SECONDS = 10;
/** Each has its own order, so that workers do not wait for each other all the time. */
const CHANNELS = 20;
/** This many of the messages belong to a person who is deactivated when they are due. */
const OF_THE_GONE = 50;
/**
 * After this many kills, the rest may finish: the test is about kills, not about a machine that
 * starts slowly.
 */
const KILLS_MAX = 8;
const LIFE_MS = 2500;
/**
 * Much longer than needed on an idle machine, and well below the ten minutes after which messages
 * fail.
 */
const SETTLED_WITHIN_MS = 150_000;

let deployment: TestDeployment;
let workers: RialtoProcess[] = [];
beforeAll(async () => {
  deployment = await startDeployment({ PUBLIC_URL: 'https://chat.example.com' });
  workers = await Promise.all(
    [1, 2, 3].map(() => startRialtoProcess('worker', deployment.environment)),
  );
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await deployment.close();
});

async function query<T extends object>(text: string, values: unknown[] = []): Promise<T[]> {
  const { rows } = await deployment.ctx.database.pool.query<T>(text, values);
  return rows;
}

/** One message of each kind is scheduled over the API; the others are copies of them. */
async function fill(): Promise<void> {
  const ctx: OriginContext = { ...deployment.ctx, publicUrl: () => 'https://chat.example.com' };
  const person = async (name: string, role: (typeof ROLE)[keyof typeof ROLE] = ROLE.member) =>
    (await createPerson(ctx, { email: `${name}@example.com`, fullName: name, role })).user;
  const [owner, ada, gone] = [
    await person('owner', ROLE.owner),
    await person('ada'),
    await person('gone'),
  ];
  const ids = [owner.id, ada.id, gone.id];
  const later = Math.floor(Date.now() / 1000) + 3600;
  const common = { topic: 't', content: 'x', deliverAt: later, readBySender: true, client: 'e2e' };
  const first = await createChannel(ctx, owner, 'channel 0', ids, {});
  const prototypes = [
    await scheduleMessage(ctx, gone, { ...common, type: 'channel', to: first }),
    await scheduleMessage(ctx, ada, { ...common, type: 'direct', to: [owner.id] }),
    await scheduleMessage(ctx, ada, { ...common, type: 'channel', to: first }),
  ];
  for (let n = 1; n < CHANNELS; n += 1) {
    const to = await createChannel(ctx, owner, `channel ${n}`, ids, {});
    prototypes.push(await scheduleMessage(ctx, owner, { ...common, type: 'channel', to }));
  }
  await deactivatePerson(ctx, owner, gone.id);
  await query(
    `INSERT INTO scheduled_messages (user_id, channel_id, people, topic, content, rendered, client,
                                     read_by_sender, deliver_at, next_try_at)
     SELECT user_id, channel_id, people, topic, 'message ' || n, rendered, client, read_by_sender, at, at
       FROM generate_series(1, $2) AS n
       CROSS JOIN LATERAL (SELECT now() + interval '1 second' + random() * $3 * interval '1 second') AS t (at)
       JOIN scheduled_messages ON id = ($1::int[])[CASE WHEN n <= $4 THEN 1 ELSE 2 + n % $5 END]`,
    [prototypes, MESSAGES, WITHIN_SECONDS, OF_THE_GONE, prototypes.length - 1],
  );
  await query('DELETE FROM scheduled_messages WHERE id = ANY ($1)', [prototypes]);
}

const countPending = async () =>
  (
    await query<{ n: number }>(
      'SELECT count(*)::int AS n FROM scheduled_messages WHERE next_try_at IS NOT NULL',
    )
  )[0]?.n ?? 0;

/** Transactions of workers that have written something, which a kill now may roll back. */
const countOpen = async () =>
  (
    await query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity
        WHERE application_name LIKE 'rialto worker%' AND backend_xid IS NOT NULL`,
    )
  )[0]?.n ?? 0;

it(`${MESSAGES} messages due within ${WITHIN_SECONDS} s are each sent once or failed, none early, while workers are killed`, async () => {
  const random = createRandom(SEED);
  await fill();
  const startedMs = performance.now();
  const untilMs = startedMs + SETTLED_WITHIN_MS;
  let kills = 0;
  let cutShort = 0;
  const isOver = async () => performance.now() > untilMs || (await countPending()) === 0;
  /** Each worker lives for a moment, is killed whatever it is doing, and starts again. */
  async function harass(worker: RialtoProcess): Promise<void> {
    while (kills < KILLS_MAX && !(await isOver())) {
      await sleep(LIFE_MS / 4 + random.below(LIFE_MS));
      if (await isOver()) return;
      cutShort += await countOpen();
      worker.kill('SIGKILL');
      kills += 1;
      await worker.restart();
    }
  }
  await Promise.all(workers.map(harass));
  while (!(await isOver())) await sleep(50);
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  const [found] = await query<Record<string, number>>(`
    SELECT count(*)::int AS scheduled,
           count(*) FILTER (WHERE s.message_id IS NOT NULL)::int AS sent,
           count(*) FILTER (WHERE s.failure = 'Account is deactivated')::int AS failed,
           count(*) FILTER (WHERE s.sent_at < s.deliver_at OR m.sent_at < s.deliver_at)::int AS early,
           count(*) FILTER (WHERE m.id IS NOT NULL AND m.content = s.content)::int AS found,
           max(extract(epoch FROM s.sent_at - s.deliver_at))::float8 AS latest_seconds
      FROM scheduled_messages s LEFT JOIN messages m ON m.id = s.message_id`);
  const [written] = await query<Record<string, number>>(`
    SELECT (SELECT count(*)::int FROM messages WHERE client = 'e2e') AS messages,
           (SELECT count(DISTINCT content)::int FROM messages WHERE client = 'e2e') AS texts,
           (SELECT count(*)::int FROM outbox WHERE type = 'message'
                                               AND payload::json #>> '{message,client}' = 'e2e') AS told,
           (SELECT count(*)::int FROM outbox WHERE type = 'scheduled_messages'
                                               AND payload::json ->> 'op' = 'remove') AS removed`);
  console.log(
    'scheduled messages:',
    JSON.stringify({ seconds, kills, cutShort, ...found, ...written }),
  );
  const sent = MESSAGES - OF_THE_GONE;
  expect(found).toMatchObject({
    scheduled: MESSAGES,
    sent,
    failed: OF_THE_GONE,
    early: 0,
    found: sent,
  });
  expect(written).toEqual({ messages: sent, texts: sent, told: sent, removed: sent });
  expect(kills).toBeGreaterThanOrEqual(5);
});
