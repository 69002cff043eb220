// Runs one seed. Every command goes to the fast core and to the slow twin; their outcomes and
// states must agree, the invariants must hold, and a replay of the commands must give the same
// state.

import type { Command } from '../src/command.ts';
import type { Outcome } from '../src/outcome.ts';
import type { State } from '../src/state.ts';
import { checkClocks } from './clocks.ts';
import { compareTrails } from './compare-trails.ts';
import { compareOutcomes, findDifference } from './compare.ts';
import type { Coverage } from './coverage.ts';
import { Invariants } from './invariants.ts';
import { CustodyInvariants } from './custody-invariants.ts';
import { ListInvariants } from './list-invariants.ts';
import { Random } from './random.ts';
import { Twin } from './twin/twin.ts';
import { balanceOf, visibleBook } from './twin/model.ts';
import { isSweeping } from './twin/sweeping.ts';
import type { Beginning } from './twin/model.ts';
import { Violation } from './violation.ts';
import type { Core } from './violation.ts';
import { Workload } from './workload.ts';

const FULL_CHECK_EVERY = 1_000;
/** Later than the longest permitted expiry. */
const LONG_AFTER_MS = 91 * 86_400_000;

/** A core and a twin side by side. */
export class Pair {
  readonly core: Core;
  readonly state: State;
  readonly twin: Twin;
  readonly #invariants: Invariants;
  readonly #lists = new ListInvariants();
  readonly #custody = new CustodyInvariants();
  #index = -1;

  constructor(core: Core, beginning: Beginning) {
    this.core = core;
    // A small capacity makes the pools and tables grow during the run.
    this.state = core.createState({ ...beginning, capacity: 64 });
    this.twin = new Twin(beginning);
    this.#invariants = new Invariants(beginning.shard);
  }

