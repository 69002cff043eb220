// Checks the ledger continuously while a worker runs. Every second: is there evidence for what the
// ledger owes? Every minute: the next part of the projections, from where the last check ended;
// after a start, all of them at once. Several workers may each run one: a repeated alarm halts
// once.
import type { Context } from '../../platform/context.ts';
import { rarely } from '../../platform/observe/rarely.ts';
import { pause } from '../../platform/std/wait.ts';
import { readEngineOverview } from '../engine/overview.ts';
import { readCheckpoint } from '../projections/access.ts';
import { auditProjections, startOfAudit } from '../projections/audit.ts';
import { raiseAlarm } from './alarm.ts';
import {
  findInsolvent,
  findUnbacked,
  findUnbackedInJournal,
  readSolvency,
  type Looked,
} from './solvency.ts';
import type { Violation } from './violation.ts';

export interface Auditor {
  /** Resolves when every row of the projections was checked once. */
  readonly wholeLookedAt: Promise<void>;
  stop(): Promise<void>;
}

/**
 * An unbacked credit must halt its markets within five seconds: this leaves time for the engine's
 * answer.
 */
const SOLVENCY_MS = 1000;
const PROJECTIONS_MS = 60_000;
/** How often the gauges of the engine are set from its tables. */
const ENGINE_MS = 10_000;
/** A persisting fault is reported again after this time, not every second. */
const TELL_AGAIN_MS = 60_000;
const COMPLAIN_EVERY_MS = 60_000;

export function startAuditor(ctx: Context): Auditor {
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  const complain = rarely(COMPLAIN_EVERY_MS);
  const tell = createTeller(ctx);
  const look = createSolvencyWatch(ctx, tell);
  const whole = Promise.withResolvers<void>();

  async function lookAtSolvency(): Promise<void> {
    while (!isStopping()) {
      await look().catch(report);
      await pause(SOLVENCY_MS, stopping.signal);
    }
  }

  async function lookAtEngine(): Promise<void> {
    while (!isStopping()) {
      await readEngineOverview(ctx.database.pool).then(({ standbys, lease, snapshot }) => {
        const leaseAge = lease?.ageSeconds ?? -1;
        ctx.metrics.engineSeen({ standbys, leaseAge, snapshotAge: snapshot?.ageSeconds ?? -1 });
      }, report);
      await pause(ENGINE_MS, stopping.signal);
    }
  }

  async function lookAtProjections(): Promise<void> {
    const cursor = startOfAudit();
    const ended = { accounts: false, orders: false };
    while (!isStopping()) {
      const startedMs = performance.now();
      let restMs = PROJECTIONS_MS;
      try {
        await tell(await auditProjections(ctx, cursor));
        ctx.metrics.audited('projections');
        ended.accounts ||= cursor.accounts === 0;
        ended.orders ||= cursor.orders === 0;
        if (ended.accounts && ended.orders) whole.resolve();
        // The first pass pauses as long as it works: the engine needs the machine too.
        else restMs = performance.now() - startedMs;
      } catch (error) {
        report(error);
      }
      await pause(restMs, stopping.signal);
    }
    whole.resolve();
  }

  const report = (error: unknown) =>
    complain((keptBack) => ctx.log.error({ err: error, keptBack }, 'The audit could not be made.'));

  const running = Promise.all([lookAtSolvency(), lookAtProjections(), lookAtEngine()]);
  return {
    wholeLookedAt: whole.promise,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

type Tell = (violations: readonly Violation[]) => Promise<void>;

/** Returns a function that checks what is new since its last call, and reports what it finds. */
export function createSolvencyWatch(ctx: Context, tell: Tell): () => Promise<Violation[]> {
  const { pool } = ctx.database;
  /** Checked movements, by engine event; the first check goes through all of them. */
  let movedThrough = 0;
  /** Checked rows of the journal. What is in the projections at the start is checked there. */
  let journaledThrough: number | undefined;

  /**
   * Returns where the next check begins: after what was reported, so that an unreported fault is
   * found again.
   */
  async function walk(
    after: number,
    find: (db: typeof pool, after: number) => Promise<Looked>,
    found: Violation[],
  ): Promise<number> {
    for (let from = after; ;) {
      const { violations, through, isEnd } = await find(pool, from);
      await tell(violations);
      found.push(...violations);
      from = through;
      if (isEnd) return from;
    }
  }

  return async () => {
    const found: Violation[] = [];
    journaledThrough ??= (await readCheckpoint(ctx)).seq;
    journaledThrough = await walk(journaledThrough, findUnbackedInJournal, found);
    const coins = await readSolvency(pool);
    for (const { coin, assets, liabilities } of coins) {
      ctx.metrics.solvency(coin, toCoins(assets), toCoins(liabilities));
    }
    const insolvent = findInsolvent(coins);
    await tell(insolvent);
    found.push(...insolvent);
    movedThrough = await walk(movedThrough, findUnbacked, found);
    ctx.metrics.audited('solvency');
    return found;
  };
}

/** Raises the alarm about new faults at once, and about known ones once a minute. */
export function createTeller(ctx: Context): Tell {
  const toldMs = new Map<string, number>();
  return async (violations) => {
    const nowMs = performance.now();
    for (const [key, atMs] of toldMs) if (nowMs - atMs > TELL_AGAIN_MS) toldMs.delete(key);
    const keyOf = ({ rule, subject }: Violation) => `${rule}\n${subject}`;
    const untold = violations.filter((violation) => !toldMs.has(keyOf(violation)));
    await raiseAlarm(ctx, untold);
    for (const violation of untold) toldMs.set(keyOf(violation), nowMs);
  };
}

const UNITS = 10n ** 18n;
/** For a graph, where the last digits do not matter. */
const toCoins = (units: bigint): number => Number(units / UNITS) + Number(units % UNITS) / 1e18;
