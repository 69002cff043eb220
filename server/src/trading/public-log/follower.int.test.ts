import {
  bookText,
  chainHash,
  Recorder,
  sha256Hex,
  verifyLog,
  ZERO_HASH,
  type PublicEvent,
} from '@rialto/public-log';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Workload } from '../../../../packages/matching/sim/workload.ts';
import { createKeyPair } from '../../accounts/audit/head.ts';
import { startRelay, type Relay } from '../../platform/events/relay.ts';
import { createLog } from '../../platform/observe/log.ts';
import { pause } from '../../platform/std/wait.ts';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { relayOptions } from '../../testing/server.ts';
import { TestJournal } from '../../testing/trading/journal.ts';
import { findCheckpointAt, findHeadCovering, findNewestHead, listEvents } from './access.ts';
import { startFollower, type Follower, type FollowerOptions } from './follower.ts';
import { checkContinues, signPublicLog } from './heads.ts';
import { readProgress } from './store.ts';

const PATIENCE = { timeout: 30_000, interval: 20 };
const SETTINGS = {
  PUBLIC_LOG_CHECKPOINT_EVENTS: '200',
  PUBLIC_SIGNING_KEY: createKeyPair().privateKey,
};

let test: TestContext;
let relay: Relay;
let journal: TestJournal;
let workload: Workload;
let witness: Recorder;
/** Every event that the log must have, checkpoints left out. */
let expected: PublicEvent[];
let followers: Follower[];

beforeEach(async () => {
  // Two tests break something, which is logged.
  test = await createTestContext(SETTINGS, { log: createLog('silent', {}) });
  relay = startRelay(relayOptions(test.ctx));
  journal = new TestJournal(test.ctx);
  workload = new Workload(34n);
  witness = new Recorder();
  expected = [];
  followers = [];
});
afterEach(async () => {
  await Promise.all(followers.map((one) => one.stop()));
  await relay.stop();
  await test.close();
});

const follow = (options: FollowerOptions = {}): Follower => {
  const follower = startFollower(test.ctx, options);
  followers.push(follower);
  return follower;
};

/** The log of a venue that is there already. */
async function begin(commands = 30): Promise<Follower> {
  await work(commands);
  expected = [];
  const follower = follow();
  await expect.poll(async () => (await progress()).lastEvent, PATIENCE).toBe(1);
  return follower;
}

/** A drawn venue goes on, in rows of the journal of this many commands. */
async function work(commands: number, perRow = 25): Promise<void> {
  for (let n = 1; n <= commands; n += 1) {
    const outcome = journal.apply(workload.next());
    workload.observe(outcome);
    for (const step of outcome.steps) expected.push(...witness.take(step));
    if (n % perRow === 0) await journal.commit();
  }
  await journal.commit();
}

const progress = () => readProgress(test.ctx.database.pool, 0);

async function caughtUp(): Promise<void> {
  await expect.poll(async () => (await progress()).seq, PATIENCE).toBe(journal.machine.seq);
}

/** The whole log, read in pages of an odd size, with its chain checked. */
async function readLog(): Promise<Array<Record<string, string>>> {
  const events: Array<Record<string, string>> = [];
  let hash = ZERO_HASH;
  for (;;) {
    const page = await listEvents(test.ctx, events.length + 1, 333);
    if (page.length === 0) break;
    for (const one of page) {
      hash = chainHash(hash, one.text);
      expect(one.hash).toBe(hash);
      const event = JSON.parse(one.text) as Record<string, string>;
      expect(event['seq']).toBe(String(events.length + 1));
      events.push(event);
    }
  }
  const { lastEvent, lastHash } = await progress();
  expect([events.length, hash]).toEqual([lastEvent, lastHash]);
  return events;
}

const withoutNumbers = (events: ReadonlyArray<Record<string, string>>) =>
  events
    .filter(({ type }) => type !== 'checkpoint')
    .map((event) => {
      const { seq: _, ...rest } = event;
      return rest as unknown as PublicEvent;
    });

async function expectWholeLog(): Promise<void> {
  await caughtUp();
  const events = await readLog();
  expect(events[0]?.['type']).toBe('checkpoint');
  expect(withoutNumbers(events)).toEqual(expected);
  expect(verifyLog(await toFile())).toMatchObject({ ok: true, events: events.length });
}

