// What one batch of the engine means to queues: pure. The events of an account are made once, however many queues get
// them, and the order of types is the order in which their events come.
import type { Batch } from '../../trading/batches/batch.ts';
import { BatchPrinter, type PrintedChanges } from '../../trading/batches/printing.ts';
import type { WalletEvent } from '../../trading/custody/events.ts';
import { ELEMENTS_MAX, type TradingEvent, type TradingEventType } from './events.ts';

type AccountEventType = Exclude<TradingEventType, 'market' | WalletEvent['type']>;

interface Place {
  readonly accountId: string;
  readonly engineSeq: string;
}

/** In the order of their events. A later type that comes of batches is a line here. */
const OF_ACCOUNT: {
  readonly [T in AccountEventType]: (changes: PrintedChanges, place: Place) => TradingEvent[];
} = {
  order: ({ orders }, place) =>
    inEvents(orders, (some) => ({ type: 'order', op: 'update', ...place, orders: some })),
  trade: ({ trades }, place) =>
    inEvents(trades, (some) => ({ type: 'trade', op: 'add', ...place, trades: some })),
  balance: ({ balances }, place) =>
    inEvents(balances, (some) => ({ type: 'balance', op: 'update', ...place, balances: some })),
};
const ACCOUNT_TYPES = Object.keys(OF_ACCOUNT) as AccountEventType[];

function inEvents<T>(elements: readonly T[], toEvent: (some: T[]) => TradingEvent): TradingEvent[] {
  const events: TradingEvent[] = [];
  for (let from = 0; from < elements.length; from += ELEMENTS_MAX) {
    events.push(toEvent(elements.slice(from, from + ELEMENTS_MAX)));
  }
  return events;
}

type Texts = Readonly<Record<AccountEventType, readonly string[]>>;

export class Expansion {
  readonly #batch: Batch;
  #printer: BatchPrinter | undefined;
  #markets: readonly string[] | undefined;
  readonly #texts = new Map<number, Texts>();

  constructor(batch: Batch) {
    this.#batch = batch;
  }

  /** Whether it has news of markets, which are for everybody. */
  get isPublic(): boolean {
    return this.#marketTexts().length > 0;
  }

  /**
   * The texts for a reader of these types and accounts: first of markets, then by account, each in the order of the
   * types. Accounts that the batch does not name cost nothing.
   */
  textsFor(types: ReadonlySet<string>, accounts: ReadonlySet<number>): string[] {
    const texts: string[] = types.has('market') ? [...this.#marketTexts()] : [];
    const wanted = ACCOUNT_TYPES.filter((type) => types.has(type));
    if (wanted.length === 0) return texts;
    const own = this.#batch.accounts.filter((account) => accounts.has(account));
    for (const account of own.sort((a, b) => a - b)) {
      const made = this.#textsOf(account);
      for (const type of wanted) texts.push(...made[type]);
    }
    return texts;
  }

  #marketTexts(): readonly string[] {
    if (this.#markets !== undefined) return this.#markets;
    const engineSeq = String(this.#batch.engineSeq);
    const events = this.#batch.phases.map(({ symbol, phase, until }): TradingEvent => ({
      type: 'market',
      op: 'phase',
      symbol,
      phase,
      until: until === 0 ? '' : String(until),
      engineSeq,
    }));
    return (this.#markets = events.map((event) => JSON.stringify(event)));
  }

  #textsOf(account: number): Texts {
    let texts = this.#texts.get(account);
    if (texts === undefined) {
      this.#printer ??= new BatchPrinter(this.#batch);
      const changes = this.#printer.print(account);
      const place = { accountId: String(account), engineSeq: String(this.#batch.engineSeq) };
      const made = ACCOUNT_TYPES.map((type) => [
        type,
        OF_ACCOUNT[type](changes, place).map((event) => JSON.stringify(event)),
      ]);
      this.#texts.set(account, (texts = Object.fromEntries(made) as Texts));
    }
    return texts;
  }
}
