// The fee day: once a day, at 00:00 UTC, every family gets the tier that its volume of the 30 days
// before is worth. Each step is one transaction that writes the commands for the engine and how far
// the day is. So a crash, a restart or a second worker goes on where the last step ended, and every
// family is assigned once, by volumes that no longer change.
import { LIMITS } from '@rialto/matching';
import { ringEngine } from '../../platform/bus/bells.ts';
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { DAY_MS } from '../../platform/std/time.ts';
import { pause } from '../../platform/std/wait.ts';
import { encodeCommand } from '../engine/command.ts';
import { findJournalTime } from '../engine/journal-search.ts';
import { findMarker, insertFeeCommand } from '../operators/access.ts';
import { readCheckpoint } from '../projections/access.ts';
import {
  findFeeDay,
  listVolumes,
  lockFamilies,
  lockFeeDay,
  updateFeeDay,
  upsertFamilyTiers,
  type FeeDay,
} from './days-store.ts';
import { decideTier } from './decide.ts';
import { listFeeTiers } from './store.ts';
import { VOLUME_DAYS } from './tier.ts';

/** Families of one step; the command about them stays well below what a row may hold. */
const FAMILIES_AT_ONCE = Math.min(500, LIMITS.feeTiersMax);

/** How long a run waits for the engine and the projections; the next run goes on. */
const PATIENCE_MS = 1000;
const POLL_MS = 50;

/** Does what is left of today's fee day. Returns how many families were looked at. */
export async function runFeeDay(
  ctx: Context,
  { familiesAtOnce = FAMILIES_AT_ONCE }: { familiesAtOnce?: number } = {},
): Promise<number> {
  const day = Math.floor(ctx.clock.now() / DAY_MS);
  const known = await findFeeDay(ctx.db, day);
  if (known !== undefined && known.finishedAt !== null) return 0;
  if (!(await isDayBeforeOver(ctx, day))) return 0;
  let looked = 0;
  for (;;) {
    const step = await ctx.inTransaction((tx) => takeStep(ctx, tx, day, familiesAtOnce));
    if (step.changed > 0) ringEngine(ctx);
    looked += step.looked;
    if (!step.isOver) continue;
    if (step.ended !== undefined) {
      const { families, changed } = step.ended;
      ctx.metrics.feeDay(day);
      ctx.log.info({ day, families, changed }, 'Fee tiers were computed for the day.');
    }
    return looked;
  }
}

interface Step {
  readonly looked: number;
  readonly changed: number;
  readonly isOver: boolean;
  /** The day, if this step was its last. */
  readonly ended?: Pick<FeeDay, 'families' | 'changed'>;
}

async function takeStep(ctx: Context, tx: Tx, day: number, limit: number): Promise<Step> {
  const held = await lockFeeDay(tx, day);
  if (held.finishedAt !== null) return { looked: 0, changed: 0, isOver: true };
  const families = await lockFamilies(tx, held.doneThrough, limit);
  const tiers = await listFeeTiers(tx);
  const volumes = await listVolumes(tx, families, {
    quote: ctx.config.TRADING_VOLUME_COIN,
    fromMs: (day - VOLUME_DAYS) * DAY_MS,
    toMs: day * DAY_MS,
  });
  const changes = volumes.flatMap(({ account, volume, isPinned, tier, isMixed }) => {
    const decided = decideTier(volume, tiers);
    if (isPinned || (decided === tier && !isMixed)) return [];
    return [{ account: Number(account), tier: decided }];
  });
  if (changes.length > 0) {
    await insertFeeCommand(tx, encodeCommand({ type: 'set_fee_tiers', day, tiers: changes }));
    await upsertFamilyTiers(tx, changes, { isPinned: false, day });
  }
  const done = {
    families: held.families + families.length,
    changed: held.changed + changes.length,
  };
  const isOver = families.length < limit;
  await updateFeeDay(tx, day, {
    ...done,
    doneThrough: families.at(-1) ?? held.doneThrough,
    ...(isOver ? { finishedAt: new Date(ctx.clock.now()) } : {}),
  });
  const step = { looked: families.length, changed: changes.length, isOver };
  return isOver ? { ...step, ended: done } : step;
}

/**
 * Whether every trade of the day before is in the projections. The engine gives times that never
 * decrease, so a command of its own that got a time of today in the journal proves that no trade of
 * yesterday can follow it.
 */
async function isDayBeforeOver(ctx: Context, day: number): Promise<boolean> {
  const untilMs = performance.now() + PATIENCE_MS;
  const markerId = await askMarker(ctx, day);
  for (;;) {
    const marker = await findMarker(ctx.db, markerId);
    const found = marker?.journalSeq ?? null;
    if (found !== null) {
      const seq = Number(found);
      const timeMs = await findJournalTime(ctx.db, seq);
      if (timeMs === undefined || timeMs < day * DAY_MS) {
        // The engine's clock is behind: another marker, at the next run.
        await ctx.inTransaction(async (tx) => {
          await lockFeeDay(tx, day);
          await updateFeeDay(tx, day, { markerId: null });
        });
        return false;
      }
      if ((await readCheckpoint(ctx)).seq >= seq) return true;
    }
    if (performance.now() >= untilMs) return false;
    await pause(POLL_MS);
  }
}

async function askMarker(ctx: Context, day: number): Promise<bigint> {
  const markerId = await ctx.inTransaction(async (tx) => {
    const held = await lockFeeDay(tx, day);
    if (held.markerId !== null) return held.markerId;
    const because = `fee day ${day}`;
    const asked = await insertFeeCommand(tx, JSON.stringify({ type: 'tick', because }));
    await updateFeeDay(tx, day, { markerId: asked });
    return asked;
  });
  ringEngine(ctx);
  return markerId;
}
