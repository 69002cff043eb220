// Audits the whole memory before it is used: after a recovery, and now and then while a standby
// follows. A new leader halts the faulty markets, so that the others can go on.
import { findFaults, type Fault, type State } from '@rialto/matching';
import type { Context } from '../../platform/context.ts';
import { recordInvariantHalts } from '../halts/actions.ts';
import type { NewHalt } from '../halts/halt.ts';
import type { Machine } from './machine.ts';

export interface StateAudit {
  /**
   * Audits a memory that is new, or was not audited for long. It takes some 0.8 µs per live order.
   */
  look(machine: Machine): void;
  /** The first commands of a new leader because of the faults, as texts. */
  haltingCommands(machine: Machine): Promise<string[]>;
}

/** A standby has time; the journal's digests check what it replays besides. */
const LOOK_EVERY_MS = 600_000;
/** Faults that are named per market, and in the log: the first few are enough. */
const NAMED_MAX = 3;
const LOGGED_MAX = 20;

export const UNSOUND = 'the engine’s memory is sound';

export function createStateAudit(ctx: Pick<Context, 'db' | 'log' | 'metrics'>): StateAudit {
  let last: { machine: Machine; atMs: number; faults: readonly Fault[] } | undefined;

  function audit(machine: Machine): readonly Fault[] {
    const faults = tryFaults(machine.state);
    last = { machine, atMs: performance.now(), faults };
    ctx.metrics.audited('state');
    for (const { text, symbol, coin } of faults.slice(0, LOGGED_MAX)) {
      ctx.metrics.auditViolated(UNSOUND);
      ctx.log.error(
        { fault: text, symbol, coin, faults: faults.length, seq: machine.seq },
        'AUDIT: the engine’s memory is not sound.',
      );
    }
    return faults;
  }

  function look(machine: Machine): readonly Fault[] {
    const isFresh = last?.machine === machine && performance.now() - last.atMs < LOOK_EVERY_MS;
    return isFresh && last !== undefined ? last.faults : audit(machine);
  }

  return {
    look: (machine) => void look(machine),
    async haltingCommands(machine) {
      if (look(machine).length === 0) return [];
      // Faults found a while ago may be gone; only present ones halt.
      const halts = haltsOf(machine.state, audit(machine));
      const inForce = await recordInvariantHalts(ctx.db, halts);
      const symbols = new Set(inForce.map(({ symbol }) => symbol));
      for (const market of machine.state.markets) {
        if (isStanding(machine.state, market)) symbols.delete(market.config.symbol);
      }
      if (symbols.size > 0) {
        ctx.log.error({ markets: [...symbols] }, 'AUDIT: the engine halts markets as it begins.');
      }
      return [...symbols].map((symbol) => {
        const because = { rule: UNSOUND, faults: faultsOf(halts, symbol) };
        // The core ignores `because`: it is in the journal for later investigation.
        return JSON.stringify({ type: 'set_phase', symbol, phase: 'halted', because });
      });
    },
  };
}

/** A memory that cannot even be audited is wrong in an unknown way. */
function tryFaults(state: State): readonly Fault[] {
  try {
    return findFaults(state);
  } catch (error) {
    return [{ text: `the audit could not be finished: ${String(error)}` }];
  }
}

type Market = State['markets'][number];

/** Halted without an end time. */
const isStanding = (state: State, { phase, index }: Market): boolean =>
  phase === 'halted' && !state.phaseEnds.has(index);

/** The markets that each fault affects; all of them where it does not say. */
function haltsOf(state: State, faults: readonly Fault[]): NewHalt[] {
  return state.markets
    .filter(({ phase }) => phase !== 'delisted')
    .flatMap(({ config: { symbol, base, quote } }) =>
      faults
        .filter((fault) =>
          fault.symbol === undefined
            ? fault.coin === undefined || fault.coin === base || fault.coin === quote
            : fault.symbol === symbol,
        )
        .slice(0, NAMED_MAX)
        .map(({ text }) => ({ symbol, rule: UNSOUND, subject: text, foundBy: 'engine' })),
    );
}

const faultsOf = (halts: readonly NewHalt[], symbol: string): string[] =>
  halts.filter((halt) => halt.symbol === symbol).map(({ subject }) => subject);
