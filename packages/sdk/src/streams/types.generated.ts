// Generated from contracts/ by packages/sdk/generate. Do not edit; run: npm run gen
import type {
  Auction,
  Balance,
  BestPrice,
  Candle,
  Deposit,
  MyTrade,
  Order,
  PublicTrade,
  Status,
  Ticker,
  Withdrawal,
} from '../trading/types.generated.ts';

export interface DepthSnapshot {
    /** Market symbol. */
    readonly symbol: string;
    /** Grows by one with every change of the visible book, and never resets. */
    readonly updateId: string;
    /** Buy side, the highest price first. */
    readonly bids: readonly {
        /** Price, with the quote currency's precision. */
        readonly price: string;
        /** Visible volume at the price, with the base currency's precision. */
        readonly volume: string;
    }[];
    /** Sell side, the lowest price first. */
    readonly asks: readonly {
        /** Price, with the quote currency's precision. */
        readonly price: string;
        /** Visible volume at the price, with the base currency's precision. */
        readonly volume: string;
    }[];
    /** CRC-32 of the best 25 levels: price and volume of bid 1, ask 1, bid 2, ask 2 …, joined by colons. */
    readonly checksum: string;
}
export interface DepthUpdate {
    /** Market symbol. */
    readonly symbol: string;
    /** Update id of the push before; the differences lead from there. */
    readonly prevUpdateId: string;
    /** Grows by one with every change of the visible book, and never resets. */
    readonly updateId: string;
    /** Levels that changed; a volume of zero removes the level. */
    readonly bids: readonly {
        /** Price, with the quote currency's precision. */
        readonly price: string;
        /** Visible volume at the price, with the base currency's precision. */
        readonly volume: string;
    }[];
    /** Likewise. */
    readonly asks: readonly {
        /** Price, with the quote currency's precision. */
        readonly price: string;
        /** Visible volume at the price, with the base currency's precision. */
        readonly volume: string;
    }[];
    /** CRC-32 of the best 25 levels: price and volume of bid 1, ask 1, bid 2, ask 2 …, joined by colons. */
    readonly checksum: string;
}
export interface TopOfBook {
    /** Market symbol. */
    readonly symbol: string;
    /** Grows by one with every change of the visible book, and never resets. */
    readonly updateId: string;
    /** Buy side, the highest price first. */
    readonly bids: readonly {
        /** Price, with the quote currency's precision. */
        readonly price: string;
        /** Visible volume at the price, with the base currency's precision. */
        readonly volume: string;
    }[];
    /** Sell side, the lowest price first. */
    readonly asks: readonly {
        /** Price, with the quote currency's precision. */
        readonly price: string;
        /** Visible volume at the price, with the base currency's precision. */
        readonly volume: string;
    }[];
}
export interface MarketPhase {
    /** Market symbol. */
    readonly symbol: string;
    /**
     * Phase of the market.
     */
    readonly phase: "pre_open" | "auction" | "post_only" | "continuous" | "cancel_only" | "halted" | "delisted";
    /** When the phase ends by itself; empty if it does not. */
    readonly until: string;
    /** Why, in the words of the operator who decided it; empty if there is none. It may follow its phase a second later. */
    readonly reason: string;
}
export interface NetworkState {
    /** Coin symbol. */
    readonly coin: string;
    /** Network symbol. */
    readonly network: string;
    /**
     * Deposit status.
     */
    readonly depositStatus: "active" | "paused" | "disabled";
    /**
     * Withdrawal status.
     */
    readonly withdrawStatus: "active" | "paused" | "disabled";
}
export interface VenueStatus {
    readonly service: Status;
    /** Every listed market. */
    readonly markets: readonly MarketPhase[];
    /** Every network of every coin. */
    readonly networks: readonly NetworkState[];
}
export interface VenueStatusChange {
    readonly service?: Status;
    /** Those whose phase changed. */
    readonly markets: readonly MarketPhase[];
    /** Those whose state changed. */
    readonly networks: readonly NetworkState[];
}
export interface OrderPush {
    /** The venue’s id. */
    readonly orderId: string;
    /** The id that the caller gave; may be empty. */
    readonly clientOrderId: string;
    /** The list that it is a leg of; empty without one. */
    readonly orderListId: string;
    /** Market symbol. */
    readonly symbol: string;
    /**
     * Which side.
     */
    readonly side: "buy" | "sell";
    /**
     * The type that was asked for.
     */
    readonly type: "limit" | "market" | "stop_limit" | "stop_market" | "take_profit_limit" | "take_profit_market" | "trailing_stop";
    /**
     * Empty for market types.
     */
    readonly timeInForce: "GTC" | "IOC" | "FOK" | "GTD" | "";
    /** Whether it may only rest, never take. */
    readonly postOnly: boolean;
    /**
     * What happens instead of a trade with oneself.
     */
    readonly stpMode: "expire_taker" | "expire_maker" | "expire_both" | "decrement";
    /** Limit; empty for what is or becomes a market order. */
    readonly price: string;
    /** Trigger; of a trailing stop, the price from which it trails. Empty unless conditional. */
    readonly stopPrice: string;
    /** How far a trailing stop stays behind the best price, in basis points; empty for other types. */
    readonly trailingDelta: string;
    /** What was asked for; empty for a buy by total. */
    readonly volume: string;
    /** Quote amount asked for; empty unless a buy by total. */
    readonly total: string;
    /** Shown part of an iceberg; empty otherwise. */
    readonly visibleVolume: string;
    /** Traded so far. */
    readonly filledVolume: string;
    /** Still to trade; once final, what was not traded. */
    readonly remainingVolume: string;
    /** Taken off by self-trade prevention. */
    readonly preventedVolume: string;
    /** Sum of price times volume over the trades. */
    readonly filledTotal: string;
    /** filledTotal / filledVolume, rounded half up to four decimals more than a price has; empty before the first trade. */
    readonly averagePrice: string;
    /** Sum of the fees so far. Rebates are not in it; they stand in the ledger. */
    readonly fee: string;
    /** The coin that is received. */
    readonly feeCurrency: string;
    /**
     * The last four are final.
     */
    readonly status: "pending" | "open" | "partially_filled" | "filled" | "canceled" | "expired" | "rejected";
    /**
     * Why it ended; may be empty.
     */
    readonly statusReason: "" | "user" | "cancel_all" | "dead_man" | "disconnect" | "ioc_remainder" | "fok_unfilled" | "market_remainder" | "slippage_limit" | "gtd" | "post_only_cross" | "stp" | "market_closed" | "admin" | "amended_to_filled" | "list_sibling" | "insufficient_funds_at_trigger";
    /** Whether it stands in the book. An order that waits for its trigger, or for the entry of its bracket, does not. */
    readonly isWorking: boolean;
    /** When it was taken. */
    readonly createdAt: string;
    /** When it last changed. */
    readonly updatedAt: string;
    /** When it last traded; may be empty. */
    readonly lastTradeAt: string;
    /** When its condition was met; may be empty. */
    readonly triggeredAt: string;
    /** When it ends by itself; empty unless GTD. */
    readonly expireTime: string;
    /** The engine event that last changed it. */
    readonly engineSeq: string;
    /**
     * Among whose orders self-trades are kept out: 0, all of the account’s family.
     */
    readonly selfTradeGroup: "0";
    readonly lastFill?: MyTrade;
}
export interface AccountState {
    /** Account id. */
    readonly accountId: string;
    /** The account it belongs to; may be empty. */
    readonly parentAccountId: string;
    /** What the key that asks may do. */
    readonly permissions: readonly ("read" | "trade" | "transfer" | "withdraw")[];
    /** Fee tier; the whole family has the same. */
    readonly feeTier: string;
    /** When the tiers of all accounts were last computed from their volumes, which happens daily at 00:00 UTC; may be empty. */
    readonly feeTierComputedAt: string;
    /** Maker rate of the tier. */
    readonly makerFee: string;
    /** Taker rate of the tier. */
    readonly takerFee: string;
    /** Whether orders are taken from the account. */
    readonly canTrade: boolean;
    /** Whether deposits are credited. */
    readonly canDeposit: boolean;
    /** Whether withdrawals are taken. */
    readonly canWithdraw: boolean;
    /**
     * Among whose orders self-trades are kept out: those of the account, or those of the main account and all its sub-accounts.
     */
    readonly stpScope: "account" | "family";
    /** Until when withdrawals are frozen; may be empty. */
    readonly withdrawFreezeUntil: string;
    /** When the account was opened. */
    readonly createdAt: string;
    /** The own key, or the session. */
    readonly keyId: string;
    /** Markets of the key; empty: every market. */
    readonly markets: readonly string[];
}

