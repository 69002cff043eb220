// Registers while writers commit, and compares the client's state with the database. Two tests use it: with the check
// that skips events that the snapshot saw, and without it.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { parseDatabaseSnapshot } from '../platform/db/snapshot.ts';
import type { Context } from '../platform/context.ts';
import { startRelay } from '../platform/events/relay.ts';
import { examplePerson, type Person } from './example.ts';
import { relayOptions, startTestServer, type TestServer } from './server.ts';
import { createDrafts, editDraft, removeDraft } from '../chat/messages/drafts/actions.ts';
import type { Draft } from '../chat/messages/drafts/events.ts';
import { draftsPart } from '../chat/messages/drafts/state.ts';
import { chatClient, type ChatClient } from './chat/client.ts';

export interface RaceResult {
  rounds: number;
  /** Rounds in which state plus events differed from the database. */
  violations: number;
  /** Rounds in which a writer's transaction was open when the snapshot was taken. */
  withOpenTransaction: number;
  /** Rounds in which an event was committed and visible to the snapshot, but had no number yet. */
  withUnnumberedEvent: number;
}

const WRITERS = 8;
const COMMIT_DELAY_MAX_MS = 15;

interface DraftsEvent {
  id: number;
  type: string;
}

export async function raceRegisters(rounds: number): Promise<RaceResult> {
  const server = await startTestServer({
    withRelay: false,
    settings: { EVENT_POLL_MS: '20', CHAT_RATE_LIMIT: '1000000', QUEUES_PER_USER_MAX: '100000' },
  });
  // A relay without notifications lags a little, so events sometimes wait for their number.
  const deaf = { ...server.ctx.bus, subscribe: () => ({ unsubscribe: () => {} }) };
  const relay = startRelay({ ...relayOptions(server.ctx), bus: deaf, pollMs: 10 });
  const result: RaceResult = {
    rounds,
    violations: 0,
    withOpenTransaction: 0,
    withUnnumberedEvent: 0,
  };
  try {
    for (let round = 0; round < rounds; round += 1) await race(server, result);
    return result;
  } finally {
    await relay.stop();
    await server.close();
  }
}

async function race(server: TestServer, result: RaceResult): Promise<void> {
  const { ctx } = server;
  const author = await examplePerson(ctx);
  const client = chatClient(server, author);
  let isOver = false;
  const writers = Array.from({ length: WRITERS }, () => write(slow(ctx), author, () => isOver));
  await sleep(30 + Math.random() * 30);
  const { body } = await client.post('/register', {
    event_types: ['drafts'],
    fetch_event_types: ['drafts'],
  });
  await sleep(Math.random() * 30);
  isOver = true;
  await Promise.all(writers);
  await numbered(ctx);

  const state = await follow(client, body);
  const fresh = await client.post('/register', {
    event_types: ['drafts'],
    fetch_event_types: ['drafts'],
  });
  if (byId(state) !== byId(fresh.body['drafts'] as Draft[])) result.violations += 1;
  await count(ctx, body['queue_id'] as string, result);
}

/** Clients cannot know the order of drafts of the same second. */
const byId = (drafts: readonly Draft[]): string =>
  JSON.stringify(drafts.toSorted((a, b) => a.id - b.id));

/** Delays commits a little after the last statement, as in a busy database. */
function slow(ctx: Context): Context {
  return {
    ...ctx,
    inTransaction: (work, options) =>
      ctx.inTransaction(async (tx) => {
        const value = await work(tx);
        await sleep(Math.random() * COMMIT_DELAY_MAX_MS);
        return value;
      }, options),
  };
}

/** One writer: adds, edits and removes its own drafts. */
async function write(ctx: Context, author: Person, isOver: () => boolean): Promise<void> {
  const own: number[] = [];
  const body = () => ({ type: '' as const, to: [], topic: '', content: `text ${Math.random()}` });
  while (!isOver()) {
    const chosen = own[Math.floor(Math.random() * own.length)];
    const dice = Math.random();
    if (chosen === undefined || dice < 0.5)
      own.push(...(await createDrafts(ctx, author, [body()])));
    else if (dice < 0.8) await editDraft(ctx, author, chosen, body());
    else {
      await removeDraft(ctx, author, chosen);
      own.splice(own.indexOf(chosen), 1);
    }
  }
}

async function numbered(ctx: Context): Promise<void> {
  for (;;) {
    const { rows } = await sql<{
      left: boolean;
    }>`SELECT EXISTS (SELECT FROM outbox) AS left`.execute(ctx.db);
    if (rows[0]?.left !== true) return;
    await sleep(5);
  }
}

/** The client's state: the registered one, with every event applied. */
async function follow(client: ChatClient, registered: Record<string, unknown>): Promise<Draft[]> {
  const { drafts: apply } = draftsPart.applyInTests;
  let drafts = registered['drafts'] as Draft[];
  let last = registered['last_event_id'] as number;
  for (let quiet = 0; quiet < 3;) {
    const { body } = await client.get('/events', {
      queue_id: registered['queue_id'],
      last_event_id: last,
      dont_block: true,
    });
    const events = body['events'] as DraftsEvent[];
    for (const event of events) {
      ({ drafts } = apply({ drafts }, event as unknown as Parameters<typeof apply>[1]));
      last = event.id;
    }
    quiet = events.length === 0 ? quiet + 1 : 0;
    // The node gets the last events by its poll at the latest.
    if (quiet > 0) await sleep(12);
  }
  return drafts;
}

async function count(ctx: Context, queueId: string, result: RaceResult): Promise<void> {
  const { rows } = await sql<{ snapshot: string; start: bigint }>`
    SELECT snapshot, start_position AS start FROM event_queues WHERE id = ${queueId}`.execute(
    ctx.db,
  );
  const { snapshot, start } = rows[0] as { snapshot: string; start: bigint };
  const parsed = parseDatabaseSnapshot(snapshot);
  if (parsed.running.size > 0) result.withOpenTransaction += 1;
  const later = await sql<{ xid: string }>`
    SELECT xid::text AS xid FROM event_log WHERE position > ${start}`.execute(ctx.db);
  // Parses PostgreSQL's own text, independently of the code under test.
  const seen = (xid: bigint) => xid < parsed.xmax && !parsed.running.has(xid);
  if (later.rows.some(({ xid }) => seen(BigInt(xid)))) result.withUnnumberedEvent += 1;
}
