// Which accounts the people who have a trading queue at this node may see. An account never changes its owner, so a set
// only grows: an account that is in it early has had no events yet.
import { ACCOUNT_OPENED, parseAccountOpened } from '../../accounts/trading-keys/events.ts';
import { listAccountIdsOf } from '../../accounts/trading-keys/access.ts';
import type { Db } from '../../platform/db/pool.ts';
import type { LoggedEvent } from '../../platform/events/event.ts';

const NONE: ReadonlySet<number> = new Set();

interface Viewer {
  readonly accounts: Set<number>;
  /** Resolves when the accounts have been read. */
  readonly read: Promise<void>;
}

export class SeenAccounts {
  readonly #db: Db;
  readonly #viewers = new Map<number, Viewer>();
  readonly #userOf = new Map<number, number>();

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * The set exists before the read begins. So what the read does not see is committed later, and `apply` adds it when
   * its event comes.
   */
  enter(userId: number): Promise<void> {
    let viewer = this.#viewers.get(userId);
    if (viewer === undefined) {
      const accounts = new Set<number>();
      viewer = { accounts, read: this.#read(userId, accounts) };
      this.#viewers.set(userId, viewer);
    }
    return viewer.read;
  }

  async #read(userId: number, accounts: Set<number>): Promise<void> {
    const isHere = () => this.#viewers.get(userId)?.accounts === accounts;
    try {
      const ids = await listAccountIdsOf(this.#db, [userId]);
      if (isHere()) for (const id of ids) this.#add(userId, accounts, Number(id));
    } catch (error) {
      // The next queue reads again.
      if (isHere()) this.leave(userId);
      throw error;
    }
  }

  leave(userId: number): void {
    for (const account of this.#viewers.get(userId)?.accounts ?? []) this.#userOf.delete(account);
    this.#viewers.delete(userId);
  }

  clear(): void {
    this.#viewers.clear();
    this.#userOf.clear();
  }

  apply(event: LoggedEvent): void {
    if (event.type !== ACCOUNT_OPENED || this.#viewers.size === 0) return;
    const { user_id, account_id } = parseAccountOpened(event.payload);
    const viewer = this.#viewers.get(user_id);
    if (viewer !== undefined) this.#add(user_id, viewer.accounts, account_id);
  }

  of(userId: number): ReadonlySet<number> {
    return this.#viewers.get(userId)?.accounts ?? NONE;
  }

  /** Who of those who entered may see one of these accounts, each once. */
  viewersOf(accounts: readonly number[]): Set<number> {
    const viewers = new Set<number>();
    for (const account of accounts) {
      const userId = this.#userOf.get(account);
      if (userId !== undefined) viewers.add(userId);
    }
    return viewers;
  }

  #add(userId: number, accounts: Set<number>, account: number): void {
    accounts.add(account);
    this.#userOf.set(account, userId);
  }
}
