// Commands that made the core throw. Each costs a recovery of the whole memory, so none of them is
// tried twice: it is recognised by its content, no matter who repeats it, also by the engine that leads
// next.
import { createHash } from 'node:crypto';
import { findOrder, type Command, type OrderRef, type State } from '@rialto/matching';
import type pg from 'pg';
import type { CommandIntake } from './queue.ts';
import { insertPoisoned, listPoisoned } from './operator-store.ts';

type Queryable = Pick<pg.ClientBase, 'query'>;

/** Only the newest are remembered. By then somebody has looked into the older ones. */
const REMEMBERED_MAX = 10_000;
/** An account with this many is blocked: it may be searching for them. */
const PER_ACCOUNT_MAX = 5;
const TEXT_MAX = 8000;

export class Poisons {
  readonly #shard: number;
  /** By type and account, so that all other commands cost almost nothing. */
  #hashes = new Map<string, Set<string>>();
  #perAccount = new Map<number, number>();

  constructor(shard: number) {
    this.#shard = shard;
  }

  /** What all engines of this shard have met. */
  async load(db: Queryable): Promise<void> {
    this.#hashes = new Map();
    this.#perAccount = new Map();
    for (const row of await listPoisoned(db, this.#shard, REMEMBERED_MAX)) {
      const command = JSON.parse(row.command) as Command;
      this.#remember(command, row.hash.toString('hex'), !row.isReleased);
    }
  }

  /**
   * An operator has looked into it: the account is accepted again. The commands that made the core
   * throw stay refused.
   */
  release(account: number): void {
    this.#perAccount.delete(account);
  }

  /**
   * Remembers it, in memory first: if the database does not take it, this process still knows it.
   */
  async add(db: Queryable, { command }: CommandIntake, cause: unknown): Promise<void> {
    const hash = identityOf(command);
    if (!this.#remember(command, hash.toString('hex'))) return;
    const text = canonical(command);
    await insertPoisoned(db, {
      shard: this.#shard,
      hash,
      // A text that is too long to keep is known by its hash; only type and account are needed of
      // it.
      command: text.length <= TEXT_MAX ? text : canonical(shortened(command)),
      error: String(cause).slice(0, TEXT_MAX),
    });
  }

  /** Why a command must not be tried, if so. */
  find(command: Command, origin: 'client' | 'row'): string | undefined {
    if (this.#hashes.size === 0) return undefined;
    if (this.#hashes.get(keyOf(command))?.has(identityOf(command).toString('hex')) === true) {
      return 'The engine could not carry out this very command before, and does not try it again.';
    }
    const count = origin === 'client' ? this.#perAccount.get(accountOf(command)) : undefined;
    if (count === undefined || count < PER_ACCOUNT_MAX) return undefined;
    return `The engine could not carry out ${count} commands of this account. It takes no more of it until an operator has looked into them (rialto admin account release).`;
  }

  /** False when it was known already. */
  #remember(command: Command, hash: string, isCounted = true): boolean {
    if (OWN.has(command.type)) return false;
    const key = keyOf(command);
    const ofKey = this.#hashes.get(key) ?? new Set();
    if (ofKey.has(hash)) return false;
    this.#hashes.set(key, ofKey.add(hash));
    const account = accountOf(command);
    if (account !== 0 && isCounted)
      this.#perAccount.set(account, (this.#perAccount.get(account) ?? 0) + 1);
    return true;
  }
}

/** The engine's own commands, without which it could not continue. */
const OWN: ReadonlySet<Command['type']> = new Set(['tick', 'sweep', 'upgrade'] as const);

/** What stays the same when a command is repeated: everything but its checkpoint. */
const identityOf = (command: Command): Buffer =>
  createHash('sha256').update(canonical(command)).digest();

const IGNORED: ReadonlySet<string> = new Set(['time', 'checkpoint', 'because']);

const canonical = (command: object): string =>
  JSON.stringify(command, (_key, value: unknown) => {
    if (typeof value === 'bigint') return value.toString();
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const names = Object.keys(value).filter((name) => !IGNORED.has(name));
    return Object.fromEntries(
      names.sort().map((name) => [name, (value as Record<string, unknown>)[name]]),
    );
  });

/** The account of a user; zero where there is none, or one of the venue's own. */
const accountOf = (command: Command): number =>
  'account' in command && typeof command.account === 'number' ? command.account : 0;
const keyOf = (command: Command): string => `${command.type} ${accountOf(command)}`;
const shortened = (command: Command): object => ({
  type: command.type,
  ...('account' in command ? { account: command.account } : {}),
});

/** The markets that a command affects: those it names, and those of the orders it names. */
export function marketsOf(state: State, command: Command): string[] {
  const named: (string | undefined)[] = [];
  const ofOrder = (ref: OrderRef) => findOrder(state, accountOf(command), ref)?.symbol;
  switch (command.type) {
    case 'place':
    case 'test':
      named.push(command.order.symbol);
      break;
    case 'place_batch':
      named.push(...command.orders.map(({ symbol }) => symbol));
      break;
    case 'place_list':
      named.push((command.list.kind === 'oco' ? command.list : command.list.entry).symbol);
      break;
    case 'replace':
      named.push(command.order.symbol, ofOrder(command));
      break;
    case 'cancel_batch':
      named.push(...command.orders.map(ofOrder));
      break;
    case 'cancel':
    case 'amend':
      named.push(ofOrder(command));
      break;
    case 'create_market':
    case 'configure_market':
      named.push(command.config.symbol);
      break;
    default:
      if ('symbol' in command) named.push(command.symbol);
  }
  return [...new Set(named.filter((symbol) => symbol !== undefined))];
}
