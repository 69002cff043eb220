// `bench send`: messages per second to channels of 10, 1,000 and 50,000 subscribers, over HTTP with
// api and relay in their own processes. Eight people send, as clients for people do: each message
// arrives as read for its sender. Compared, on the same PostgreSQL, with the bare row of a
// message under the lock of its conversation, and with a design that writes one row per recipient. The clients write bytes
// that were made before to connections that they keep: they share the machine with what is measured.
import pg from 'pg';
import { startDeployment } from '../../server/src/testing/deployment.ts';
import { startRialtoProcess } from '../../server/src/testing/rialto-process.ts';
import { printTable, type Figure } from '../figure.ts';
import { createPerson } from './chat-calls.ts';
import { addChannel, addCrowd, type BenchChannel } from './chat-world.ts';
import { ask, open, toMessage, type Line } from './lines.ts';
import { perSecond } from './per-second.ts';
import { median, round, spread } from './stats.ts';

const AUDIENCES = [10, 1000, 50_000] as const;
const IN_FLIGHT = 8;
const MANY_IN_FLIGHT = 64;
const SENDERS = 8;
const ROUNDS = 5;
const SECONDS = 3;
const GOAL_AUDIENCE = 1.1;
const GOAL_BARE = 0.6;
const GOAL_MANY = 1.5;
const CONTENT =
  'The spread on **BTC-USDT** is back to two ticks; see #**desk>Market making** and `depth(20)`.';

type Design = 'ours' | 'ours, 64 in flight,' | 'a row a recipient';

export async function benchSend(): Promise<Figure[]> {
  const deployment = await startDeployment({
    LOG_LEVEL: 'warn',
    CHAT_RATE_LIMIT: '1000000',
    REQUESTS_PER_CONNECTION_MAX: '0',
  });
  const { ctx, environment, postgres } = deployment;
  const people: Awaited<ReturnType<typeof createPerson>>[] = [];
  for (let n = 1; n <= SENDERS; n += 1) people.push(await createPerson(ctx, `sender${n}`));
  const senderIds = people.map(({ user }) => user.id);
  const [first = 0] = senderIds;
  const bare = new pg.Pool({ connectionString: postgres.ownerUrl, max: IN_FLIGHT });
  const crowd = await addCrowd(bare, Math.max(...AUDIENCES));
  const channels = new Map<number, BenchChannel>();
  for (const audience of AUDIENCES) {
    const subscribers = [...senderIds, ...crowd.slice(0, audience - SENDERS)];
    channels.set(audience, await addChannel(bare, `of ${audience}`, first, subscribers));
  }
  const api = await startRialtoProcess('api', environment);
  const relay = await startRialtoProcess('relay', environment);
  const lines: Line[] = [];
  try {
    await createBareTables(bare);
    while (lines.length < MANY_IN_FLIGHT) lines.push(await open(api.port));
    const requests = new Map(
      [...channels.values()].map(({ id }) => [
        id,
        people.map(({ basic }) => toMessage(api.port, basic, String(id), CONTENT)),
      ]),
    );
    let turns = 0;
    const free = [...lines];
    const sendOne = async (channelId: number): Promise<void> => {
      turns += 1;
      const line = free.pop() as Line;
      await ask(line, requests.get(channelId)?.[turns % SENDERS] ?? '');
      free.push(line);
    };
    const rates = new Map<string, number[]>();
    const note = (design: Design | 'bare', audience: number, rate: number) => {
      const name = `${design} ${audience}`;
      rates.set(name, [...(rates.get(name) ?? []), rate]);
    };
    // The first round is a warm-up and does not count. Rounds take turns, so that other load
    // affects all of them.
    for (let turn = 0; turn <= ROUNDS; turn += 1) {
      if (turn === 1) rates.clear();
      for (const audience of AUDIENCES) {
        const { id } = channels.get(audience) as BenchChannel;
        note(
          'ours',
          audience,
          await perSecond({ inFlight: IN_FLIGHT, seconds: SECONDS }, () => sendOne(id)),
        );
      }
      const { id, conversationId } = channels.get(10) as BenchChannel;
      const many = await perSecond({ inFlight: MANY_IN_FLIGHT, seconds: SECONDS }, () =>
        sendOne(id),
      );
      note('ours, 64 in flight,', 10, many);
      note(
        'bare',
        0,
        await perSecond({ inFlight: IN_FLIGHT, seconds: SECONDS }, () =>
          insertBare(bare, conversationId, first),
        ),
      );
      for (const audience of AUDIENCES) {
        const ids = [first, ...crowd.slice(0, audience - 1)];
        const rate = await perSecond({ inFlight: IN_FLIGHT, seconds: SECONDS }, () =>
          insertWithRecipients(bare, conversationId, first, ids),
        );
        note('a row a recipient', audience, rate);
        await bare.query('TRUNCATE bare_recipients');
      }
    }
    return report(rates);
  } finally {
    for (const line of lines) line.close();
    await bare.end();
    await api.stop();
    await relay.stop();
    await deployment.close();
  }
}

