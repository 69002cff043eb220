// The engine's door, seen from outside: what can be asked, what comes back, and how both are written. A
// message holds many requests, one a line, and its answer as many lines in the same order.
import type { Balance, Depth, MarketView, Order, OrderRef, Outcome } from '@rialto/matching';
import type { ClientCommand } from './command.ts';
import type { SweepPage } from './sweeps.ts';

/** What can be read of the engine's memory, and what the answer is. */
export interface Reads {
  /** One order of the account, live or among the last finished; null when the engine knows none. */
  order: { query: { account: number } & OrderRef; answer: Order | null };
  /** Live orders, oldest first, in one market or in all: those with a greater id than `after`. */
  open: {
    query: { account: number; symbol?: string; after?: number; limit: number };
    answer: Order[];
  };
  /** In every listed coin. */
  balances: { query: { account: number }; answer: Balance[] };
  /** All of them, or the one with the symbol if there is such. */
  markets: { query: { symbol?: string }; answer: MarketView[] };
  /** The visible book, at most `limit` levels a side; null for an unknown market. */
  depth: { query: { symbol: string; limit: number }; answer: Depth | null };
  /**
   * What a sweep of the account has ended, without the first `after` orders; null when the engine that knew has
   * been replaced.
   */
  sweep: {
    query: { account: number; sweepId: number; after: number };
    answer: SweepPage | null;
  };
  /** How far the engine is. */
  head: { query: object; answer: { seq: number; engineSeq: number } };
}
export type ReadName = keyof Reads;

/**
 * How much one read may ask of the engine, which serves nobody else meanwhile: about a tenth of a millisecond. A
 * reader that wants more asks again from where it is.
 */
export const READ_PAGES = { open: 200, balances: 100, markets: 100, depth: 5000 } as const;

/** What is asked of the engine: for lists by place, where the page begins. */
export type ReadQueries = {
  [K in ReadName]: Reads[K]['query'] &
    (K extends 'balances' | 'markets' ? { from?: number } : object);
};

/** On whose behalf something is asked. It is signed beside the request, which must be about that account. */
export interface EngineCaller {
  readonly account: number;
  /** The trading key that signed the request; empty where none did. */
  readonly keyId: string;
}

export interface AskOptions {
  /** Whom the asking process has recognised. Without it, the account that the request itself names. */
  by?: EngineCaller;
}

export interface SubmitOptions extends AskOptions {
  /** When the engine takes the command later than this, it is refused and has had no effect. */
  deadlineMs?: number;
}

/** The engine as the rest of the venue sees it. Both calls fail with EngineFailure. */
export interface Engine {
  /** Resolves after the commit of the command; a refusal by the core is a result like any other. */
  submit(command: ClientCommand, options?: SubmitOptions): Promise<Outcome>;
  /** Resolves with what was true when the read was taken, after that is on disk. */
  read<K extends ReadName>(
    name: K,
    query: Reads[K]['query'],
    options?: AskOptions,
  ): Promise<Reads[K]['answer']>;
}

export type FailureKind =
  /** No engine, or more is waiting than it admits. Nothing was done. */
  | 'unavailable'
  /** The deadline had passed when the engine took the command. Nothing was done. */
  | 'late'
  /** No answer: whether it was done shows only in the journal. */
  | 'unknown'
  /** The core could not bear the command; it was not done, and its market is halted. */
  | 'fault'
  /** Not a thing to ask here: an operator's command, another account's, or no command at all. Nothing was done. */
  | 'refused';

export class EngineFailure extends Error {
  override name = 'EngineFailure';
  readonly kind: FailureKind;
  constructor(kind: FailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Requests in one message of the bus; each answer is about a kilobyte, and a message below a megabyte. */
export const REQUESTS_PER_MESSAGE = 200;

/**
 * Every leader serves a subject of its own, so that nobody asks one that was replaced. The name says what is
 * spoken there: an engine that does not know of signatures serves another one, and never sees these.
 */
export const doorSubject = (shard: number, epoch: number): string =>
  `engine.signed.${shard}.${epoch}`;
