// A batch of the engine's work, as the event log has it. Several readers of one process want it (books, streams,
// event queues), so it is parsed once, and decoded only as far as somebody asks.
import {
  decodeTape,
  readBooks,
  readPhases,
  readPublicSteps,
  type PhaseChange,
  type Step,
  type TimedBookChange,
  type PublicStep,
} from '@rialto/matching';
import type { LoggedEvent } from '../../platform/events/event.ts';
import { assert } from '../../platform/std/assert.ts';
import { unpackBalances, type AccountBalance } from '../engine/balances.ts';
import { openLogged } from '../engine/outcomes.ts';
import type { MarketCoins } from '../orders/pairs.ts';

export { TRADING_BATCH } from '../../platform/events/event.ts';

export class Batch {
  readonly position: number;
  readonly shard: number;
  /** The row of the journal that it belongs to. A long row has several batches, its parts. */
  readonly seq: number;
  /** Of the row's last step. */
  readonly engineSeq: number;
  /** Which part of the row it is, from zero. */
  readonly part: number;
  /** Whether it is the last of its row. */
  readonly isLast: boolean;
  readonly #opened: ReturnType<typeof openLogged>;
  #accounts: readonly number[] | undefined;
  #steps: Step[] | undefined;
  #books: TimedBookChange[] | undefined;
  #phases: PhaseChange[] | undefined;
  #publicSteps: PublicStep[] | undefined;
  #balances: AccountBalance[] | undefined;
  #pairs: Map<string, MarketCoins> | undefined;

  constructor({ position, payload }: Pick<LoggedEvent, 'position' | 'payload'>) {
    this.position = position;
    this.#opened = openLogged(payload);
    const { shard, seq, engineSeq, part, parts } = this.#opened.batch;
    this.shard = shard;
    this.seq = seq;
    this.engineSeq = engineSeq;
    this.part = part;
    this.isLast = part + 1 === parts;
  }

  /** Every account whose orders, trades or money it has, and perhaps others. Known without decoding it. */
  get accounts(): readonly number[] {
    return (this.#accounts ??= this.#opened.batch.names.accounts.map(([, id]) => id));
  }

  /** The coins of a market that it names. */
  pairOf(symbol: string): MarketCoins {
    const pair = this.pairs.get(symbol);
    assert(pair !== undefined, 'a batch names the markets of its orders', { symbol });
    return pair;
  }

  /** The coins of the markets that it names. */
  get pairs(): ReadonlyMap<string, MarketCoins> {
    const { markets } = this.#opened.batch.names;
    return (this.#pairs ??= new Map(
      markets.map(([, symbol, base, quote]) => [symbol, { base, quote }]),
    ));
  }

  /** What the commands caused, in the engine's order. */
  get steps(): readonly Step[] {
    const { names, tape } = this.#opened;
    return (this.#steps ??= decodeTape(names, tape).flatMap(({ steps }) => steps));
  }

  /** Every change of a visible book, in order. */
  get books(): readonly TimedBookChange[] {
    return (this.#books ??= readBooks(this.#opened.names, this.#opened.tape));
  }

  /** Every change of a market's phase, in order. Found without decoding the rest. */
  get phases(): readonly PhaseChange[] {
    return (this.#phases ??= readPhases(this.#opened.names, this.#opened.tape));
  }

  /** Every step that trades or configures a market, in order. Found without decoding the rest. */
  get publicSteps(): readonly PublicStep[] {
    return (this.#publicSteps ??= readPublicSteps(this.#opened.names, this.#opened.tape));
  }

  /** The balances that the batch touched, as they stand after its row. */
  get balances(): readonly AccountBalance[] {
    const { balances } = this.#opened.batch;
    return (this.#balances ??= balances === undefined ? [] : unpackBalances(balances));
  }
}

/** Readers follow the log at slightly different places; this many batches are kept for the later ones. */
const KEPT = 64;

export type OpenBatch = (event: Pick<LoggedEvent, 'position' | 'payload'>) => Batch;

/** Opens batches of one process, each once while it is new. */
export function createBatchReader(): OpenBatch {
  const kept = new Map<number, Batch>();
  return (event) => {
    const known = kept.get(event.position);
    if (known !== undefined) return known;
    const batch = new Batch(event);
    kept.set(event.position, batch);
    if (kept.size > KEPT) kept.delete(kept.keys().next().value as number);
    return batch;
  };
}
