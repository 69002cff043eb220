// Generated from contracts/ by packages/sdk/generate. Do not edit; run: npm run gen
export interface Market {
    /** Market symbol: lower-case base symbol followed by quote symbol. */
    readonly symbol: string;
    /** Base currency symbol. */
    readonly base: string;
    /** Quote currency symbol. */
    readonly quote: string;
    /** Decimal places of the base currency; the volume step follows from it. */
    readonly basePrecision: string;
    /** Decimal places of the quote currency; the price step follows from it. */
    readonly quotePrecision: string;
    /** Minimum total order value, in quote units. */
    readonly minimumQuoteSize: string;
    /** Maximum size of a market sell order, in base units. */
    readonly maxMarketOrderAsk: string;
    /** Maximum size of a market buy order, in quote units. */
    readonly maxMarketOrderBid: string;
    /** Whether the market admits new orders. */
    readonly isActive: boolean;
}
export interface Coin {
    /** Coin symbol. */
    readonly symbol: string;
    /** Name in English. */
    readonly nameEn: string;
    /** Name in Persian. */
    readonly nameFa: string;
    /** Map from network symbol to Network; empty for a coin that is on no network. */
    readonly networks: {
        readonly [key: string]: Network;
    };
}
export interface Network {
    /** Network symbol. */
    readonly NetworkSymbol: string;
    /** Network name in English. */
    readonly NetworkNameEn: string;
    /** Network name in Persian. */
    readonly NetworkNameFa: string;
    /** Whether this is the coin's default network. */
    readonly isDefault: boolean;
    /** Token name on the network; empty for the network's own coin. */
    readonly tokenNameOnNetwork: string;
    /** Token symbol on the network. */
    readonly tokenSymbolOnNetwork: string;
    /** Block-explorer URL of an address, with the placeholder {address}. */
    readonly addressUrl: string;
    /** Explorer URL of the contract address; may be empty. */
    readonly contractAddressUrl: string;
    /** Block-explorer URL of a transaction, with the placeholder {txid}. */
    readonly transactionUrl: string;
    /** Contract address; may be empty. */
    readonly contractAddress: string;
    /** Whether transfers need a memo or tag. */
    readonly memoRequired: boolean;
    /** Regular expression for the memo; may be empty. */
    readonly memoRegex: string;
    /** Regular expression that valid addresses match. */
    readonly addressRegex: string;
    /** Token decimals. */
    readonly tokenDecimal: string;
    /** Deposit fee. */
    readonly depositFee: string;
    /** Withdrawal fee, flat per withdrawal. */
    readonly withdrawFee: string;
    /** Deposit status. */
    readonly depositStatus: "active" | "paused" | "disabled";
    /** Withdrawal status. */
    readonly withdrawStatus: "active" | "paused" | "disabled";
    /** Minimum deposit. */
    readonly minimumDeposit: string;
    /** Minimum withdrawal. */
    readonly minimumWithdraw: string;
    /** Confirmations that a deposit needs. */
    readonly DepositConfirmationCount: string;
    /** Decimal places of withdrawals. */
    readonly withdrawPrecision: string;
}
export interface OrderBook {
    /** Market symbol. */
    readonly symbol: string;
    readonly orderbook: {
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
    };
}
export interface MarketDetail {
    /** Market symbol: lower-case base symbol followed by quote symbol. */
    readonly symbol: string;
    /** Base currency symbol. */
    readonly base: string;
    /** Quote currency symbol. */
    readonly quote: string;
    /** Decimal places of the base currency; the volume step follows from it. */
    readonly basePrecision: string;
    /** Decimal places of the quote currency; the price step follows from it. */
    readonly quotePrecision: string;
    /** Minimum total order value, in quote units. */
    readonly minimumQuoteSize: string;
    /** Maximum size of a market sell order, in base units. */
    readonly maxMarketOrderAsk: string;
    /** Maximum size of a market buy order, in quote units. */
    readonly maxMarketOrderBid: string;
    /** Whether the market admits new orders. */
    readonly isActive: boolean;
    /**
     * Phase of the market.
     */
    readonly phase: "pre_open" | "auction" | "post_only" | "continuous" | "cancel_only" | "halted" | "delisted";
    /** Why the market is halted, takes cancellations only or posts only, in the words of the operator who decided it; otherwise empty. */
    readonly phaseReason: string;
    /** Step of a price. */
    readonly priceStep: string;
    /** Step of a volume. */
    readonly volumeStep: string;
    /** Smallest volume of an order. */
    readonly minimumVolume: string;
    /** Largest volume of an order. */
    readonly maximumVolume: string;
    /** Lowest price of an order. */
    readonly minimumPrice: string;
    /** Highest price of an order. */
    readonly maximumPrice: string;
    /** How far a limit price may lie beyond the reference price. */
    readonly priceBandPercent: string;
    /** How far a market order may walk from the reference price. */
    readonly marketSlippagePercent: string;
    /** Last trade; before the first, the mid price, else (and in an auction) the listing price. */
    readonly referencePrice: string;
    /** Maker rate of the first tier. */
    readonly makerFee: string;
    /** Taker rate of the first tier. */
    readonly takerFee: string;
    /** Kinds of order that are taken. */
    readonly orderTypes: readonly ("limit" | "market" | "stop_limit" | "stop_market" | "take_profit_limit" | "take_profit_market" | "trailing_stop")[];
    /** Times in force that are taken. */
    readonly timeInForce: readonly ("GTC" | "IOC" | "FOK" | "GTD")[];
    /** Ways to keep an account from trading with itself. */
    readonly stpModes: readonly ("expire_taker" | "expire_maker" | "expire_both" | "decrement")[];
    /**
     * The one that is taken when an order names none.
     */
    readonly defaultStpMode: "expire_taker" | "expire_maker" | "expire_both" | "decrement";
    /** Open orders that an account may have here. */
    readonly maxOpenOrders: string;
    /** Waiting conditional orders that an account may have here. */
    readonly maxConditionalOrders: string;
    /** Into how many parts an iceberg order may be cut. */
    readonly icebergParts: string;
    /** When the market was made. */
    readonly createdAt: string;
}
export interface Depth {
    /** Market symbol. */
    readonly symbol: string;
    /** Grows by one with every change of the visible book, and never resets. */
    readonly updateId: string;
    /** When the book last changed. */
    readonly time: string;
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
export interface Auction {
    /** Market symbol. */
    readonly symbol: string;
    /**
     * Phase of the market. The figures below are empty unless it is `auction`.
     */
    readonly phase: "pre_open" | "auction" | "post_only" | "continuous" | "cancel_only" | "halted" | "delisted";
    /** When the auction ends by itself; empty if an operator ends it. */
    readonly until: string;
    /** At which the visible book would trade now; empty if nothing meets. */
    readonly indicativePrice: string;
    /** How much of the visible book would trade. */
    readonly indicativeVolume: string;
    /** What would be left over at that price. */
    readonly imbalance: string;
    /**
     * On which side; empty if nothing is left over.
     */
    readonly imbalanceSide: "buy" | "sell" | "";
    /** Of several prices as good, the nearest to this one is taken. */
    readonly referencePrice: string;
    /** Update id of the book that the figures are computed from. */
    readonly updateId: string;
}
export interface PublicTrade {
    /** Trade id; grows with time. */
    readonly tradeId: string;
    /** Price. */
    readonly price: string;
    /** Volume, in the base currency. */
    readonly volume: string;
    /** Price times volume, in the quote currency. */
    readonly total: string;
    /**
     * Side of the order that took.
     */
    readonly takerSide: "buy" | "sell";
    /** When it happened. */
    readonly time: string;
}
export interface Ticker {
    /** Market symbol. */
    readonly symbol: string;
    /** When the statistics were taken. */
    readonly time: string;
    /** When the 24 hours begin. */
    readonly openTime: string;
    /** First price of the 24 hours; empty before the first trade, like all prices. */
    readonly open: string;
    /** Highest price. */
    readonly high: string;
    /** Lowest price. */
    readonly low: string;
    /** Price of the last trade. */
    readonly last: string;
    /** Last price before the 24 hours; empty when there was none. */
    readonly previousClose: string;
    /** last − open. */
    readonly change: string;
    /** The same in percent of open. */
    readonly changePercent: string;
    /** Average price by volume; empty without trades in the 24 hours. */
    readonly vwap: string;
    /** Traded volume, in the base currency. */
    readonly volume: string;
    /** Traded value, in the quote currency. */
    readonly total: string;
    /** Number of trades. */
    readonly tradeCount: string;
    /** Best bid; empty on an empty side. */
    readonly bidPrice: string;
    /** Volume there. */
    readonly bidVolume: string;
    /** Best ask; empty on an empty side. */
    readonly askPrice: string;
    /** Volume there. */
    readonly askVolume: string;
}
export interface LastPrice {
    /** Market symbol. */
    readonly symbol: string;
    /** Price of the last trade; empty before the first. */
    readonly price: string;
    /** When it was made; empty before the first. */
    readonly time: string;
}
export interface BestPrice {
    /** Market symbol. */
    readonly symbol: string;
    /** Best bid; empty on an empty side. */
    readonly bidPrice: string;
    /** Volume there. */
    readonly bidVolume: string;
    /** Best ask; empty on an empty side. */
    readonly askPrice: string;
    /** Volume there. */
    readonly askVolume: string;
    /** Update id of the book. */
    readonly updateId: string;
}
export interface Candle {
    /** When the interval begins. */
    readonly time: string;
    /** Price of the first trade; without trades, the close before. */
    readonly open: string;
    /** Highest price. */
    readonly high: string;
    /** Lowest price. */
    readonly low: string;
    /** Price of the last trade. */
    readonly close: string;
    /** Traded volume, in the base currency. */
    readonly volume: string;
    /** Traded value, in the quote currency. */
    readonly total: string;
    /** Number of trades. */
    readonly tradeCount: string;
    /** Whether the interval is over. */
    readonly isClosed: boolean;
}
export interface NetworkHealth {
    /** Network symbol. */
    readonly network: string;
    /**
     * Whether what comes in is credited.
     */
    readonly depositStatus: "active" | "paused";
    /**
     * Whether what goes out is sent.
     */
    readonly withdrawStatus: "active" | "paused";
    /** Why it is paused: node_down, stale, wrong_chain, nodes_disagree, reorganised or reorganised_too_deep; operators: they have paused it; empty when it is not. */
    readonly reason: string;
    /** Blocks that were not read yet. */
    readonly lagBlocks: string;
    /** When the chain was last seen to grow. */
    readonly tipAt: string;
}
export interface Status {
    /**
     * ok; degraded when history is late; unavailable when no order is taken.
     */
    readonly status: "ok" | "degraded" | "unavailable";
    /** When this was looked at. */
    readonly updatedAt: string;
    /** When announced maintenance ends; empty when none is announced. */
    readonly eta: string;
    /**
     * Whether the matching engine answers.
     */
    readonly engine: "ok" | "unavailable";
    /** Batches of the engine that history does not show yet. */
    readonly historyLag: string;
    /**
     * Simulated: nothing here has any worth.
     */
    readonly money: "real" | "simulated";
    /** The networks whose coins the venue takes, as their nodes show them. */
    readonly networks: readonly NetworkHealth[];
}
export interface FeeTier {
    /** The tier, from 0. */
    readonly tier: string;
    /** The 30-day volume from which it applies. */
    readonly minVolume30d: string;
    /** Part of the received amount that a resting order pays; below zero a rebate. */
    readonly makerFee: string;
    /** Part of the received amount that a taking order pays. */
    readonly takerFee: string;
}
export interface AccountInfo {
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
    /** What the family traded today and on the 29 days before (UTC), in markets quoted in the coin that counts for fees. */
    readonly volume30d: string;
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
}
export interface Balance {
    /** Coin symbol. */
    readonly coin: string;
    /** Free to be used. */
    readonly available: string;
    /** Held for open orders. */
    readonly hold: string;
    /** Seen on its network but not confirmed; outside the total. */
    readonly pendingDeposit: string;
    /** On its way out. */
    readonly pendingWithdraw: string;
    /** available + hold + pendingWithdraw. */
    readonly total: string;
    /** When it last changed; empty when it never did. */
    readonly updatedAt: string;
}
export interface AccountFee {
    /** Market symbol. */
    readonly symbol: string;
    /** Maker rate. */
    readonly makerFee: string;
    /** Taker rate. */
    readonly takerFee: string;
    /**
     * Fees are taken from what is received.
     */
    readonly feeSide: "received";
    /** Fee tier. */
    readonly tier: string;
}
export interface RateLimit {
    /** What is counted: the client address, or the account over all its keys. */
    readonly scope: "address" | "account";
    /** Requests admitted in one window. */
    readonly limit: string;
    /** Length of the sliding window. */
    readonly windowMs: string;
    /** Requests in the window that ends now, this one included. */
    readonly used: string;
    /** Requests that would still be admitted now. */
    readonly remaining: string;
    /** When one more slot frees. */
    readonly resetAt: string;
}
export interface LedgerEntry {
    /** Grows with every entry. */
    readonly entryId: string;
    /** Coin symbol. */
    readonly coin: string;
    /**
     * What it was.
     */
    readonly kind: "deposit" | "withdrawal" | "withdrawal_fee" | "trade" | "trade_fee" | "transfer" | "rebate" | "adjustment";
    /**
     * Whether the total grew.
     */
    readonly direction: "in" | "out";
    /** By how much; never below zero. */
    readonly amount: string;
    /** Total of the account in the coin before. */
    readonly balanceBefore: string;
    /** And after. */
    readonly balanceAfter: string;
    /** What it refers to. */
    readonly referenceType: string;
    /** The id of that. */
    readonly referenceId: string;
    /**
     * Always 0: fees are entries of their own.
     */
    readonly fee: "0";
    /** When it happened. */
    readonly time: string;
}
export interface Statement {
    /** Account id. */
    readonly accountId: string;
    /** Beginning of the stretch, inclusive. */
    readonly from: string;
    /** Its end, exclusive. */
    readonly to: string;
    /** The time zone of `localTime`. */
    readonly timezone: string;
    /** What there was at the beginning, per coin. */
    readonly opening: readonly {
        /** Coin symbol. */
        readonly coin: string;
        /** Total of the account in the coin. */
        readonly total: string;
    }[];
    /** Everything that changed a total, in order. */
    readonly entries: readonly {
        /** Grows with every entry. */
        readonly entryId: string;
        /** Coin symbol. */
        readonly coin: string;
        /**
         * What it was.
         */
        readonly kind: "deposit" | "withdrawal" | "withdrawal_fee" | "trade" | "trade_fee" | "transfer" | "rebate" | "adjustment";
        /**
         * Whether the total grew.
         */
        readonly direction: "in" | "out";
        /** By how much; never below zero. */
        readonly amount: string;
        /** Total of the account in the coin before. */
        readonly balanceBefore: string;
        /** And after. */
        readonly balanceAfter: string;
        /** What it refers to. */
        readonly referenceType: string;
        /** The id of that. */
        readonly referenceId: string;
        /**
         * Always 0: fees are entries of their own.
         */
        readonly fee: "0";
        /** When it happened. */
        readonly time: string;
        /** The same time in the time zone. */
        readonly localTime: string;
    }[];
    /** What there was at the end, per coin: the opening and all entries. */
    readonly closing: readonly {
        /** Coin symbol. */
        readonly coin: string;
        /** Total of the account in the coin. */
        readonly total: string;
    }[];
}
export interface SubAccount {
    /** Account id. */
    readonly accountId: string;
    /** The main account that it belongs to. */
    readonly parentAccountId: string;
    /** What its owner calls it. */
    readonly label: string;
    /** Fee tier; the whole family has the same. */
    readonly feeTier: string;
    /** Whether orders are taken from the account. */
    readonly canTrade: boolean;
    /** When it was opened. */
    readonly createdAt: string;
    /** When it was closed; may be empty. */
    readonly closedAt: string;
}
export interface Transfer {
    /** The venue’s id; `referenceId` of its two ledger entries. */
    readonly transferId: string;
    /** Your id. */
    readonly clientTransferId: string;
    /** The account that gave. */
    readonly fromAccountId: string;
    /** The account that got. */
    readonly toAccountId: string;
    /** Coin symbol. */
    readonly coin: string;
    /** How much. */
    readonly amount: string;
    /**
     * Whether the engine has made it.
     */
    readonly status: "pending" | "completed";
    /** When it was asked for. */
    readonly createdAt: string;
    /** When it was made; empty until then. */
    readonly completedAt: string;
}
export interface ApiKey {
    /** The name of the key, which requests send. */
    readonly keyId: string;
    /** The account that the key acts for. */
    readonly accountId: string;
    /** Its owner's name for it. */
    readonly label: string;
    /**
     * `hmac`: the venue makes a secret and shows it once. `ed25519`: you keep your private key, and give the public one.
     */
    readonly type: "hmac" | "ed25519";
    /** Of an Ed25519 key; empty for others. */
    readonly publicKey: string;
    readonly permissions: readonly ("read" | "trade" | "transfer" | "withdraw")[];
    /** Networks; empty: from everywhere. */
    readonly ipAllowlist: readonly string[];
    /** Symbols; empty: in all. */
    readonly markets: readonly string[];
    /** When it was made. */
    readonly createdAt: string;
    /** When it ends; empty if never. */
    readonly expireTime: string;
    /** When it was last used, ten seconds late at most; empty if never. */
    readonly lastUsedAt: string;
    /** Whether only signatures of version 2 are taken. */
    readonly requireBoundSignature: boolean;
    /** A disabled key is refused like an unknown one. */
    readonly isEnabled: boolean;
    /** The key that takes its place; empty if none does. */
    readonly replacedBy: string;
}
export interface NewApiKey {
    /** The name of the key, which requests send. */
    readonly keyId: string;
    /** The account that the key acts for. */
    readonly accountId: string;
    /** Its owner's name for it. */
    readonly label: string;
    /**
     * `hmac`: the venue makes a secret and shows it once. `ed25519`: you keep your private key, and give the public one.
     */
    readonly type: "hmac" | "ed25519";
    /** Of an Ed25519 key; empty for others. */
    readonly publicKey: string;
    readonly permissions: readonly ("read" | "trade" | "transfer" | "withdraw")[];
    /** Networks; empty: from everywhere. */
    readonly ipAllowlist: readonly string[];
    /** Symbols; empty: in all. */
    readonly markets: readonly string[];
    /** When it was made. */
    readonly createdAt: string;
    /** When it ends; empty if never. */
    readonly expireTime: string;
    /** When it was last used, ten seconds late at most; empty if never. */
    readonly lastUsedAt: string;
    /** Whether only signatures of version 2 are taken. */
    readonly requireBoundSignature: boolean;
    /** A disabled key is refused like an unknown one. */
    readonly isEnabled: boolean;
    /** The key that takes its place; empty if none does. */
    readonly replacedBy: string;
    /** The secret, shown only now; empty for an Ed25519 key. */
    readonly secret: string;
}
export interface MyTrade {
    /** The venue’s id. */
    readonly tradeId: string;
    /** The account’s order. */
    readonly orderId: string;
    /** Its id of the caller’s; may be empty. */
    readonly clientOrderId: string;
    /** Market symbol. */
    readonly symbol: string;
    /**
     * The account’s side.
     */
    readonly side: "buy" | "sell";
    /** Type of the order. */
    readonly orderType: string;
    /** Price of the trade. */
    readonly price: string;
    /** Volume of the trade. */
    readonly volume: string;
    /** Price times volume, in the quote coin. */
    readonly total: string;
    /** Fee of this side; below zero a rebate. */
    readonly fee: string;
    /** Coin of the fee. */
    readonly feeCurrency: string;
    /** Rate that was applied; below zero a rebate. */
    readonly feeRate: string;
    /** Whether the account’s order was the resting one. */
    readonly isMaker: boolean;
    /** When it happened. */
    readonly time: string;
    /** The engine event it was part of. */
    readonly engineSeq: string;
}
export interface Order {
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
}
export interface OrderWithTrades {
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
    /** Its trades, oldest first. */
    readonly trades: readonly MyTrade[];
}
export interface OrderAck {
    /** The venue’s id. */
    readonly orderId: string;
    /** The id that the caller gave; may be empty. */
    readonly clientOrderId: string;
    /** Market symbol. */
    readonly symbol: string;
    /** When it was taken. */
    readonly createdAt: string;
    /** The engine event that last changed it. */
    readonly engineSeq: string;
}
export interface AmendedOrder {
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
    /** Whether it kept its place in the queue. */
    readonly keptPriority: boolean;
}
export interface TestedOrder {
    /**
     * What would be refused answers the error.
     */
    readonly accepted: true;
    /** What it would take from the book now, best first. */
    readonly estimatedFills: readonly {
        /** Price of a level. */
        readonly price: string;
        /** Taken there. */
        readonly volume: string;
    }[];
    /** Fee of those fills. */
    readonly estimatedFee: string;
    /** The coin that is received. */
    readonly feeCurrency: string;
    /** What the order would hold. */
    readonly hold: string;
    /** The coin that is given. */
    readonly holdCurrency: string;
}
export interface CanceledAll {
    /** How many were canceled. */
    readonly canceledCount: string;
    /** Which ones, oldest first. */
    readonly orderIds: readonly string[];
}
export interface Timer {
    /** When all orders will be canceled; empty when disarmed. */
    readonly triggerTime: string;
}
export interface PublicSwaggerResult {
    readonly openapi: "3.1.0";
    readonly info: {
        readonly title: string;
        readonly version: string;
    };
    readonly paths: Record<string, unknown>;
    readonly components: {
        readonly schemas: Record<string, unknown>;
    };
}
export type PublicPingResult = "pong";
/** Milliseconds since the Unix epoch. */
export type PublicTimeResult = string;
export interface PublicExchangeInfoParams {
    /** Market symbol, for instance `btcusdt`. Letter case does not matter. */
    readonly symbol?: string;
}
export interface PublicCoinsInfoParams {
    /** Coin symbol, for instance `usdt`. Letter case does not matter. */
    readonly symbol?: string;
}
export interface PublicOrderbookParams {
    /** Market symbol, for instance `btcusdt`. Letter case does not matter. */
    readonly symbol: string;
    /** Levels per side; 1000 when absent. Digits, at least 1, at most 1000. */
    readonly limit?: string | number;
}
export interface PublicMarketsParams {
    /** Market symbol, for instance `btcusdt`. Letter case does not matter. */
    readonly symbol?: string;
}
export interface PublicDepthParams {
    /** Market symbol, for instance `btcusdt`. Letter case does not matter. */
    readonly symbol: string;
    /** Levels per side; 100 when absent. Digits, at least 1, at most 1000. */
    readonly limit?: string | number;
}
export interface PublicAuctionParams {
    /** Market symbol, for instance `btcusdt`. Letter case does not matter. */
    readonly symbol: string;
}
export interface PublicLastTradesParams {
    /** Market symbol, for instance `btcusdt`. Letter case does not matter. */
    readonly symbol: string;
    /** Trades at most; 100 when absent. Digits, at least 1, at most 1000. */
    readonly limit?: string | number;
    /** From this trade id on. Digits, at least 0, at most 9007199254740991. */
    readonly fromId?: string | number;
    /** From this time on, inclusive. Digits, at least 0, at most 9999999999999. */
    readonly from?: string | number;
    /** Until before this time. Digits, at least 0, at most 9999999999999. */
    readonly to?: string | number;
}
export interface PublicTickersParams {
    /** Market symbol, for instance `btcusdt`. Letter case does not matter. */
    readonly symbol?: string;
}
export interface PublicLastPricesParams {
    /** Market symbol, for instance `btcusdt`. Letter case does not matter. */
    readonly symbol?: string;
}
export interface PublicBestPricesParams {
    /** Market symbol, for instance `btcusdt`. Letter case does not matter. */
    readonly symbol?: string;
}
export interface PublicCandlesticksParams {
    /** Market symbol, for instance `btcusdt`. Letter case does not matter. */
    readonly symbol: string;
    /**
     * Length of an interval; they begin at UTC boundaries.
     */
    readonly resolution: "1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "6h" | "8h" | "12h" | "1d" | "3d" | "1w" | "1M";
    /** Intervals that begin at this time or later. Digits, at least 0, at most 9999999999999. */
    readonly from?: string | number;
    /** Intervals that begin before this time. Digits, at least 0, at most 9999999999999. */
    readonly to?: string | number;
    /** Candles at most; 500 when absent. Digits, at least 1, at most 1000. */
    readonly limit?: string | number;
}
export interface AuditHead {
    readonly version: 1;
    /** The number of the last entry. */
    readonly seq: string;
    /** Its SHA-256, in hexadecimal; it covers all entries before. */
    readonly hash: string;
    /** When it was signed, ISO 8601 in UTC. */
    readonly time: string;
    /** The first 16 digits of the SHA-256 of the public key. */
    readonly keyId: string;
    /** Ed25519, in base64url. */
    readonly signature: string;
}
export type PublicAuditHeadResult = AuditHead | null;
export interface PublicEventLogParams {
    /** From this event on; from the first when absent. Digits, at least 1, at most 999999999999999. */
    readonly fromSeq?: string | number;
    /** Events at most; 100 when absent. Digits, at least 1, at most 1000. */
    readonly limit?: string | number;
}
export interface PublicEvent {
    /** The event, as canonical JSON; exactly this text is hashed. */
    readonly text: string;
    /** SHA-256 of the hash before it (in hexadecimal) followed by the text. */
    readonly hash: string;
}
export interface PublicHead {
    /** The event that was the last. */
    readonly seq: string;
    /** Its hash, which covers all events before it. */
    readonly hash: string;
    /** When it was signed. */
    readonly time: string;
    /** Which key of `/public/signing_keys` has signed. */
    readonly keyId: string;
    /** Ed25519 in base64, over `{"seq":"…","hash":"…","time":"…","keyId":"…"}` with these values. */
    readonly signature: string;
}
export interface PublicLogPage {
    /** Oldest first, without a gap. */
    readonly items: readonly PublicEvent[];
    /** Where to go on; as `fromSeq` of the next call. */
    readonly nextSeq: string;
    readonly head: PublicHead | null;
}
export interface PublicEventLogCheckpointParams {
    /** At or before this event. Digits, at least 1, at most 999999999999999. */
    readonly beforeSeq?: string | number;
}
export interface PublicLogCheckpoint {
    /** The number of the event. */
    readonly seq: string;
    /** The event, as canonical JSON; exactly this text is hashed. */
    readonly text: string;
    /** Its hash. */
    readonly hash: string;
    /** All visible books at this event; its SHA-256 is `bookHash` of the event. */
    readonly book: string;
}
export type PublicEventLogCheckpointResult = PublicLogCheckpoint | null;
export interface PublicEventLogHeadParams {
    /** The first head at or after this event. Digits, at least 1, at most 999999999999999. */
    readonly seq?: string | number;
}
export type PublicEventLogHeadResult = PublicHead | null;
export interface PublicSigningKey {
    /** The first 16 digits of the SHA-256 of `publicKey`. */
    readonly keyId: string;
    /** Ed25519, 32 bytes in base64. */
    readonly publicKey: string;
    /** Since when it signs. */
    readonly from: string;
}
export interface ReserveChain {
    /** Network symbol, as `coins_info` lists it. Letter case matters. */
    readonly network: string;
    /** The block as of which the coins were counted. */
    readonly height: string;
    /** Its hash. */
    readonly blockHash: string;
    /** What addresses of the venue had there. */
    readonly onChain: string;
}
export interface ReserveCoin {
    /** Coin symbol. */
    readonly coin: string;
    /** The root of the tree of what the venue owes. */
    readonly root: string;
    /** What it owes: the sum of all leaves. */
    readonly liabilities: string;
    /** How many leaves the tree has. */
    readonly leaves: string;
    /** The event of the engine as of which the sums are. */
    readonly engineSeq: string;
    /** What it holds on all networks together. */
    readonly onChain: string;
    /** What it holds by what it owes, rounded down; empty if it owes nothing. */
    readonly ratio: string;
    /** What it holds, network by network. */
    readonly networks: readonly ReserveChain[];
}
export interface Reserves {
    /** The publication; empty while there is none. */
    readonly publicationId: string;
    /** When it was published; empty while there is none. */
    readonly publishedAt: string;
    /** Each coin, by its symbol. */
    readonly coins: readonly ReserveCoin[];
}
export interface PublicReserveAddressesParams {
    /** Coin symbol, for instance `usdt`. Letter case does not matter. */
    readonly coin: string;
    /** Network symbol, as `coins_info` lists it. Letter case matters. */
    readonly network: string;
    /** The last address of the page before; the first page when absent. */
    readonly after?: string;
    /** How many; 100 when absent. Digits, at least 1, at most 1000. */
    readonly limit?: string | number;
}
export interface ReserveAddress {
    /** An address of the venue. */
    readonly address: string;
    /** What it had as of the block of the publication. */
    readonly amount: string;
    /** What its key has signed: venue, network, block and address. Empty if it has not. */
    readonly statement: string;
    /** The signature of the statement: EIP-191, or the simple form of BIP-322. Empty for the cold wallet, whose key is elsewhere. */
    readonly signature: string;
}
export interface AccountBalancesParams {
    /** Coin symbol, for instance `usdt`. Letter case does not matter. */
    readonly coin?: string;
    /** Leaves out coins of which there is nothing. False when absent. */
    readonly omitZero?: boolean;
}
export interface AccountFeesParams {
    /** Market symbol, for instance `btcusdt`. Letter case does not matter. */
    readonly symbol?: string;
}
export interface AccountLedgerParams {
    /** Coin symbol, for instance `usdt`. Letter case does not matter. */
    readonly coin?: string;
    /**
     * Only entries of this kind.
     */
    readonly kind?: "deposit" | "withdrawal" | "withdrawal_fee" | "trade" | "trade_fee" | "transfer" | "rebate" | "adjustment";
    /** From this time on, inclusive. Digits, at least 0, at most 9999999999999. */
    readonly from?: string | number;
    /** Until before this time. Digits, at least 0, at most 9999999999999. */
    readonly to?: string | number;
    /**
     * Oldest or newest first; newest when absent, oldest when `from` is given.
     */
    readonly sort?: "asc" | "desc";
    /** Most items of one page; 100 when absent. Digits, at least 1, at most 500. */
    readonly limit?: string | number;
    /** The `nextCursor` of the page before, with the same other parameters. */
    readonly cursor?: string;
}
export interface AccountLedgerResult {
    readonly items: readonly LedgerEntry[];
    /** Where the next page begins; empty at the end. */
    readonly nextCursor: string;
}
export interface AccountStatementParams {
    /** Beginning of the stretch, inclusive. Digits, at least 0, at most 9999999999999. */
    readonly from: string | number;
    /** End of the stretch, exclusive; at least 10 seconds ago, and at most 366 days after its beginning. Digits, at least 0, at most 9999999999999. */
    readonly to: string | number;
    /**
     * Of the file; `json` when absent. `csv` is `text/csv`.
     */
    readonly format?: "json" | "csv";
    /** Name of the time zone of `localTime`, such as `Asia/Tehran`; UTC when absent. */
    readonly timezone?: string;
}
export interface AccountReservesParams {
    /** Coin symbol, for instance `usdt`. Letter case does not matter. */
    readonly coin?: string;
}
export interface ReserveStep {
    /**
     * On which side of the path this neighbour is.
     */
    readonly side: "left" | "right";
    /** The sum of everything below it, in units of 10⁻¹⁸. */
    readonly units: string;
    /** Its hash. */
    readonly hash: string;
}
export interface ReserveLeaf {
    /** The publication; empty while there is none. */
    readonly publicationId: string;
    /** Coin symbol. */
    readonly coin: string;
    /** The account. */
    readonly accountId: string;
    /** The secret of this leaf: who has it can tell that the leaf is yours. */
    readonly salt: string;
    /** What the account had: available, held and on its way out, in units of 10⁻¹⁸. */
    readonly units: string;
    /** The neighbours from the leaf to the root. */
    readonly path: readonly ReserveStep[];
    /** The root that was published. */
    readonly root: string;
    /** The sum that was published, in units of 10⁻¹⁸. */
    readonly rootUnits: string;
}
export interface WalletDepositAddressParams {
    /** Coin symbol, for instance `usdt`. Letter case does not matter. */
    readonly coin: string;
    /** Network symbol, as `coins_info` lists it. Letter case matters. */
    readonly network?: string;
}
export interface DepositAddress {
    /** Coin symbol. */
    readonly coin: string;
    /** Network symbol. */
    readonly network: string;
    /** Where to send the coin. It stays valid, also when there is a newer one. */
    readonly address: string;
    /** The memo or tag that a transfer needs; may be empty. */
    readonly memo: string;
    /** Whether transfers need the memo. */
    readonly memoRequired: boolean;
    /** Less than this is kept until the sum of such deposits reaches it. */
    readonly minimumDeposit: string;
    /** Confirmations that a deposit needs. */
    readonly depositConfirmationCount: string;
    /** False while deposits of the network are paused: what comes in is credited afterwards. */
    readonly isActive: boolean;
    /** When the account got the address. */
    readonly createdAt: string;
}
export interface WalletCreateDepositAddressParams {
    /** Coin symbol, for instance `usdt`. Letter case does not matter. */
    readonly coin: string;
    /** Network symbol, as `coins_info` lists it. Letter case matters. */
    readonly network?: string;
}
export interface WalletDepositsParams {
    /** Coin symbol, for instance `usdt`. Letter case does not matter. */
    readonly coin?: string;
    /** Network symbol, as `coins_info` lists it. Letter case matters. */
    readonly network?: string;
    /**
     * Only deposits with this status.
     */
    readonly status?: "detected" | "confirming" | "credited" | "below_minimum" | "held" | "orphaned" | "rejected" | "reversed";
    /** Only deposits of this transaction. */
    readonly txid?: string;
    /** From this time on, inclusive. Digits, at least 0, at most 9999999999999. */
    readonly from?: string | number;
    /** Until before this time. Digits, at least 0, at most 9999999999999. */
    readonly to?: string | number;
    /**
     * Oldest or newest first; newest when absent, oldest when `from` is given.
     */
    readonly sort?: "asc" | "desc";
    /** Most items of one page; 100 when absent. Digits, at least 1, at most 500. */
    readonly limit?: string | number;
    /** The `nextCursor` of the page before, with the same other parameters. */
    readonly cursor?: string;
}
export interface Deposit {
    /** Its id. */
    readonly depositId: string;
    /** Coin symbol. */
    readonly coin: string;
    /** Network symbol. */
    readonly network: string;
    /** What came in. */
    readonly amount: string;
    /** The part of it that the venue keeps. */
    readonly fee: string;
    /** The address of the account that it came to. */
    readonly address: string;
    /** The memo or tag that it had; may be empty. */
    readonly memo: string;
    /** The transaction on the network. */
    readonly txid: string;
    /** Where in the transaction: the number of the output; or `n` for its own value, `l` and the number of a log, `t` and the path of an inner call. */
    readonly outputIndex: string;
    /** Blocks that confirm it; 0 while it is in none. */
    readonly confirmations: string;
    /** With so many it is credited. */
    readonly requiredConfirmations: string;
    /** Its block; empty while it is in none. */
    readonly blockHash: string;
    /**
     * detected, confirming, credited; below_minimum: kept until the sum reaches the minimum; held: somebody has to look, or the network is paused; orphaned: its block left the chain, and it has not come back; reversed: taken back after that.
     */
    readonly status: "detected" | "confirming" | "credited" | "below_minimum" | "held" | "orphaned" | "rejected" | "reversed";
    /** Why it is held; may be empty. */
    readonly statusReason: string;
    /** Whether it came from another account of the venue. */
    readonly isInternal: boolean;
    /** When it was first seen. */
    readonly detectedAt: string;
    /** When it was credited; may be empty. */
    readonly creditedAt: string;
    /** When its status last changed. */
    readonly updatedAt: string;
}
export interface WalletDepositsResult {
    readonly items: readonly Deposit[];
    /** Where the next page begins; empty at the end. */
    readonly nextCursor: string;
}
export interface WalletWithdrawQuoteParams {
    /** Coin symbol, for instance `usdt`. Letter case does not matter. */
    readonly coin: string;
    /** Network symbol, as `coins_info` lists it. Letter case matters. */
    readonly network?: string;
    /** What leaves the account; the fee is inside it. */
    readonly amount: string;
    /** The id of an entry of the address book. */
    readonly addressId?: string;
}
export interface WithdrawQuote {
    /** Coin symbol. */
    readonly coin: string;
    /** Network symbol. */
    readonly network: string;
    /** What would leave the account. */
    readonly amount: string;
    /** The part of it that the venue would keep. */
    readonly fee: string;
    /** What the recipient would get; 0 when the fee eats it. */
    readonly netAmount: string;
    /** Less than this is refused. */
    readonly minimumWithdraw: string;
    /** What the account and its family may still withdraw within 24 hours. */
    readonly dailyLeft: string;
    /** Operators who would have to approve it. */
    readonly approvalsNeeded: string;
    /** When the checks that fail now will pass; empty when all pass, or when waiting does not help. */
    readonly availableAt: string;
    readonly checks: readonly {
        /**
         * What was checked.
         */
        readonly name: "network_active" | "minimum" | "funds" | "not_frozen" | "address_age" | "daily_limit";
        /** Whether it passes. */
        readonly ok: boolean;
        /** When it will pass; may be empty. */
        readonly availableAt: string;
    }[];
}
export interface WalletWithdrawParams {
    /** Coin symbol, for instance `usdt`. Letter case does not matter. */
    readonly coin: string;
    /** Network symbol, as `coins_info` lists it. Letter case matters. */
    readonly network?: string;
    /** What leaves the account; the fee is inside it. */
    readonly amount: string;
    /** An address of the network. */
    readonly address?: string;
    /** The memo or tag, where the network needs one. */
    readonly memo?: string;
    /** The id of an entry of the address book. */
    readonly addressId?: string;
    /** An id of your own, 1 to 36 characters of `A-Z a-z 0-9 . _ : / -`, which makes the withdrawal happen once. */
    readonly clientWithdrawId?: string;
    /** A note for yourself, at most 200 characters. */
    readonly note?: string;
}
export interface Withdrawal {
    /** Its id; `referenceId` of its ledger entries. */
    readonly withdrawId: string;
    /** Your id; may be empty. */
    readonly clientWithdrawId: string;
    /** Coin symbol. */
    readonly coin: string;
    /** Network symbol. */
    readonly network: string;
    /** What leaves the account; the fee is inside it. */
    readonly amount: string;
    /** The part of it that the venue keeps for the network. */
    readonly fee: string;
    /** What the recipient gets. */
    readonly netAmount: string;
    /** Where it goes. */
    readonly address: string;
    /** The memo or tag; may be empty. */
    readonly memo: string;
    /** The transaction on the network; empty until there is one. */
    readonly txid: string;
    /** Blocks that confirm the transaction. */
    readonly confirmations: string;
    /**
     * awaiting_confirmation: its owner confirms it with a second factor; awaiting_approval: operators look at it; queued, signing, broadcasting, confirming: on its way; completed: paid; canceled, rejected, failed: the amount is back.
     */
    readonly status: "awaiting_confirmation" | "awaiting_approval" | "queued" | "signing" | "broadcasting" | "confirming" | "completed" | "canceled" | "rejected" | "failed";
    /** Why it waits or ended; may be empty. */
    readonly statusReason: string;
    /** Whether it goes to another account of the venue. */
    readonly isInternal: boolean;
    /** What you wrote for yourself; may be empty. */
    readonly note: string;
    /** When it was asked for. */
    readonly createdAt: string;
    /** When its status last changed. */
    readonly updatedAt: string;
    /** When it was completed; empty until then. */
    readonly completedAt: string;
}
export interface WalletWithdrawConfirmParams {
    /** The id of a withdrawal. */
    readonly withdrawId: string;
}
export interface WalletWithdrawCancelParams {
    /** The id of a withdrawal. */
    readonly withdrawId: string;
}
export interface WalletWithdrawalsParams {
    /** Coin symbol, for instance `usdt`. Letter case does not matter. */
    readonly coin?: string;
    /** Network symbol, as `coins_info` lists it. Letter case matters. */
    readonly network?: string;
    /**
     * Only withdrawals with this status.
     */
    readonly status?: "awaiting_confirmation" | "awaiting_approval" | "queued" | "signing" | "broadcasting" | "confirming" | "completed" | "canceled" | "rejected" | "failed";
    /** Only withdrawals of this transaction. */
    readonly txid?: string;
    /** An id of your own, 1 to 36 characters of `A-Z a-z 0-9 . _ : / -`, which makes the withdrawal happen once. */
    readonly clientWithdrawId?: string;
    /** From this time on, inclusive. Digits, at least 0, at most 9999999999999. */
    readonly from?: string | number;
    /** Until before this time. Digits, at least 0, at most 9999999999999. */
    readonly to?: string | number;
    /**
     * Oldest or newest first; newest when absent, oldest when `from` is given.
     */
    readonly sort?: "asc" | "desc";
    /** Most items of one page; 100 when absent. Digits, at least 1, at most 500. */
    readonly limit?: string | number;
    /** The `nextCursor` of the page before, with the same other parameters. */
    readonly cursor?: string;
}
export interface WalletWithdrawalsResult {
    readonly items: readonly Withdrawal[];
    /** Where the next page begins; empty at the end. */
    readonly nextCursor: string;
}
export interface WalletWithdrawAddressesParams {
    /** Coin symbol, for instance `usdt`. Letter case does not matter. */
    readonly coin?: string;
}
export interface AddressBookEntry {
    /** Its id. */
    readonly addressId: string;
    /** Coin symbol. */
    readonly coin: string;
    /** Network symbol. */
    readonly network: string;
    /** Where coins go. */
    readonly address: string;
    /** The memo or tag; may be empty. */
    readonly memo: string;
    /** What its owner calls it; may be empty. */
    readonly label: string;
    /** From when on coins may go there: 24 hours after it was added. */
    readonly usableAt: string;
    /** When it was added. */
    readonly createdAt: string;
}
export interface WalletWithdrawAddressAddParams {
    /** Coin symbol, for instance `usdt`. Letter case does not matter. */
    readonly coin: string;
    /** Network symbol, as `coins_info` lists it. Letter case matters. */
    readonly network?: string;
    /** An address of the network. */
    readonly address: string;
    /** The memo or tag, where the network needs one. */
    readonly memo?: string;
    /** What you call it, at most 64 characters. */
    readonly label?: string;
}
export interface WalletWithdrawAddressRemoveParams {
    /** The id of an entry of the address book. */
    readonly addressId: string;
}
export interface ApiKeyCreateParams {
    /** Your name for the key, at most 64 characters. */
    readonly label?: string;
    /**
     * `hmac`: the venue makes a secret and shows it once. `ed25519`: you keep your private key, and give the public one.
     */
    readonly type?: "hmac" | "ed25519";
    /** For a key of type `ed25519`: your public key, 64 lower-case hexadecimal digits. */
    readonly publicKey?: string;
    /** What the key may do: `read`, `trade`, `transfer`, `withdraw`. `withdraw` needs an `ipAllowlist`. */
    readonly permissions: readonly ("read" | "trade" | "transfer" | "withdraw")[];
    /** From where the key may be used: addresses and networks, no wider than /8, or /32 for IPv6. Empty: from everywhere. */
    readonly ipAllowlist?: readonly string[];
    /** The markets in which the key may trade. Empty: in all. */
    readonly markets?: readonly string[];
    /** When the key ends, within a year; within 90 days if it may trade from everywhere, which is also what an absent one means then. */
    readonly expireTime?: string | number;
    /** Whether only signatures of version 2 are taken, which cover method and path. */
    readonly requireBoundSignature?: boolean;
    /** Account id. */
    readonly accountId?: string;
}
export interface ApiKeyUpdateParams {
    /** The key. */
    readonly keyId: string;
    /** Your name for the key, at most 64 characters. */
    readonly label?: string;
    /** What the key may do: `read`, `trade`, `transfer`, `withdraw`. `withdraw` needs an `ipAllowlist`. */
    readonly permissions?: readonly ("read" | "trade" | "transfer" | "withdraw")[];
    /** From where the key may be used: addresses and networks, no wider than /8, or /32 for IPv6. Empty: from everywhere. */
    readonly ipAllowlist?: readonly string[];
    /** The markets in which the key may trade. Empty: in all. */
    readonly markets?: readonly string[];
    /** When the key ends, within a year; within 90 days if it may trade from everywhere, which is also what an absent one means then. */
    readonly expireTime?: string | number;
    /** Whether only signatures of version 2 are taken, which cover method and path. */
    readonly requireBoundSignature?: boolean;
    /** A disabled key is refused like an unknown one. */
    readonly isEnabled?: boolean;
}
export interface ApiKeyRotateParams {
    /** The key. */
    readonly keyId: string;
    /** How long the old key still works; a day when absent. Digits, at least 0, at most 604800000. */
    readonly overlapMs?: string | number;
    /** For a key of type `ed25519`: your public key, 64 lower-case hexadecimal digits. */
    readonly publicKey?: string;
}
export interface ApiKeyDeleteParams {
    /** The key. */
    readonly keyId: string;
}
export interface DeletedKey {
    /** The key that is gone. */
    readonly keyId: string;
}
export interface SubAccountCreateParams {
    /** What you call it, 1 to 64 characters; unique among your open sub-accounts. */
    readonly label: string;
}
export interface SubAccountListParams {
    /** Shows closed ones too. False when absent. */
    readonly includeClosed?: boolean;
}
export interface SubAccountUpdateParams {
    /** Account id. */
    readonly accountId: string;
    /** What you call it, 1 to 64 characters; unique among your open sub-accounts. */
    readonly label: string;
}
export interface SubAccountCloseParams {
    /** Account id. */
    readonly accountId: string;
}
export interface SubAccountTransferParams {
    /** Account id. */
    readonly fromAccountId: string;
    /** Account id. */
    readonly toAccountId: string;
    /** Coin symbol, for instance `usdt`. Letter case does not matter. */
    readonly coin: string;
    /** How much; at most 18 decimals. */
    readonly amount: string;
    /** An id of your own, 1 to 36 characters of `A-Z a-z 0-9 . _ : / -`, which makes the transfer happen once. */
    readonly clientTransferId: string;
}
export interface SubAccountTransfersParams {
    /** From this time on, inclusive. Digits, at least 0, at most 9999999999999. */
    readonly from?: string | number;
    /** Until before this time. Digits, at least 0, at most 9999999999999. */
    readonly to?: string | number;
    /**
     * Oldest or newest first; newest when absent, oldest when `from` is given.
     */
    readonly sort?: "asc" | "desc";
    /** Most items of one page; 100 when absent. Digits, at least 1, at most 500. */
    readonly limit?: string | number;
    /** The `nextCursor` of the page before, with the same other parameters. */
    readonly cursor?: string;
}
export interface SubAccountTransfersResult {
    readonly items: readonly Transfer[];
    /** Where the next page begins; empty at the end. */
    readonly nextCursor: string;
}
export interface OrderCreateParams {
    /** Market symbol, for instance `btcusdt`. Letter case does not matter. */
    readonly symbol: string;
    /**
     * Which side.
     */
    readonly side: "buy" | "sell";
    /**
     * The type of order.
     */
    readonly type: "limit" | "market" | "stop_limit" | "stop_market" | "take_profit_limit" | "take_profit_market" | "trailing_stop";
    /** Limit, for the limit types, and for a trailing stop that becomes a limit order; at most `quotePrecision` decimals, inside the price band. */
    readonly price?: string;
    /** In the base coin; at most `basePrecision` decimals. */
    readonly volume?: string;
    /** Quote amount to spend, for buys of a market type, instead of `volume`. */
    readonly total?: string;
    /** Trigger, for the stop and take-profit types. For a trailing stop, the price at which it begins to trail; with the next trade when absent. */
    readonly stopPrice?: string;
    /** For a trailing stop: how far it stays behind the best price since it trails, in basis points, 10 to 2000. Digits, at least 10, at most 2000. */
    readonly trailingDelta?: string | number;
    /**
     * For limit types; `GTC` when absent. Market types take none.
     */
    readonly timeInForce?: "GTC" | "IOC" | "FOK" | "GTD";
    /** With `GTD`: when the order ends, 5 seconds to 90 days ahead. Digits, at least 1. */
    readonly expireTime?: string | number;
    /** Refused rather than taking. For limit with `GTC` or `GTD`. */
    readonly postOnly?: boolean;
    /** Iceberg: the part that is shown. For limit with `GTC` or `GTD`. */
    readonly visibleVolume?: string;
    /**
     * What happens instead of a trade with oneself; the market’s own when absent.
     */
    readonly stpMode?: "expire_taker" | "expire_maker" | "expire_both" | "decrement";
    /** An id of your own, 1 to 36 characters of `A-Z a-z 0-9 . _ : / -`. */
    readonly clientOrderId?: string;
    /** Answers with the venue’s signed receipt of the order. */
    readonly receipt?: boolean;
    /**
     * How much of the order is answered: ids, the order (when absent), or the order with its trades.
     */
    readonly responseType?: "ack" | "result" | "full";
}
export interface OrderReceipt {
    /** Whose order it is. */
    readonly accountId: string;
    /** The id that the caller gave; may be empty. */
    readonly clientOrderId: string;
    /** The venue’s id. */
    readonly orderId: string;
    /** The engine event that took it; the public log has the same number. */
    readonly engineSeq: string;
    /** When it was taken. */
    readonly time: string;
    /** SHA-256 of the order’s terms as asked, in their canonical text. */
    readonly parametersHash: string;
    /** Which key of `/public/signing_keys` has signed. */
    readonly keyId: string;
    /** Ed25519 in base64, over the JSON of all members before it, in this order. */
    readonly signature: string;
}
export interface OrderTestParams {
    /** Market symbol, for instance `btcusdt`. Letter case does not matter. */
    readonly symbol: string;
    /**
     * Which side.
     */
    readonly side: "buy" | "sell";
    /**
     * The type of order.
     */
    readonly type: "limit" | "market" | "stop_limit" | "stop_market" | "take_profit_limit" | "take_profit_market" | "trailing_stop";
    /** Limit, for the limit types, and for a trailing stop that becomes a limit order; at most `quotePrecision` decimals, inside the price band. */
    readonly price?: string;
    /** In the base coin; at most `basePrecision` decimals. */
    readonly volume?: string;
    /** Quote amount to spend, for buys of a market type, instead of `volume`. */
    readonly total?: string;
    /** Trigger, for the stop and take-profit types. For a trailing stop, the price at which it begins to trail; with the next trade when absent. */
    readonly stopPrice?: string;
    /** For a trailing stop: how far it stays behind the best price since it trails, in basis points, 10 to 2000. Digits, at least 10, at most 2000. */
    readonly trailingDelta?: string | number;
    /**
     * For limit types; `GTC` when absent. Market types take none.
     */
    readonly timeInForce?: "GTC" | "IOC" | "FOK" | "GTD";
    /** With `GTD`: when the order ends, 5 seconds to 90 days ahead. Digits, at least 1. */
    readonly expireTime?: string | number;
    /** Refused rather than taking. For limit with `GTC` or `GTD`. */
    readonly postOnly?: boolean;
    /** Iceberg: the part that is shown. For limit with `GTC` or `GTD`. */
    readonly visibleVolume?: string;
    /**
     * What happens instead of a trade with oneself; the market’s own when absent.
     */
    readonly stpMode?: "expire_taker" | "expire_maker" | "expire_both" | "decrement";
    /** An id of your own, 1 to 36 characters of `A-Z a-z 0-9 . _ : / -`. */
    readonly clientOrderId?: string;
    /** Answers with the venue’s signed receipt of the order. */
    readonly receipt?: boolean;
    /**
     * How much of the order is answered: ids, the order (when absent), or the order with its trades.
     */
    readonly responseType?: "ack" | "result" | "full";
}
export interface OrderCreateBatchParams {
    /** The orders, each with the parameters of a single one. */
    readonly orders: readonly {
        /** Market symbol, for instance `btcusdt`. Letter case does not matter. */
        readonly symbol: string;
        /**
         * Which side.
         */
        readonly side: "buy" | "sell";
        /**
         * The type of order.
         */
        readonly type: "limit" | "market" | "stop_limit" | "stop_market" | "take_profit_limit" | "take_profit_market" | "trailing_stop";
        /** Limit, for the limit types, and for a trailing stop that becomes a limit order; at most `quotePrecision` decimals, inside the price band. */
        readonly price?: string;
        /** In the base coin; at most `basePrecision` decimals. */
        readonly volume?: string;
        /** Quote amount to spend, for buys of a market type, instead of `volume`. */
        readonly total?: string;
        /** Trigger, for the stop and take-profit types. For a trailing stop, the price at which it begins to trail; with the next trade when absent. */
        readonly stopPrice?: string;
        /** For a trailing stop: how far it stays behind the best price since it trails, in basis points, 10 to 2000. Digits, at least 10, at most 2000. */
        readonly trailingDelta?: string | number;
        /**
         * For limit types; `GTC` when absent. Market types take none.
         */
        readonly timeInForce?: "GTC" | "IOC" | "FOK" | "GTD";
        /** With `GTD`: when the order ends, 5 seconds to 90 days ahead. Digits, at least 1. */
        readonly expireTime?: string | number;
        /** Refused rather than taking. For limit with `GTC` or `GTD`. */
        readonly postOnly?: boolean;
        /** Iceberg: the part that is shown. For limit with `GTC` or `GTD`. */
        readonly visibleVolume?: string;
        /**
         * What happens instead of a trade with oneself; the market’s own when absent.
         */
        readonly stpMode?: "expire_taker" | "expire_maker" | "expire_both" | "decrement";
        /** An id of your own, 1 to 36 characters of `A-Z a-z 0-9 . _ : / -`. */
        readonly clientOrderId?: string;
        /** Answers with the venue’s signed receipt of the order. */
        readonly receipt?: boolean;
        /**
         * How much of the order is answered: ids, the order (when absent), or the order with its trades.
         */
        readonly responseType?: "ack" | "result" | "full";
    }[];
    /**
     * Whether one refusal refuses all; no when absent.
     */
    readonly mode?: "independent" | "all_or_none";
}
export interface ItemError {
    /**
     * Four digits.
     */
    readonly code: "1000" | "1001" | "1002" | "1003" | "1004" | "1005" | "1006" | "1007" | "1008" | "2001" | "2002" | "2003" | "2004" | "2005" | "2006" | "2007" | "2008" | "2009" | "2010" | "2011" | "3001" | "3002" | "3003" | "3004" | "3005" | "3006" | "3007" | "3008" | "3009" | "3010" | "3011" | "3012" | "3013" | "3014" | "4001" | "4002" | "4003" | "4004" | "4005" | "4006" | "4007" | "4008" | "4009" | "4010" | "4011" | "4012" | "4013" | "4014" | "4015" | "4016" | "4017" | "4018" | "4019" | "5001" | "5002" | "5003" | "5004" | "5005" | "5006" | "5007" | "5008" | "5009" | "5010" | "5011" | "5012" | "5013" | "5014" | "6001" | "6002" | "6003" | "6004" | "6005" | "7001" | "7002" | "7003" | "7004" | "7005";
    /**
     * The constant of the code.
     */
    readonly name: "INTERNAL" | "UNAVAILABLE" | "MAINTENANCE" | "TIMEOUT" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "BODY_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "UPGRADE_REQUIRED" | "PARAMETER_MISSING" | "PARAMETER_INVALID" | "PARAMETER_RANGE" | "PARAMETER_UNKNOWN" | "PARAMETER_DUPLICATE" | "JSON_INVALID" | "NUMBER_NOT_STRING" | "PARAMETER_PLACE" | "PARAMETER_CONFLICT" | "NOT_SUPPORTED" | "CURSOR_INVALID" | "API_KEY_MISSING" | "API_KEY_INVALID" | "ADDRESS_NOT_ALLOWED" | "SIGNATURE_INVALID" | "TIMESTAMP_INVALID" | "TIMESTAMP_OUTSIDE_WINDOW" | "REPLAYED" | "PERMISSION_DENIED" | "SECOND_FACTOR_REQUIRED" | "SESSION_REQUIRED" | "ACCOUNT_SUSPENDED" | "SESSION_INVALID" | "CSRF_FAILED" | "LOGIN_REQUIRED" | "UNKNOWN_SYMBOL" | "UNKNOWN_COIN" | "UNKNOWN_NETWORK" | "MARKET_CLOSED" | "PRICE_PRECISION" | "VOLUME_PRECISION" | "ORDER_TOO_SMALL" | "POST_ONLY_WOULD_TAKE" | "PRICE_OUT_OF_BAND" | "ORDER_TOO_LARGE" | "ORDER_NOT_FOUND" | "CLIENT_ORDER_ID_CONFLICT" | "ORDER_FINAL" | "NO_LIQUIDITY" | "TOO_MANY_OPEN_ORDERS" | "WOULD_TRIGGER_IMMEDIATELY" | "FOK_NOT_FILLABLE" | "NO_REFERENCE_PRICE" | "AMEND_NO_CHANGE" | "INSUFFICIENT_FUNDS" | "ADDRESS_INVALID" | "MEMO_INVALID" | "DEPOSIT_NOT_ACTIVE" | "WITHDRAW_NOT_ACTIVE" | "WITHDRAW_TOO_SMALL" | "WITHDRAW_LIMIT" | "ADDRESS_NOT_IN_BOOK" | "WITHDRAW_FROZEN" | "WITHDRAW_FINAL" | "CLIENT_ID_CONFLICT" | "ADDRESS_NOT_USABLE_YET" | "ADDRESS_LIMIT" | "WITHDRAWAL_UNKNOWN" | "RATE_LIMITED" | "RATE_BANNED" | "ORDER_QUOTA" | "CONNECTION_LIMIT" | "CHANNEL_LIMIT" | "SUB_ACCOUNT_UNKNOWN" | "KEY_LIMIT" | "KEY_UNKNOWN" | "SUB_ACCOUNT_LIMIT" | "SUB_ACCOUNT_NOT_EMPTY";
    /** For people; may change. */
    readonly message: string;
    /** What else is known; empty when nothing is. */
    readonly details: Record<string, unknown>;
}
export type OrderCreateBatchResult = readonly ({
    readonly status: "true";
    readonly order: (Order | OrderWithTrades | OrderAck) & {
        readonly receipt?: OrderReceipt;
    };
} | {
    readonly status: "false";
    readonly error: ItemError;
})[];
export interface OrderCancelParams {
    /** The venue’s id of the order. */
    readonly orderId?: string;
    /** An id of your own, 1 to 36 characters of `A-Z a-z 0-9 . _ : / -`. */
    readonly clientOrderId?: string;
    /** Market symbol, for instance `btcusdt`. Letter case does not matter. */
    readonly symbol?: string;
    /**
     * Cancels only if this is its status now.
     */
    readonly onlyIf?: "open" | "partially_filled";
}
export interface OrderCancelBatchParams {
    /** Ids of the venue’s. */
    readonly orderIds?: readonly string[];
    /** Ids of yours. */
    readonly clientOrderIds?: readonly string[];
}
export type OrderCancelBatchResult = readonly ({
    readonly status: "true";
    readonly order: Order;
} | {
    readonly status: "false";
    readonly error: ItemError;
})[];
export interface OrderCancelAllParams {
    /** Market symbol, for instance `btcusdt`. Letter case does not matter. */
    readonly symbol?: string;
    /**
     * Only this side.
     */
    readonly side?: "buy" | "sell";
}
export interface OrderCancelAllAfterParams {
    /** Milliseconds, 5000 to 300000; 0 disarms. Digits, at least 0, at most 300000. */
    readonly timeout: string | number;
}
export interface OrderAmendParams {
    /** The venue’s id of the order. */
    readonly orderId?: string;
    /** An id of your own, 1 to 36 characters of `A-Z a-z 0-9 . _ : / -`. */
    readonly clientOrderId?: string;
    /** New volume, what is filled included. */
    readonly volume?: string;
    /** New limit. */
    readonly price?: string;
    /** New trigger, while it waits. */
    readonly stopPrice?: string;
    /** New shown part of an iceberg. */
    readonly visibleVolume?: string;
    /** An id of your own for this amendment, so that it can be repeated. An order remembers the newest 16, as long as the engine remembers the order. */
    readonly amendId?: string;
}
export interface OrderReplaceParams {
    /** The venue’s id of the order. */
    readonly orderId?: string;
    /** An id of your own, 1 to 36 characters of `A-Z a-z 0-9 . _ : / -`. */
    readonly cancelClientOrderId?: string;
    /**
     * Whether the new order is placed although the old one could not be canceled; no when absent.
     */
    readonly mode?: "stop_on_failure" | "allow_failure";
    /** Market symbol, for instance `btcusdt`. Letter case does not matter. */
    readonly symbol: string;
    /**
     * Which side.
     */
    readonly side: "buy" | "sell";
    /**
     * The type of order.
     */
    readonly type: "limit" | "market" | "stop_limit" | "stop_market" | "take_profit_limit" | "take_profit_market" | "trailing_stop";
    /** Limit, for the limit types, and for a trailing stop that becomes a limit order; at most `quotePrecision` decimals, inside the price band. */
    readonly price?: string;
    /** In the base coin; at most `basePrecision` decimals. */
    readonly volume?: string;
    /** Quote amount to spend, for buys of a market type, instead of `volume`. */
    readonly total?: string;
    /** Trigger, for the stop and take-profit types. For a trailing stop, the price at which it begins to trail; with the next trade when absent. */
    readonly stopPrice?: string;
    /** For a trailing stop: how far it stays behind the best price since it trails, in basis points, 10 to 2000. Digits, at least 10, at most 2000. */
    readonly trailingDelta?: string | number;
    /**
     * For limit types; `GTC` when absent. Market types take none.
     */
    readonly timeInForce?: "GTC" | "IOC" | "FOK" | "GTD";
    /** With `GTD`: when the order ends, 5 seconds to 90 days ahead. Digits, at least 1. */
    readonly expireTime?: string | number;
    /** Refused rather than taking. For limit with `GTC` or `GTD`. */
    readonly postOnly?: boolean;
    /** Iceberg: the part that is shown. For limit with `GTC` or `GTD`. */
    readonly visibleVolume?: string;
    /**
     * What happens instead of a trade with oneself; the market’s own when absent.
     */
    readonly stpMode?: "expire_taker" | "expire_maker" | "expire_both" | "decrement";
    /** An id of your own, 1 to 36 characters of `A-Z a-z 0-9 . _ : / -`. */
    readonly clientOrderId?: string;
    /** Answers with the venue’s signed receipt of the order. */
    readonly receipt?: boolean;
    /**
     * How much of the order is answered: ids, the order (when absent), or the order with its trades.
     */
    readonly responseType?: "ack" | "result" | "full";
}
export interface Replacement {
    readonly canceled: Order;
    readonly created: (Order | OrderWithTrades | OrderAck) & {
        readonly receipt?: OrderReceipt;
    };
}
export interface OrderLimitBuyParams {
    /** Market symbol, for instance `btcusdt`. Letter case does not matter. */
    readonly symbol: string;
    /** Limit; at most `quotePrecision` decimals. */
    readonly price: string;
    /** In the base coin; at most `basePrecision` decimals. */
    readonly volume: string;
    /**
     * For limit types; `GTC` when absent. Market types take none.
     */
    readonly timeInForce?: "GTC" | "IOC" | "FOK" | "GTD";
    /** With `GTD`: when the order ends, 5 seconds to 90 days ahead. Digits, at least 1. */
    readonly expireTime?: string | number;
    /** Refused rather than taking. For limit with `GTC` or `GTD`. */
    readonly postOnly?: boolean;
    /** Iceberg: the part that is shown. For limit with `GTC` or `GTD`. */
    readonly visibleVolume?: string;
    /**
     * What happens instead of a trade with oneself; the market’s own when absent.
     */
    readonly stpMode?: "expire_taker" | "expire_maker" | "expire_both" | "decrement";
    /** An id of your own, 1 to 36 characters of `A-Z a-z 0-9 . _ : / -`. */
    readonly clientOrderId?: string;
    /** Answers with the venue’s signed receipt of the order. */
    readonly receipt?: boolean;
    /**
     * How much of the order is answered: ids, the order (when absent), or the order with its trades.
     */
    readonly responseType?: "ack" | "result" | "full";
}
export interface OrderLimitSellParams {
    /** Market symbol, for instance `btcusdt`. Letter case does not matter. */
    readonly symbol: string;
    /** Limit; at most `quotePrecision` decimals. */
    readonly price: string;
    /** In the base coin; at most `basePrecision` decimals. */
    readonly volume: string;
    /**
     * For limit types; `GTC` when absent. Market types take none.
     */
    readonly timeInForce?: "GTC" | "IOC" | "FOK" | "GTD";
    /** With `GTD`: when the order ends, 5 seconds to 90 days ahead. Digits, at least 1. */
    readonly expireTime?: string | number;
    /** Refused rather than taking. For limit with `GTC` or `GTD`. */
    readonly postOnly?: boolean;
    /** Iceberg: the part that is shown. For limit with `GTC` or `GTD`. */
    readonly visibleVolume?: string;
    /**
     * What happens instead of a trade with oneself; the market’s own when absent.
     */
    readonly stpMode?: "expire_taker" | "expire_maker" | "expire_both" | "decrement";
    /** An id of your own, 1 to 36 characters of `A-Z a-z 0-9 . _ : / -`. */
    readonly clientOrderId?: string;
    /** Answers with the venue’s signed receipt of the order. */
    readonly receipt?: boolean;
    /**
     * How much of the order is answered: ids, the order (when absent), or the order with its trades.
     */
    readonly responseType?: "ack" | "result" | "full";
}
export interface OrderMarketBuyParams {
    /** Market symbol, for instance `btcusdt`. Letter case does not matter. */
    readonly symbol: string;
    /** In the base coin; at most `basePrecision` decimals. */
    readonly volume?: string;
    /** Quote amount to spend, for buys of a market type, instead of `volume`. */
    readonly total?: string;
    /**
     * What happens instead of a trade with oneself; the market’s own when absent.
     */
    readonly stpMode?: "expire_taker" | "expire_maker" | "expire_both" | "decrement";
    /** An id of your own, 1 to 36 characters of `A-Z a-z 0-9 . _ : / -`. */
    readonly clientOrderId?: string;
    /** Answers with the venue’s signed receipt of the order. */
    readonly receipt?: boolean;
    /**
     * How much of the order is answered: ids, the order (when absent), or the order with its trades.
     */
    readonly responseType?: "ack" | "result" | "full";
}
export interface OrderMarketSellParams {
    /** Market symbol, for instance `btcusdt`. Letter case does not matter. */
    readonly symbol: string;
    /** In the base coin; at most `basePrecision` decimals. */
    readonly volume: string;
    /**
     * What happens instead of a trade with oneself; the market’s own when absent.
     */
    readonly stpMode?: "expire_taker" | "expire_maker" | "expire_both" | "decrement";
    /** An id of your own, 1 to 36 characters of `A-Z a-z 0-9 . _ : / -`. */
    readonly clientOrderId?: string;
    /** Answers with the venue’s signed receipt of the order. */
    readonly receipt?: boolean;
    /**
     * How much of the order is answered: ids, the order (when absent), or the order with its trades.
     */
    readonly responseType?: "ack" | "result" | "full";
}
export interface OrderStoplimitBuyParams {
    /** Market symbol, for instance `btcusdt`. Letter case does not matter. */
    readonly symbol: string;
    /** Limit; at most `quotePrecision` decimals. */
    readonly price: string;
    /** In the base coin; at most `basePrecision` decimals. */
    readonly volume: string;
    /**
     * For limit types; `GTC` when absent. Market types take none.
     */
    readonly timeInForce?: "GTC" | "IOC" | "FOK" | "GTD";
    /** With `GTD`: when the order ends, 5 seconds to 90 days ahead. Digits, at least 1. */
    readonly expireTime?: string | number;
    /** Refused rather than taking. For limit with `GTC` or `GTD`. */
    readonly postOnly?: boolean;
    /** Iceberg: the part that is shown. For limit with `GTC` or `GTD`. */
    readonly visibleVolume?: string;
    /** Trigger: `stopPrice` of `create`. */
    readonly stop: string;
    /**
     * What happens instead of a trade with oneself; the market’s own when absent.
     */
    readonly stpMode?: "expire_taker" | "expire_maker" | "expire_both" | "decrement";
    /** An id of your own, 1 to 36 characters of `A-Z a-z 0-9 . _ : / -`. */
    readonly clientOrderId?: string;
    /** Answers with the venue’s signed receipt of the order. */
    readonly receipt?: boolean;
    /**
     * How much of the order is answered: ids, the order (when absent), or the order with its trades.
     */
    readonly responseType?: "ack" | "result" | "full";
}
export interface OrderStoplimitSellParams {
    /** Market symbol, for instance `btcusdt`. Letter case does not matter. */
    readonly symbol: string;
    /** Limit; at most `quotePrecision` decimals. */
    readonly price: string;
    /** In the base coin; at most `basePrecision` decimals. */
    readonly volume: string;
    /**
     * For limit types; `GTC` when absent. Market types take none.
     */
    readonly timeInForce?: "GTC" | "IOC" | "FOK" | "GTD";
    /** With `GTD`: when the order ends, 5 seconds to 90 days ahead. Digits, at least 1. */
    readonly expireTime?: string | number;
    /** Refused rather than taking. For limit with `GTC` or `GTD`. */
    readonly postOnly?: boolean;
    /** Iceberg: the part that is shown. For limit with `GTC` or `GTD`. */
    readonly visibleVolume?: string;
    /** Trigger: `stopPrice` of `create`. */
    readonly stop: string;
    /**
     * What happens instead of a trade with oneself; the market’s own when absent.
     */
    readonly stpMode?: "expire_taker" | "expire_maker" | "expire_both" | "decrement";
    /** An id of your own, 1 to 36 characters of `A-Z a-z 0-9 . _ : / -`. */
    readonly clientOrderId?: string;
    /** Answers with the venue’s signed receipt of the order. */
    readonly receipt?: boolean;
    /**
     * How much of the order is answered: ids, the order (when absent), or the order with its trades.
     */
    readonly responseType?: "ack" | "result" | "full";
}
export interface OrderGetParams {
    /** The venue’s id of the order. */
    readonly orderId?: string;
    /** An id of your own, 1 to 36 characters of `A-Z a-z 0-9 . _ : / -`. */
    readonly clientOrderId?: string;
}
export interface OrderOpenParams {
    /** Market symbol, for instance `btcusdt`. Letter case does not matter. */
    readonly symbol?: string;
}
export interface OrderHistoryParams {
    /** Market symbol, for instance `btcusdt`. Letter case does not matter. */
    readonly symbol?: string;
    /**
     * Only orders with this status.
     */
    readonly status?: "pending" | "open" | "partially_filled" | "filled" | "canceled" | "expired" | "rejected";
    /**
     * Only this side.
     */
    readonly side?: "buy" | "sell";
    /**
     * Only this type.
     */
    readonly type?: "limit" | "market" | "stop_limit" | "stop_market" | "take_profit_limit" | "take_profit_market" | "trailing_stop";
    /** From this time on, inclusive. Digits, at least 0, at most 9999999999999. */
    readonly from?: string | number;
    /** Until before this time. Digits, at least 0, at most 9999999999999. */
    readonly to?: string | number;
    /**
     * Oldest or newest first; newest when absent, oldest when `from` is given.
     */
    readonly sort?: "asc" | "desc";
    /** Most items of one page; 100 when absent. Digits, at least 1, at most 500. */
    readonly limit?: string | number;
    /** The `nextCursor` of the page before, with the same other parameters. */
    readonly cursor?: string;
}
export interface OrderHistoryResult {
    readonly items: readonly Order[];
    /** Where the next page begins; empty at the end. */
    readonly nextCursor: string;
}
export interface OrderTradesParams {
    /** Market symbol, for instance `btcusdt`. Letter case does not matter. */
    readonly symbol?: string;
    /** The venue’s id of the order. */
    readonly orderId?: string;
    /** From this trade on, inclusive; then oldest first unless `sort` says otherwise. */
    readonly fromId?: string;
    /** From this time on, inclusive. Digits, at least 0, at most 9999999999999. */
    readonly from?: string | number;
    /** Until before this time. Digits, at least 0, at most 9999999999999. */
    readonly to?: string | number;
    /**
     * Oldest or newest first; newest when absent, oldest when `from` is given.
     */
    readonly sort?: "asc" | "desc";
    /** Most items of one page; 100 when absent. Digits, at least 1, at most 500. */
    readonly limit?: string | number;
    /** The `nextCursor` of the page before, with the same other parameters. */
    readonly cursor?: string;
}
export interface OrderTradesResult {
    readonly items: readonly MyTrade[];
    /** Where the next page begins; empty at the end. */
    readonly nextCursor: string;
}
export interface OrderPreventedMatchesParams {
    /** Market symbol, for instance `btcusdt`. Letter case does not matter. */
    readonly symbol?: string;
    /** The venue’s id of the order. */
    readonly orderId?: string;
    /** From this time on, inclusive. Digits, at least 0, at most 9999999999999. */
    readonly from?: string | number;
    /** Until before this time. Digits, at least 0, at most 9999999999999. */
    readonly to?: string | number;
    /**
     * Oldest or newest first; newest when absent, oldest when `from` is given.
     */
    readonly sort?: "asc" | "desc";
    /** Most items of one page; 100 when absent. Digits, at least 1, at most 500. */
    readonly limit?: string | number;
    /** The `nextCursor` of the page before, with the same other parameters. */
    readonly cursor?: string;
}
export interface PreventedMatch {
    /** Market symbol. */
    readonly symbol: string;
    /** The incoming order; empty if it belongs to another account of the family. */
    readonly takerOrderId: string;
    /** The resting order; empty if it belongs to another account of the family. */
    readonly makerOrderId: string;
    /**
     * Which of the two orders is the account’s own; both, or only one of them.
     */
    readonly role: "taker" | "maker" | "both";
    /** Price at which they would have traded. */
    readonly price: string;
    /** By which both orders shrank; zero in the modes that end an order. */
    readonly volume: string;
    /**
     * The `stpMode` of the incoming order, which decided.
     */
    readonly mode: "expire_taker" | "expire_maker" | "expire_both" | "decrement";
    /** When it happened. */
    readonly time: string;
    /** The engine event it was part of. */
    readonly engineSeq: string;
}
export interface OrderPreventedMatchesResult {
    readonly items: readonly PreventedMatch[];
    /** Where the next page begins; empty at the end. */
    readonly nextCursor: string;
}
export interface OrderListCreateOcoParams {
    /** Market symbol, for instance `btcusdt`. Letter case does not matter. */
    readonly symbol: string;
    /**
     * Which side, of both legs.
     */
    readonly side: "buy" | "sell";
    /** Of each leg; only one of them trades. */
    readonly volume: string;
    /** Limit of the leg that takes the profit. */
    readonly limitPrice: string;
    /** Trigger of the leg that limits the loss. */
    readonly stopPrice: string;
    /** Limit of the stop. When absent, it becomes a market order, which only a sell may. */
    readonly stopLimitPrice?: string;
    /**
     * Of both legs: what happens instead of a trade with oneself.
     */
    readonly stpMode?: "expire_taker" | "expire_maker" | "expire_both" | "decrement";
    /** An id of your own for the limit leg. */
    readonly limitClientOrderId?: string;
    /** An id of your own for the stop leg. */
    readonly stopClientOrderId?: string;
}
export interface OrderList {
    /** The venue’s id of the list, which is the order id of its first leg. */
    readonly orderListId: string;
    /**
     * `oco`: a limit order and a stop, of which at most one trades. `bracket`: an entry, and an OCO of the other side that begins when the entry has ended.
     */
    readonly kind: "oco" | "bracket";
    /** Market symbol. */
    readonly symbol: string;
    /**
     * Which side: of both legs, or of the entry.
     */
    readonly side: "buy" | "sell";
    /**
     * `done` when every leg has ended.
     */
    readonly status: "executing" | "done";
    /** Its legs: the limit order and the stop; of a bracket the entry, the exit that takes the profit and the exit that limits the loss. */
    readonly orders: readonly Order[];
    /** When it was taken. */
    readonly createdAt: string;
    /** When a leg last changed. */
    readonly updatedAt: string;
}
export interface OrderListCreateBracketParams {
    /** Market symbol, for instance `btcusdt`. Letter case does not matter. */
    readonly symbol: string;
    /**
     * Which side, of the entry; the exits have the other.
     */
    readonly side: "buy" | "sell";
    /**
     * The type of the entry.
     */
    readonly type: "limit" | "market";
    /** Limit, for the limit types, and for a trailing stop that becomes a limit order; at most `quotePrecision` decimals, inside the price band. */
    readonly price?: string;
    /** In the base coin; at most `basePrecision` decimals. */
    readonly volume?: string;
    /** Quote amount to spend, for buys of a market type, instead of `volume`. */
    readonly total?: string;
    /**
     * For limit types; `GTC` when absent. Market types take none.
     */
    readonly timeInForce?: "GTC" | "IOC" | "FOK" | "GTD";
    /** With `GTD`: when the order ends, 5 seconds to 90 days ahead. Digits, at least 1. */
    readonly expireTime?: string | number;
    /** Refused rather than taking. For limit with `GTC` or `GTD`. */
    readonly postOnly?: boolean;
    /** Iceberg: the part that is shown. For limit with `GTC` or `GTD`. */
    readonly visibleVolume?: string;
    /**
     * What happens instead of a trade with oneself; the market’s own when absent.
     */
    readonly stpMode?: "expire_taker" | "expire_maker" | "expire_both" | "decrement";
    /** An id of your own, 1 to 36 characters of `A-Z a-z 0-9 . _ : / -`. */
    readonly clientOrderId?: string;
    /** Limit of the exit that takes the profit. */
    readonly takeProfitPrice: string;
    /** Trigger of the exit that limits the loss. */
    readonly stopLossPrice: string;
    /** Limit of that stop. When absent, it becomes a market order, which only a sell may. */
    readonly stopLossLimitPrice?: string;
    /** An id of your own for the exit that takes the profit. */
    readonly takeProfitClientOrderId?: string;
    /** An id of your own for the exit that limits the loss. */
    readonly stopLossClientOrderId?: string;
}
export interface OrderListCancelParams {
    /** The venue’s id of the list, which is the order id of its first leg. */
    readonly orderListId: string;
}
export interface OrderListGetParams {
    /** The venue’s id of the list, which is the order id of its first leg. */
    readonly orderListId: string;
}
export interface OrderListOpenParams {
    /** Market symbol, for instance `btcusdt`. Letter case does not matter. */
    readonly symbol?: string;
}
export interface OrderReceiptParams {
    /** The venue’s id of the order. */
    readonly orderId?: string;
    /** An id of your own, 1 to 36 characters of `A-Z a-z 0-9 . _ : / -`. */
    readonly clientOrderId?: string;
}
export interface StreamTicket {
    /** Good once. */
    readonly ticket: string;
    /** Milliseconds for which it can be used. */
    readonly livesMs: string;
}
