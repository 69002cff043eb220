// The balances that a batch touched, as they stand after it. They travel beside the tape, so that a process that
// shows them needs no state of its own. They are no part of the journal's digest: the tape already determines them.
import {
  BALANCE_CELLS,
  copyBalance,
  readBalance,
  visitBalances,
  type State,
  type Tape,
} from '@rialto/matching';
import { PackedCells, unpackCells } from './cells.ts';

/** An account's balance in one coin, in units of 10^-18. */
export interface AccountBalance {
  readonly account: number;
  readonly coin: string;
  readonly available: bigint;
  readonly hold: bigint;
  readonly pendingWithdraw: bigint;
}

/** Plain data, so that it can travel. */
export interface PackedBalances {
  readonly keys: readonly (readonly [account: number, coin: string])[];
  /** The packed cells of the balances, in the order of their keys, in base64. */
  readonly cells: string;
}

/** More coins than a venue lists; an account's index times this leaves the coin's index room. */
const COINS_MAX = 1 << 16;

export class BalanceWriter {
  readonly #state: State;
  readonly #packed = new PackedCells();
  #cells = new Float64Array(BALANCE_CELLS * 64);

  constructor(state: State) {
    this.#state = state;
  }

  /** The JSON text of the balances that the stretch touched, each once. */
  write(tape: Tape, fromCell: number, untilCell: number): string {
    const { accounts, coins } = this.#state;
    const touched = new Set<number>();
    visitBalances(this.#state, tape, fromCell, untilCell, (account, coin) =>
      touched.add(account * COINS_MAX + coin),
    );
    if (touched.size * BALANCE_CELLS > this.#cells.length) {
      this.#cells = new Float64Array(touched.size * BALANCE_CELLS * 2);
    }
    let keys = '';
    let at = 0;
    for (const key of touched) {
      const coin = key % COINS_MAX;
      const account = (key - coin) / COINS_MAX;
      keys += `${at === 0 ? '' : ','}[${accounts[account]?.id},"${coins[coin]?.name}"]`;
      copyBalance(this.#state, account, coin, this.#cells, at);
      at += BALANCE_CELLS;
    }
    this.#packed.length = 0;
    this.#packed.pack(new Uint32Array(this.#cells.buffer), 0, at);
    return `{"keys":[${keys}],"cells":"${this.#packed.toText()}"}`;
  }
}

export function unpackBalances({ keys, cells }: PackedBalances): AccountBalance[] {
  const words = unpackCells(Buffer.from(cells, 'base64'));
  const f64 = new Float64Array(words.buffer);
  return keys.map(([account, coin], index) => ({
    account,
    coin,
    ...readBalance(f64, index * BALANCE_CELLS),
  }));
}