/** What the public channels carry. */
export interface PublicChannels {
  [channel: `depth:${string}`]: { readonly snapshot: DepthSnapshot; readonly update: DepthUpdate };
  [channel: `depth_fast:${string}`]: { readonly snapshot: DepthSnapshot; readonly update: DepthUpdate };
  [channel: `book:${string}:${string}`]: { readonly snapshot: TopOfBook; readonly update: TopOfBook };
  [channel: `best:${string}`]: { readonly snapshot: BestPrice; readonly update: BestPrice };
  [channel: `trades:${string}`]: { readonly snapshot: readonly PublicTrade[]; readonly update: readonly PublicTrade[] };
  [channel: `ticker:${string}`]: { readonly snapshot: Ticker; readonly update: Ticker };
  tickers: { readonly snapshot: readonly Ticker[]; readonly update: readonly Ticker[] };
  [channel: `candles:${string}:${string}`]: { readonly snapshot: Candle; readonly update: Candle };
  status: { readonly snapshot: VenueStatus; readonly update: VenueStatusChange };
  [channel: `auction:${string}`]: { readonly snapshot: Auction; readonly update: Auction };
}

/** What the private channels carry. */
export interface PrivateChannels {
  orders: { readonly snapshot: readonly Order[]; readonly update: OrderPush };
  my_trades: { readonly snapshot: never; readonly update: MyTrade };
  balances: { readonly snapshot: readonly Balance[]; readonly update: readonly Balance[] };
  wallet: { readonly snapshot: readonly (Deposit | Withdrawal)[]; readonly update: Deposit | Withdrawal };
  account: { readonly snapshot: AccountState; readonly update: AccountState };
}
