// The pushes of one account at this process, in order and numbered. The numbers are those of the projector, which
// counts every push in the transaction of its row; so all processes agree, and a restart changes nothing.
import type pg from 'pg';
import { pause } from '../../../platform/std/wait.ts';
import type { Push } from '../../batches/pushes.ts';
import type { WalletEvent } from '../../custody/events.ts';
import { refuse } from '../../http/errors.ts';
import { readStreamStart, RESUME_EVENTS } from '../../projections/stream-places.ts';
import { NumberedPush } from './numbered.ts';

export interface StreamSource {
  readonly pool: Pick<pg.Pool, 'query'>;
  readonly shard: number;
  /** The projector may be resting; it does not while somebody waits for it. */
  wake(): void;
}

export interface Listener {
  take(push: NumberedPush): void;
  takeWallet(event: WalletEvent): void;
  /** Nothing more comes, because the log has a gap: the client has to come again. */
  lose(): void;
}

/** How long the projector may need to come to where this process is. */
const PATIENCE_MS = 5000;
const POLL_MS = 10;

export class AccountStream {
  readonly account: number;
  readonly #source: StreamSource;
  readonly #onEmpty: () => void;
  readonly #listeners = new Set<Listener>();
  /** Rows that came before the number was known. */
  #early: { readonly rowSeq: number; readonly pushes: readonly Push[] }[] = [];
  #earlyCount = 0;
  #seq: number | undefined;
  /** Of the last row that the number came with; later ones pass by here. */
  #baseEngineSeq = 0;
  #baseRowSeq = 0;
  #isLost = false;
  readonly #numbered: Promise<void>;

  /** `rowSeq` is the last row that this process had taken; undefined if none. */
  constructor(
    source: StreamSource,
    account: number,
    rowSeq: number | undefined,
    onEmpty: () => void,
  ) {
    this.#source = source;
    this.account = account;
    this.#onEmpty = onEmpty;
    this.#numbered = this.#number(rowSeq);
    // Whoever waits for it hears of a failure; nobody has to wait.
    this.#numbered.catch(() => {});
  }

  /** Resolves when the number is known. */
  ready(): Promise<void> {
    return this.#numbered;
  }

  /** The number of the last push; asked only when it is known. */
  get seq(): number {
    if (this.#seq === undefined) throw new Error('The stream is not numbered yet.');
    return this.#seq;
  }

  /** Pushes up to this engine event are counted, and none of them will come. */
  get baseEngineSeq(): number {
    return this.#baseEngineSeq;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** Somebody waits for what it has not counted yet. */
  wakeProjector(): void {
    this.#source.wake();
  }

  attach(listener: Listener): void {
    this.#listeners.add(listener);
  }

  detach(listener: Listener): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size === 0) this.#onEmpty();
  }

  /** The pushes of a row. */
  take(rowSeq: number, pushes: readonly Push[]): void {
    if (this.#seq !== undefined) {
      // The projector may have been ahead of us: the number includes rows that come only now.
      if (rowSeq > this.#baseRowSeq) this.#give(pushes);
      return;
    }
    this.#early.push({ rowSeq, pushes });
    this.#earlyCount += pushes.length;
    if (this.#earlyCount > RESUME_EVENTS) this.lose();
  }

  /** Not counted, so it need not wait for the number. */
  takeWallet(event: WalletEvent): void {
    for (const listener of this.#listeners) listener.takeWallet(event);
  }

  lose(): void {
    this.#isLost = true;
    this.#early = [];
    for (const listener of this.#listeners) listener.lose();
    this.#listeners.clear();
    this.#onEmpty();
  }

  #give(pushes: readonly Push[]): void {
    for (const push of pushes) {
      this.#seq = this.seq + 1;
      const numbered = new NumberedPush(this.#seq, push);
      for (const listener of this.#listeners) listener.take(numbered);
    }
  }

  /** Rows after the counted ones are ours to count; before we followed, none of them may have passed by. */
  async #number(rowSeq: number | undefined): Promise<void> {
    const untilMs = performance.now() + PATIENCE_MS;
    let wanted = rowSeq;
    for (;;) {
      const { pool, shard } = this.#source;
      const start = await readStreamStart(pool, shard, this.account);
      wanted ??= start.headSeq;
      if (start.rowSeq >= wanted) {
        const early = this.#early;
        this.#early = [];
        this.#seq = start.seq;
        this.#baseEngineSeq = start.engineSeq;
        this.#baseRowSeq = start.rowSeq;
        for (const row of early) this.take(row.rowSeq, row.pushes);
        return;
      }
      if (this.#isLost || performance.now() > untilMs) throw notReady();
      this.wakeProjector();
      await pause(POLL_MS);
    }
  }
}

export const notReady = () =>
  refuse(
    'UNAVAILABLE',
    'The history is not yet up to date with the engine. Nothing was done; try again in a second.',
    {},
    { 'Retry-After': '1' },
  );