/** The log in the form of a file, as a stranger keeps it. */
async function toFile(): Promise<string[]> {
  const lines: string[] = [];
  for (const { event, text, hash } of await listEvents(test.ctx, 1, 1_000_000)) {
    lines.push(JSON.stringify({ text, hash }));
    if (!text.includes('"type":"checkpoint"')) continue;
    const book = (await findCheckpointAt(test.ctx, event))?.book;
    lines.push(JSON.stringify({ book }));
  }
  return lines;
}

describe('the follower', () => {
  it('writes every event once, with checkpoints that fit the books', async () => {
    await begin();
    for (let left = 20; left > 0 && expected.length < 3000; left -= 1) await work(1000, 100);
    await expectWholeLog();
    const events = await readLog();
    expect(events.length).toBeGreaterThan(2000);
    const checkpoints = events.filter(({ type }) => type === 'checkpoint');
    expect(checkpoints.length).toBeGreaterThan(2);
    for (const { seq, bookHash } of checkpoints) {
      const found = await findCheckpointAt(test.ctx, Number(seq));
      expect([String(found?.event), sha256Hex(found?.book ?? '')]).toEqual([seq, bookHash]);
    }
    expect(await findCheckpointAt(test.ctx, 1)).toMatchObject({ event: 1 });
    const { rows } = await test.owner.query<{ pages: number; tail: number }>(
      `SELECT (SELECT count(*)::int FROM public_log_pages) AS pages,
              (SELECT coalesce(sum(array_length(string_to_array(body, E'\\n'), 1)), 0)::int
                 FROM public_log_tail) AS tail`,
    );
    expect(rows[0]).toEqual({
      pages: Math.floor(events.length / 1000),
      tail: events.length % 1000,
    });
  });

  it('goes on without a gap or a repeat when it ends between two commits, again and again', async () => {
    await (await begin()).stop();
    for (let round = 0; round < 6; round += 1) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const follower = follow({ onWritten: () => resolve() });
      await work(200, 3);
      await promise;
      await follower.stop();
    }
    follow();
    await expectWholeLog();
  });

  it('loses nothing when its connection breaks in the middle', async () => {
    await begin();
    for (let round = 0; round < 4; round += 1) {
      await work(150, 5);
      await test.owner.query(
        `SELECT pg_terminate_backend(pid) FROM pg_locks
          WHERE locktype = 'advisory' AND classid = hashtext('rialto.public_log')::oid AND granted`,
      );
    }
    await expectWholeLog();
    const { body } = await test.ctx.metrics.render();
    expect(body).toMatch(/rialto_public_log_failures_total\{?.* [1-9]/);
    expect(body).toMatch(/rialto_public_log_events_total\{?.* [1-9]/);
  });

  it('begins in the middle of a book with a checkpoint, icebergs included', async () => {
    const countIcebergs = () =>
      [...witness.books.places.values()].filter(({ hidden }) => (hidden?.visible ?? 0) !== 0)
        .length;
    for (let left = 40; left > 0 && countIcebergs() === 0; left -= 1) await work(200);
    expect(countIcebergs()).toBeGreaterThan(0);
    await begin(0);
    const first = await findCheckpointAt(test.ctx, 1);
    expect(first?.book).toBe(bookText(witness.books));
    await work(600);
    await expectWholeLog();
  });

  it('begins the log of an empty venue with empty books, at the time of the engine', async () => {
    follow();
    await expect
      .poll(async () => {
        const { rowCount } = await test.owner.query(
          `SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted
              AND classid = hashtext('rialto.public_log')::oid`,
        );
        return rowCount;
      }, PATIENCE)
      .toBe(1);
    await pause(300);
    await work(300);
    await expectWholeLog();
    const first = await findCheckpointAt(test.ctx, 1);
    expect(first?.book).toBe('{"tradeId":"0","markets":[]}');
  });

  it('catches up from the journal where the event log was trimmed', async () => {
    const follower = await begin();
    await work(200);
    await caughtUp();
    await follower.stop();
    await work(400);
    await expect
      .poll(async () => (await test.owner.query('SELECT FROM outbox')).rowCount, PATIENCE)
      .toBe(0);
    await test.owner.query('UPDATE event_head SET trimmed_through = position');
    await test.owner.query('DELETE FROM event_log');
    follow();
    await caughtUp();
    await work(200);
    await expectWholeLog();
  });

  it('works once, however many run, and another takes over', async () => {
    const first = await begin();
    follow();
    follow();
    await work(300, 3);
    await first.stop();
    await work(300, 3);
    await expectWholeLog();
  });

  it('is switched off by a setting, and goes on where it stopped', async () => {
    const first = await begin();
    await first.stop();
    const config = { ...test.ctx.config, PUBLIC_LOG: 'false' as const };
    const off = startFollower({ ...test.ctx, config });
    await work(100);
    await pause(300);
    expect((await progress()).lastEvent).toBe(1);
    await off.stop();
    follow();
    await expectWholeLog();
  });
});

describe('heads', () => {
  it('are signed while the log grows, and never over a log that was rewritten', async () => {
    await begin();
    await work(700);
    await caughtUp();
    expect(await signPublicLog(test.ctx)).toBe(1);
    expect(await signPublicLog(test.ctx)).toBe(0);
    const head = await findNewestHead(test.ctx.database.pool);
    expect(head).toMatchObject({ event: (await progress()).lastEvent });
    await work(100);
    await caughtUp();
    await checkContinues(test.ctx.database.pool, head, await progress());

    // Somebody with the owner's rights changes the last event and computes all hashes anew.
    await test.owner.query(
      `UPDATE public_log_tail SET body = replace(body, '"type":"add"', '"type":"ADD"')
        WHERE first_event = (SELECT max(first_event) FROM public_log_tail)`,
    );
    await expect(signPublicLog(test.ctx)).rejects.toThrow('The public log should end with event');
    const { body } = await test.ctx.metrics.render();
    expect(body).toMatch(/rialto_public_log_head_refused_total\{?.* 1$/m);
    await test.owner.query(
      `UPDATE public_log_tail SET body = replace(body, '"type":"ADD"', '"type":"add"')`,
    );
    expect(await signPublicLog(test.ctx)).toBe(1);
    const newest = await findNewestHead(test.ctx.database.pool);
    await expect(
      checkContinues(
        test.ctx.database.pool,
        { event: newest?.event ?? 0, hash: ZERO_HASH },
        await progress(),
      ),
    ).rejects.toThrow('is not the one that was signed');
  });

  it('are found by the event that they cover', async () => {
    follow();
    const signed: number[] = [];
    for (const commands of [60, 60, 400, 2500]) {
      const before = expected.length;
      do await work(commands, 50);
      while (expected.length === before);
      await caughtUp();
      expect(await signPublicLog(test.ctx)).toBe(1);
      signed.push((await progress()).lastEvent);
    }
    const { pool } = test.ctx.database;
    // Their numbers have different lengths.
    expect(new Set(signed.map((event) => String(event).length)).size).toBeGreaterThan(1);
    for (const event of signed)
      expect(await findHeadCovering(pool, event)).toMatchObject({ event });
    expect(await findHeadCovering(pool, (signed[1] ?? 0) + 1)).toMatchObject({ event: signed[2] });
    expect(await findHeadCovering(pool, (signed[3] ?? 0) + 1)).toBeUndefined();
    expect(await findNewestHead(pool)).toMatchObject({ event: signed[3] });
  });

  it('are not signed without a key', async () => {
    await begin();
    const config = { ...test.ctx.config, PUBLIC_SIGNING_KEY: '' };
    expect(await signPublicLog({ ...test.ctx, config })).toBe(0);
  });

  it('and pages cannot be changed by the server or by its owner', async () => {
    await begin();
    await work(900);
    await caughtUp();
    await signPublicLog(test.ctx);
    for (const table of ['public_log_pages', 'public_log_checkpoints', 'public_log_heads']) {
      await expect(test.owner.query(`DELETE FROM ${table}`)).rejects.toThrow();
      await expect(test.ctx.database.pool.query(`DELETE FROM ${table}`)).rejects.toThrow(
        'permission denied',
      );
    }
  });
});
