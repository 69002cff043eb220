// A venue with people in it, served by one `rialto serve` with all roles and the default settings.
import { ROLE } from '../../server/src/accounts/roles.ts';
import type { Context } from '../../server/src/platform/context.ts';
import { freePort } from '../../server/src/platform/engines/process.ts';
import { startDeployment, type TestDeployment } from '../../server/src/testing/deployment.ts';
import { examplePerson, type Person } from '../../server/src/testing/example.ts';
import { liveVenue } from '../../server/src/testing/live-venue.ts';
import {
  RIALTO_BINARY,
  startRialtoProcess,
  type RialtoProcess,
} from '../../server/src/testing/rialto-process.ts';
import type { Trader } from '../../server/src/testing/trader.ts';
import { addChannel, type BenchChannel } from '../../scripts/bench/chat-world.ts';
import { probeHeap, type HeapProbe } from '../../scripts/bench/live-heap.ts';

const ROLES = 'api,engine,relay,worker';
const TRADERS = 6;
const SENDERS = 8;

export interface Serving {
  readonly server: RialtoProcess;
  readonly heap: HeapProbe;
}

export interface Stage {
  readonly ctx: Context;
  readonly traders: readonly Trader[];
  readonly senders: readonly Person[];
  /** The channel of the senders and of everybody added later. */
  readonly plaza: BenchChannel;
  person(role?: (typeof ROLE)[keyof typeof ROLE]): Promise<Person>;
  join(channel: BenchChannel, people: readonly Person[]): Promise<void>;
  channel(name: string, people: readonly Person[]): Promise<BenchChannel>;
  /** Inserts `count` messages of `characters` by one person, as rows, without events. */
  fill(channel: BenchChannel, sender: Person, count: number, characters: number): Promise<void>;
  /** Starts a fresh server. */
  serve(): Promise<Serving>;
  close(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const deployment = await startDeployment({ MONEY: 'simulated' });
  const { ctx } = deployment;
  const { pool } = ctx.database;
  const person: Stage['person'] = (role = ROLE.member) => examplePerson(ctx, { role });
  const senders: Person[] = [];
  for (let n = 0; n < SENDERS; n += 1) senders.push(await person());
  let channels = 0;
  const channel: Stage['channel'] = (name, people) =>
    addChannel(
      pool,
      `${name} ${(channels += 1)}`,
      people[0]?.id ?? 0,
      people.map(({ id }) => id),
    );
  const plaza = await channel('plaza', senders);

  const first = await serveOn(deployment);
  const venue = await liveVenue(deployment, { phase: 'continuous' });
  const traders: Trader[] = [];
  for (let n = 0; n < TRADERS; n += 1) traders.push(await venue.trader());
  await end(first);

  return {
    ctx,
    traders,
    senders,
    plaza,
    person,
    channel,
    async join({ id }, people) {
      await pool.query(
        'INSERT INTO subscriptions (user_id, channel_id) SELECT unnest($1::int[]), $2',
        [people.map((one) => one.id), id],
      );
    },
    fill: (...given) => fill(ctx, ...given),
    serve: () => serveOn(deployment),
    close: () => deployment.close(),
  };
}

async function serveOn({ environment }: TestDeployment): Promise<Serving> {
  // The attacks target the default settings.
  const { DATABASE_POOL_MAX: _raised, ...settings } = environment;
  const inspectorPort = await freePort();
  const server = await startRialtoProcess(ROLES, settings, [
    `--inspect=127.0.0.1:${inspectorPort}`,
    RIALTO_BINARY,
    'serve',
    '--roles',
    ROLES,
  ]);
  return { server, heap: await probeHeap(inspectorPort) };
}

export async function end({ server, heap }: Serving): Promise<void> {
  heap.close();
  await server.stop();
}

async function fill(
  ctx: Context,
  { id, conversationId }: BenchChannel,
  sender: Person,
  count: number,
  characters: number,
): Promise<void> {
  const client = await ctx.database.pool.connect();
  try {
    await client.query('SET statement_timeout = 0');
    await client.query(
      `INSERT INTO messages (id, conversation_id, home_id, seq, place_seq, sender_id, topic, content,
                             rendered, client, sent_at, content_words)
       SELECT nextval('message_ids'), $1, $1, n, n, $2, 'old', t.content, '<p>' || t.content || '</p>',
              'attack', now() - ($3 - n) * interval '1 second', t.words
         FROM (SELECT content, words_of(content) AS words
                 FROM (SELECT left(repeat('lorem ipsum 3 dolor sit amet ', $4::int / 29 + 1), $4) AS content)
                   AS one) AS t,
              generate_series(1, $3::int) AS n`,
      [conversationId, sender.id, count, characters],
    );
    await client.query(
      `UPDATE conversation_counters k SET seq = m.seq, last_seq = m.seq, last_id = m.id
         FROM (SELECT max(seq) AS seq, max(id) AS id FROM messages WHERE home_id = $1) AS m
        WHERE k.conversation_id = $1`,
      [conversationId],
    );
    await client.query(
      `UPDATE channels SET first_message_id =
         (SELECT min(id) FROM messages WHERE conversation_id = $2) WHERE id = $1`,
      [id, conversationId],
    );
    await client.query('ANALYZE messages');
  } finally {
    await client.query('RESET statement_timeout');
    client.release();
  }
}