  apply(command: Command): Outcome {
    this.#index += 1;
    const outcome = this.#attempt(() => this.core.apply(this.state, command));
    const expected = this.twin.apply(command);
    this.#demand(this.#invariants.check(outcome, this.twin.state.rules));
    this.#demand(this.#lists.check(outcome));
    this.#demand(this.#custody.check(outcome));
    this.#demand(compareOutcomes(outcome, expected));
    this.#demand(this.#compareTouched(outcome));
    if (outcome.steps.some(({ trades, phases }) => trades.length + phases.length > 0)) {
      this.#demand(compareTrails(this.state, this.twin.state));
    }
    if (this.#index % FULL_CHECK_EVERY === FULL_CHECK_EVERY - 1) this.checkAll();
    return outcome;
  }

  #attempt<T>(run: () => T): T {
    try {
      return run();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new Violation(`the core threw: ${message}`, this.#index);
    }
  }

  #demand(found: string | undefined): void {
    if (found !== undefined) throw new Violation(found, this.#index);
  }

  /** Compares the balances and levels that the outcome names in the core and in the twin. */
  #compareTouched(outcome: Outcome): string | undefined {
    const { core, state, twin } = this;
    const accounts = new Set<number>();
    const symbols = new Set<string>();
    for (const step of outcome.steps) {
      for (const { postings } of step.journals) {
        for (const { owner } of postings) if (typeof owner === 'number') accounts.add(owner);
      }
      for (const { symbol } of step.books) symbols.add(symbol);
    }
    for (const account of accounts) {
      const owed = new Map<string, bigint>();
      for (const o of core.listOpenOrders(state, account)) {
        const config = twin.state.markets.find((m) => m.config.symbol === o.symbol)?.config;
        const coin = (o.side === 'buy' ? config?.quote : config?.base) ?? '';
        owed.set(coin, (owed.get(coin) ?? 0n) + o.held);
      }
      for (const { coin, available, hold, pendingWithdraw } of core.listBalances(state, account)) {
        if (hold !== (owed.get(coin) ?? 0n))
          return `account ${account}: hold of ${coin} is not owed`;
        const same =
          available === balanceOf(twin.state, account, coin, 'available') &&
          hold === balanceOf(twin.state, account, coin, 'hold') &&
          pendingWithdraw === balanceOf(twin.state, account, coin, 'pendingWithdraw');
        if (!same) return `account ${account}: balances of ${coin} differ`;
      }
    }
    for (const symbol of symbols) {
      const found = this.#compareBook(symbol);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #compareBook(symbol: string): string | undefined {
    const market = this.twin.state.markets.find((m) => m.config.symbol === symbol);
    const depth = this.core.findDepth(this.state, symbol);
    if (market === undefined || depth === undefined) return `market ${symbol} is missing`;
    const expected = visibleBook(market);
    const { bids, asks } = depth;
    if (expected.size !== bids.length + asks.length) return `${symbol}: levels differ in number`;
    for (const [side, levels] of [
      ['buy', bids],
      ['sell', asks],
    ] as const) {
      for (const { priceTicks, lots } of levels) {
        if (expected.get(`${side} ${priceTicks}`) !== lots)
          return `${symbol}: level ${priceTicks} differs`;
      }
    }
    const [bid, ask] = [bids[0]?.priceTicks, asks[0]?.priceTicks];
    const isTrading = market.phase === 'continuous' || market.phase === 'post_only';
    const mustNotCross =
      this.twin.state.rules < 4 || (isTrading && !isSweeping(this.twin.state, market));
    if (mustNotCross && bid !== undefined && ask !== undefined && bid >= ask)
      return `${symbol} is crossed`;
    return undefined;
  }

  /** Everything: the core's own audit, all balances, orders, queues and books, and the snapshot. */
  checkAll(): void {
    const { core, state, twin } = this;
    const t = twin.state;
    const wrong = this.#attempt(() => core.audit(state));
    this.#demand(wrong[0]);
    for (const account of t.accounts) {
      for (const { coin, available, hold, pendingWithdraw } of core.listBalances(
        state,
        account.id,
      )) {
        const mine = [available, hold, pendingWithdraw];
        const theirs = (['available', 'hold', 'pendingWithdraw'] as const).map((bucket) =>
          balanceOf(t, account.id, coin, bucket),
        );
        this.#demand(findDifference(mine, theirs, `account ${account.id} ${coin}`));
      }
    }
    for (const { owner, coin, amount } of core.listVenueBalances(state)) {
      this.#demand(
        findDifference(amount, balanceOf(t, owner, coin, 'available'), `${owner} ${coin}`),
      );
    }
    for (const market of t.markets) {
      const { symbol } = market.config;
      this.#demand(this.#compareBook(symbol));
      for (const o of market.live) {
        const found = core.findOrder(state, o.account, { orderId: o.orderId });
        this.#demand(
          findDifference(found?.remainingVolume, o.remainingVolume, `order ${o.orderId}`),
        );
      }
    }
    this.#demand(findDifference(state.rules, t.rules, 'rules'));
    this.#demand(findDifference(core.pendingSweeps(state), t.sweeps.length, 'sweeps'));
    const bytes = this.#attempt(() => core.snapshot(state));
    const restored = this.#attempt(() => core.restore(bytes));
    this.#demand(this.#attempt(() => core.audit(restored))[0]);
    this.#demand(compareTrails(state, t));
    this.#demand(compareTrails(restored, t));
    this.#demand(findDifference(restored.rules, state.rules, 'rules of a restored state'));
    this.#demand(findDifference([...restored.hashKey], [...state.hashKey], 'restored key'));
    const again = this.#attempt(() => core.snapshot(restored));
    if (bytes.length !== again.length || bytes.some((b, i) => b !== again[i])) {
      this.#demand('a restored snapshot has other bytes');
    }
  }
}

export interface RunOptions {
  core: Core;
  seed: bigint;
  commands: number;
  coverage?: Coverage;
  /** Replaying from empty and from three snapshots costs about as much again as the core itself. */
  replay: boolean;
}

