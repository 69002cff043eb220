// A small venue for tests: one market, three funded accounts. A test names only what it is about.
//
// btcusdt counts prices in ticks of 0.1 and volumes in lots of 0.01, so one tick times one lot is
// 10^15 units of the ledger.

import { apply, createState, listBalances } from '../src/index.ts';
import type {
  Command,
  CoreConfig,
  MarketConfig,
  Order,
  OrderTerms,
  Outcome,
  RejectionCode,
  Result,
  State,
  Step,
} from '../src/index.ts';

export const COIN = 10n ** 18n;
/** One tick times one lot, and one lot, in ledger units. */
export const TICK_LOT = 10n ** 15n;
export const LOT = 10n ** 16n;

export const exampleMarket: MarketConfig = {
  symbol: 'btcusdt',
  base: 'btc',
  quote: 'usdt',
  basePrecision: 2,
  quotePrecision: 1,
  minimumQuoteSize: 0n,
  maxMarketOrderAskLots: 1_000_000,
  maxMarketOrderBid: 1_000_000n * COIN,
  minimumVolumeLots: 1,
  maximumVolumeLots: 1_000_000,
  minimumPriceTicks: 1,
  maximumPriceTicks: 1_000_000,
  listingPriceTicks: 1_000,
  priceBandPpm: 500_000,
  marketSlippagePpm: 100_000,
  haltPpm: 0,
  haltMinutes: 2,
  defaultStpMode: 'expire_taker',
  maxOpenOrders: 100,
  maxConditionalOrders: 10,
  icebergParts: 10,
};

type Untimed = Command extends infer C ? (C extends Command ? Omit<C, 'time'> : never) : never;

export interface VenueOptions {
  market?: Partial<MarketConfig>;
  core?: Partial<CoreConfig>;
  makerPpm?: number;
  takerPpm?: number;
}

export class Venue {
  readonly state: State;
  time = 1_760_000_000_000;
  last: Outcome | undefined;
  /** All that was applied. */
  readonly commands: Command[] = [];

  constructor(options: VenueOptions = {}) {
    this.state = createState(options.core);
    const { makerPpm = 0, takerPpm = 0 } = options;
    this.do({ type: 'list_coin', coin: 'btc', networks: ['BTC'] });
    this.do({ type: 'list_coin', coin: 'usdt', networks: ['ETH', 'TRON'] });
    this.do({ type: 'define_fee_tier', tier: 0, makerPpm, takerPpm });
    this.do({ type: 'create_market', config: { ...exampleMarket, ...options.market } });
    this.do({ type: 'set_phase', symbol: 'btcusdt', phase: 'continuous' });
    for (const account of [1, 2, 3]) {
      this.do({ type: 'open_account', account, parent: account });
      for (const [coin, network] of [
        ['btc', 'BTC'],
        ['usdt', 'ETH'],
      ] as const) {
        const depositId = `${account}-${coin}`;
        const amount = 1_000_000n * COIN;
        this.do({ type: 'credit_deposit', depositId, network, coin, to: account, amount });
      }
    }
  }

  /** Applies a command at the venue's time. */
  do(command: Untimed): Outcome {
    const timed: Command = { ...command, time: this.time };
    this.commands.push(timed);
    this.last = apply(this.state, timed);
    return this.last;
  }

  /** Places with ticks and lots; gives the result. */
  place(account: number, terms: Partial<OrderTerms>, checkpoint = Infinity): Result {
    const order: OrderTerms = {
      symbol: 'btcusdt',
      side: 'buy',
      type: 'limit',
      priceDecimals: 1,
      volumeDecimals: 2,
      ...terms,
    };
    return this.do({ type: 'place', account, order, checkpoint }).result;
  }

  /** Places an order that must be accepted. */
  placed(account: number, terms: Partial<OrderTerms>): Order {
    const result = this.place(account, terms);
    if (result.kind !== 'placed') throw new Error(`not placed: ${describe(result)}`);
    return result.order;
  }

  buy(account: number, price: number, volume: number, more: Partial<OrderTerms> = {}): Order {
    return this.placed(account, { side: 'buy', price, volume, ...more });
  }
  sell(account: number, price: number, volume: number, more: Partial<OrderTerms> = {}): Order {
    return this.placed(account, { side: 'sell', price, volume, ...more });
  }

  /** The steps of the last command. */
  get steps(): Step[] {
    return this.last?.steps ?? [];
  }

  /** Available and held of a coin. */
  balance(account: number, coin: string): { available: bigint; hold: bigint } {
    const found = listBalances(this.state, account).find((b) => b.coin === coin);
    return { available: found?.available ?? 0n, hold: found?.hold ?? 0n };
  }
}

/** The code of a refusal, or the kind of any other result. */
export function describe(result: Result): RejectionCode | string {
  return result.kind === 'rejected' ? result.rejection.code : result.kind;
}