async function createBareTables(pool: pg.Pool): Promise<void> {
  await pool.query(`
    CREATE TABLE bare_messages (LIKE messages INCLUDING ALL);
    CREATE TABLE bare_counters (LIKE conversation_counters INCLUDING ALL);
    INSERT INTO bare_counters SELECT * FROM conversation_counters;
    CREATE TABLE bare_recipients (
      user_id integer NOT NULL,
      message_id bigint NOT NULL,
      flags smallint NOT NULL DEFAULT 0,
      PRIMARY KEY (user_id, message_id)
    );`);
}

/** The least that any design must do: number the message in its conversation, and write its row. */
async function insertBareRow(db: pg.ClientBase, conversationId: number, senderId: number) {
  const { rows } = await db.query<{ id: string }>({
    name: 'bare row',
    text: `
      WITH counted AS (
        UPDATE bare_counters SET seq = seq + 1 WHERE conversation_id = $1 RETURNING seq
      )
      INSERT INTO bare_messages (id, conversation_id, home_id, seq, place_seq, sender_id, topic, content,
                                 rendered, client, sent_at, content_words)
      SELECT nextval('message_ids'), $1, $1, seq, seq, $2, 'bench', $3, $3, 'bench', now(), words_of($3)
        FROM counted
      RETURNING id`,
    values: [conversationId, senderId, CONTENT],
  });
  return Number(rows[0]?.id);
}

async function inBareTransaction(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await work(client);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

const insertBare = (pool: pg.Pool, conversationId: number, senderId: number): Promise<void> =>
  inBareTransaction(pool, async (client) => {
    await insertBareRow(client, conversationId, senderId);
  });

const insertWithRecipients = (
  pool: pg.Pool,
  conversationId: number,
  senderId: number,
  recipientIds: readonly number[],
): Promise<void> =>
  inBareTransaction(pool, async (client) => {
    const id = await insertBareRow(client, conversationId, senderId);
    await client.query({
      name: 'recipients',
      text: 'INSERT INTO bare_recipients (user_id, message_id) SELECT unnest($1::int[]), $2',
      values: [recipientIds, id],
    });
  });

function report(rates: ReadonlyMap<string, readonly number[]>): Figure[] {
  const rateOf = (name: string) => median(rates.get(name) ?? []);
  const table = [['design, subscribers', 'messages/s', 'spread', 'ms a message']];
  for (const [name, values] of rates) {
    const rate = median(values);
    table.push([name, round(rate, 1).toString(), spread(values), round(1000 / rate, 2).toString()]);
  }
  printTable(table);
  const [few, most] = [rateOf('ours 10'), rateOf('ours 50000')];
  const perRecipient = rateOf('a row a recipient 50000');
  const bare = rateOf('bare 0');
  const many = rateOf('ours, 64 in flight, 10');
  console.error(
    `${IN_FLIGHT} in flight (bare too), median of ${ROUNDS} rounds of ${SECONDS} s; api and relay in separate processes.`,
  );
  return [
    {
      figure: 'send.audience',
      ours: round(1000 / most, 3),
      at10: round(1000 / few, 3),
      rowPerRecipient: round(1000 / perRecipient, 3),
      ratio: round(few / most, 2),
      unit: 'ms a message',
      goal: GOAL_AUDIENCE,
      met: few / most <= GOAL_AUDIENCE,
    },
    {
      figure: 'send.bare',
      ours: round(few),
      bare: round(bare),
      ratio: round(few / bare, 2),
      unit: 'messages/s',
      goal: GOAL_BARE,
      met: few / bare >= GOAL_BARE,
    },
    {
      figure: 'send.many',
      ours: round(many),
      bare: round(bare),
      ratio: round(many / bare, 2),
      unit: 'messages/s',
      goal: GOAL_MANY,
      met: many / bare >= GOAL_MANY,
    },
  ];
}
