// The names that a stretch of tape refers to, as text beside it. Each is serialised once in the
// life of a process: an account's index and id, and a market's coins, never change.
import { visitNames, type Directory, type NameSink, type Tape } from '@rialto/matching';

/** Names of one kind: which of them this stretch has used, and how each is written. */
class Kind {
  readonly #write: (index: number) => unknown;
  readonly #texts: string[] = [];
  readonly #usedIn: number[] = [];
  #stretch = 0;
  text = '';

  constructor(write: (index: number) => unknown) {
    this.#write = write;
  }

  begin(): void {
    this.#stretch += 1;
    this.text = '';
  }

  use(index: number): void {
    if (this.#usedIn[index] === this.#stretch) return;
    this.#usedIn[index] = this.#stretch;
    const text = (this.#texts[index] ??= JSON.stringify(this.#write(index)));
    this.text = this.text === '' ? text : `${this.text},${text}`;
  }
}

export class NameWriter implements NameSink {
  readonly #accounts: Kind;
  readonly #coins: Kind;
  readonly #markets: Kind;
  readonly #networks: Kind;

  constructor(directory: Directory) {
    this.#accounts = new Kind((index) => [index, directory.accounts[index]?.id]);
    this.#coins = new Kind((index) => [index, directory.coins[index]?.name]);
    this.#markets = new Kind((index) => {
      const config = directory.markets[index]?.config;
      return [index, config?.symbol, config?.base, config?.quote];
    });
    this.#networks = new Kind((index) => [index, directory.networks[index]]);
  }

  /** The JSON text of the `NameList` of a stretch. */
  write(tape: Tape, fromCell: number, untilCell: number): string {
    this.#accounts.begin();
    this.#coins.begin();
    this.#markets.begin();
    this.#networks.begin();
    visitNames(tape, fromCell, untilCell, this);
    return `{"accounts":[${this.#accounts.text}],"coins":[${this.#coins.text}],"markets":[${this.#markets.text}],"networks":[${this.#networks.text}]}`;
  }

  account(index: number): void {
    this.#accounts.use(index);
  }

  coin(index: number): void {
    this.#coins.use(index);
  }

  market(index: number): void {
    this.#markets.use(index);
  }

  network(index: number): void {
    this.#networks.use(index);
  }
}
