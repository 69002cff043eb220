// The engine's interface: what can be asked, what comes back, and how both are written. A message
// holds many requests, one per line, and its answer as many lines in the same order.
import type { Balance, Depth, MarketView, Order, OrderRef, Outcome } from '@rialto/matching';
import type { ClientCommand } from './command.ts';
import type { SweepPage } from './sweeps.ts';

/** What can be read from the engine's memory, and the type of each answer. */
export interface Reads {
  /** One order of the account, live or among the last finished; null when the engine knows none. */
  order: { query: { account: number } & OrderRef; answer: Order | null };
  /** The legs of a list of the account that the engine remembers, by position; the others ended long ago. */
  list: { query: { account: number; orderListId: number }; answer: Order[] };
  /** Live orders, oldest first, in one market or in all: those with a greater id than `after`. */
  open: {
    query: { account: number; symbol?: string; after?: number; limit: number };
    answer: Order[];
  };
  /** In every listed coin. */
  balances: { query: { account: number }; answer: Balance[] };
  /** All of them, or the one with the symbol if it exists. */
  markets: { query: { symbol?: string }; answer: MarketView[] };
  /** The visible book, at most `limit` levels a side; null for an unknown market. */
  depth: { query: { symbol: string; limit: number }; answer: Depth | null };
  /**
   * The orders that a sweep of the account has ended, without the first `after`; null when the
   * engine that knew has been replaced.
   */
  sweep: {
    query: { account: number; sweepId: number; after: number };
    answer: SweepPage | null;
  };
  /**
   * The engine's position. What the engine does not remember had finished by the event `rememberedFrom`; an engine of
   * an older release does not say it.
   */
  head: { query: object; answer: { seq: number; engineSeq: number; rememberedFrom?: number } };
}
export type ReadName = keyof Reads;

/**
 * How much one read may ask of the engine, which answers nothing else meanwhile: about a tenth of a
 * millisecond. A reader that wants more asks again from there.
 */
export const READ_PAGES = { open: 200, balances: 100, markets: 100, depth: 5000 } as const;

/** What is asked of the engine: for paged lists, where the page begins. */
export type ReadQueries = {
  [K in ReadName]: Reads[K]['query'] &
    (K extends 'balances' | 'markets' ? { from?: number } : object);
};

/**
 * On whose behalf something is asked. It is signed with the request, which must be about that
 * account.
 */
export interface EngineCaller {
  readonly account: number;
  /** The trading key that signed the request, or the browser's session; empty where there was neither. */
  readonly keyId: string;
}

export interface AskOptions {
  /**
   * The account that the calling process has authenticated. Without it, the account that the
   * request itself names.
   */
  by?: EngineCaller;
}

export interface SubmitOptions extends AskOptions {
  /** If the engine takes the command later than this, it is refused and has no effect. */
  deadlineMs?: number;
}

/** The engine as the rest of the venue sees it. Both calls fail with EngineFailure. */
export interface Engine {
  /** Resolves after the commit of the command; a refusal by the core is a result like any other. */
  submit(command: ClientCommand, options?: SubmitOptions): Promise<Outcome>;
  /** Resolves with the state at the time of the read, after that state is on disk. */
  read<K extends ReadName>(
    name: K,
    query: Reads[K]['query'],
    options?: AskOptions,
  ): Promise<Reads[K]['answer']>;
}

/** Why a new order is refused although the engine has room. */
export const TABLES_BEHIND =
  'The tables of orders and trades are behind the engine, so it takes fewer new orders until they have followed. Nothing was done; try again in a second. Cancels are taken.';

export type FailureKind =
  /** No engine, or more is waiting than it admits. Nothing was done. */
  | 'unavailable'
  /** The deadline had passed when the engine took the command. Nothing was done. */
  | 'late'
  /** No answer: whether it was done shows only in the journal. */
  | 'unknown'
  /** The core threw on the command; it was not done, and its market is halted. */
  | 'fault'
  /**
   * Not allowed here: an operator's command, another account's, or no valid command. Nothing was
   * done.
   */
  | 'refused';

export class EngineFailure extends Error {
  override name = 'EngineFailure';
  readonly kind: FailureKind;
  constructor(kind: FailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/**
 * Requests in one bus message; each answer is about a kilobyte, and a message stays below a
 * megabyte.
 */
export const REQUESTS_PER_MESSAGE = 200;

/**
 * Every leader serves its own subject, so that nobody asks one that was replaced. The name includes
 * the protocol: an engine without signatures serves another subject, and never sees these messages.
 */
export const doorSubject = (shard: number, epoch: number): string =>
  `engine.signed.${shard}.${epoch}`;