/** Runs a seed; throws a Violation, and leaves the commands so far in `log`. */
export function runSeed(options: RunOptions, log: Command[]): void {
  const { core, seed, commands, coverage } = options;
  const workload = new Workload(seed);
  coverage?.beginRun();
  const { beginning } = workload.world;
  const pair = new Pair(core, beginning);
  const random = new Random(seed ^ 0x5eedn);
  const cuts = new Set(Array.from({ length: 3 }, () => random.below(commands)));
  const snapshots: Array<{ at: number; bytes: Uint8Array }> = [];
  for (let i = 0; i < commands; i++) {
    const command = workload.next();
    log.push(command);
    const outcome = pair.apply(command);
    workload.observe(outcome);
    coverage?.add(command, outcome);
    if (options.replay && cuts.has(i))
      snapshots.push({ at: i + 1, bytes: core.snapshot(pair.state) });
  }
  pair.checkAll();
  if (options.replay) checkReplay(core, log, pair.state, beginning, snapshots);
  const time = (log.at(-1)?.time ?? 0) + LONG_AFTER_MS;
  checkTimers(pair, time);
  checkDrain(pair, time);
  checkClocks(core, random);
}

/** The same commands from empty, and from snapshots, must give the same state to the byte. */
/** Compared apart from the hash: bytes that left them out would be equal on both sides. */
const amendmentsOf = ({ amendments }: State): string => JSON.stringify([...amendments]);

function checkReplay(
  core: Core,
  log: Command[],
  state: State,
  beginning: Beginning,
  snapshots: Array<{ at: number; bytes: Uint8Array }>,
): void {
  const expected = core.stateHash(state);
  const starts = [
    { at: 0, state: core.createState(beginning) },
    ...snapshots.map(({ at, bytes }) => ({ at, state: core.restore(bytes) })),
  ];
  const tape = new core.Tape();
  for (const start of starts) {
    for (let i = start.at; i < log.length; i++) {
      tape.clear();
      const command = log[i];
      if (command !== undefined) core.applyTo(start.state, command, tape);
    }
    if (core.stateHash(start.state) !== expected) {
      throw new Violation(`a replay from command ${start.at} gives another state`, log.length - 1);
    }
    if (amendmentsOf(start.state) !== amendmentsOf(state)) {
      throw new Violation(`a replay from command ${start.at} forgets amendments`, log.length - 1);
    }
  }
}

/** Lets every timer fall due, here and in a restored copy; both must fire in the same order. */
function checkTimers(pair: Pair, time: number): void {
  const { core, state } = pair;
  const copy = core.restore(core.snapshot(state));
  // One command fires a bounded number of timers; the rest stays due.
  do {
    pair.apply({ type: 'tick', time });
    core.apply(copy, { type: 'tick', time });
  } while (core.nextDue(state) <= time);
  if (core.stateHash(copy) !== core.stateHash(state)) {
    throw new Violation('timers of a restored state fire in another order', -1);
  }
}

/** After everybody cancelled and all sweeps ended, nothing may be held. */
function checkDrain(pair: Pair, time: number): void {
  const { core, state, twin } = pair;
  for (const { id } of twin.state.accounts) pair.apply({ type: 'cancel_all', time, account: id });
  // Each step of a sweep ends an order, skips some, or is the last one.
  let left = core.pendingSweeps(state) * 2 + 10_000;
  while (core.pendingSweeps(state) > 0) {
    pair.apply({ type: 'sweep', time });
    left -= 1;
    if (left === 0) throw new Violation('a sweep does not end', -1);
  }
  for (const { id } of twin.state.accounts) {
    for (const { coin, hold } of pair.core.listBalances(pair.state, id)) {
      if (hold !== 0n) throw new Violation(`account ${id} still holds ${hold} ${coin}`, -1);
    }
  }
  pair.checkAll();
}

/** Runs a fixed list of commands and returns the violation, if there is one. */
export function findViolation(
  core: Core,
  commands: readonly Command[],
  beginning: Beginning,
): Violation | undefined {
  try {
    const pair = new Pair(core, beginning);
    for (const command of commands) pair.apply(command);
    pair.checkAll();
    return undefined;
  } catch (error) {
    if (error instanceof Violation) return error;
    // The twin itself may object to a list with gaps in it; that is not a finding.
    return undefined;
  }
}
