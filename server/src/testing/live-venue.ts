// The small venue of venue.ts with a running engine. Its coins are listed, its markets opened and its money deposited
// by the commands that operators and custody use, so it needs an engine (`withEngine`).
import type { Phase } from '@rialto/matching';
import type { Context } from '../platform/context.ts';
import { assert } from '../platform/std/assert.ts';
import { parseAmount } from '../trading/amount.ts';
import { defineCoin } from '../trading/coins/actions.ts';
import type { Coin, Network } from '../trading/coins/coin.ts';
import { depositSimulated } from '../trading/custody/simulated.ts';
import { awaitCommand, requestAct } from '../trading/operators/actions.ts';
import { createMarket, setPhase } from '../trading/operators/acts.ts';
import type { Act } from '../trading/operators/command-row.ts';
import { describeCommand } from '../trading/operators/explain.ts';
import { toMarketConfig, type MarketTerms } from '../trading/operators/market-terms.ts';
import type { Operator } from '../accounts/operators/operator.ts';
import { exampleTrader, type Trader } from './trader.ts';
import { EXAMPLE_COINS, EXAMPLE_MARKETS, EXAMPLE_NETWORKS } from './venue.ts';
import { exampleOperator } from './operators.ts';

/** Whole coins, as decimal text. */
export type Funds = Readonly<Record<string, string>>;

export const RICH: Funds = {
  btc: '100',
  eth: '1000',
  usdt: '10000000',
  xrp: '1000000',
  irt: '900000000000',
};

export interface LiveVenue {
  readonly operator: Operator;
  /** Has the engine carry out an act; throws when it is refused. */
  perform(act: Act): Promise<void>;
  /** Credits an account, and returns when the engine has done so. */
  fund(accountId: bigint, funds: Funds): Promise<void>;
  /** A person with a key that may read and trade, and with money; RICH by default. */
  trader(funds?: Funds, key?: Parameters<typeof exampleTrader>[1]): Promise<Trader>;
  setPhase(symbol: string, phase: Phase): Promise<void>;
}

const LISTING_PRICES: Readonly<Record<string, string>> = {
  btcusdt: '64000',
  btcirt: '5500000000',
  ethusdt: '3200',
  xrpusdt: '2.5',
};

/** The terms of an example market, with the `changes` that a test is about. */
export function exampleTerms(symbol: string, changes: Partial<MarketTerms> = {}): MarketTerms {
  const market = EXAMPLE_MARKETS.find((one) => one.symbol === symbol);
  assert(market !== undefined, 'the example venue has such a market', { symbol });
  return {
    base: market.base,
    quote: market.quote,
    basePrecision: market.basePrecision,
    quotePrecision: market.quotePrecision,
    minimumQuoteSize: String(market.minimumQuoteSize),
    maxMarketOrderAsk: String(market.maxMarketOrderAsk),
    maxMarketOrderBid: String(market.maxMarketOrderBid),
    listingPrice: LISTING_PRICES[symbol] ?? '1',
    // Tests cross the book within a second; tests of halts set their own value.
    haltPercent: '0',
    ...changes,
  };
}

export interface LiveVenueOptions {
  /** Changes of the example's terms, by symbol. */
  readonly terms?: Readonly<Record<string, Partial<MarketTerms>>>;
  /** Puts every market into this phase instead of its own. */
  readonly phase?: Phase;
}

const WAIT_MS = 10_000;

/** Fills the venue of a test server or a context whose database has a running engine. */
export async function liveVenue(
  { ctx }: { readonly ctx: Context },
  { terms = {}, phase }: LiveVenueOptions = {},
): Promise<LiveVenue> {
  const operator = await exampleOperator(ctx);
  const venue: LiveVenue = {
    operator,
    async perform(act) {
      await settled(ctx, [await requestAct(ctx, operator, act)]);
    },
    async fund(accountId, funds) {
      const deposits = Object.entries(funds).map(([coin, text]) => {
        const amount = parseAmount(text);
        assert(amount !== undefined, 'funds are decimal texts', { coin, text });
        return { to: Number(accountId), coin, amount };
      });
      await settled(ctx, await depositSimulated(ctx, deposits));
    },
    async trader(funds = RICH, key = {}) {
      const trader = await exampleTrader(ctx, key);
      await venue.fund(trader.accountId, funds);
      return trader;
    },
    setPhase: (symbol, next) => venue.perform(setPhase(symbol, next)),
  };
  const listed: bigint[] = [];
  for (const coin of exampleCoins()) listed.push(await defineCoin(ctx, operator, coin));
  for (const { symbol, phase: own = 'pre_open' } of EXAMPLE_MARKETS) {
    const config = toMarketConfig(exampleTerms(symbol, terms[symbol]));
    listed.push(await requestAct(ctx, operator, createMarket(config)));
    listed.push(await requestAct(ctx, operator, setPhase(symbol, phase ?? own)));
  }
  await settled(ctx, listed);
  return venue;
}

async function settled(ctx: Context, ids: readonly bigint[]): Promise<void> {
  for (const id of ids) {
    const command = await awaitCommand(ctx, id, WAIT_MS);
    assert(command.status === 'done', describeCommand(command), { act: command.act });
  }
}

/** The example's rows as an operator gives them. */
export function exampleCoins(): Coin[] {
  return EXAMPLE_COINS.map((coin) => ({
    symbol: coin.symbol,
    nameEn: coin.nameEn,
    nameFa: coin.nameFa,
    networks: Object.fromEntries(
      EXAMPLE_NETWORKS.filter((row) => row.coin === coin.symbol).map((row) => [
        row.network,
        toNetwork(row),
      ]),
    ),
  }));
}

function toNetwork(row: (typeof EXAMPLE_NETWORKS)[number]): Network {
  return {
    NetworkSymbol: row.network,
    NetworkNameEn: row.networkNameEn,
    NetworkNameFa: row.networkNameFa,
    isDefault: row.isDefault ?? false,
    tokenNameOnNetwork: row.tokenName ?? '',
    tokenSymbolOnNetwork: row.tokenSymbol,
    addressUrl: row.addressUrl,
    contractAddressUrl: row.contractAddressUrl ?? '',
    transactionUrl: row.transactionUrl,
    contractAddress: row.contractAddress ?? '',
    memoRequired: row.memoRequired ?? false,
    memoRegex: row.memoRegex ?? '',
    addressRegex: row.addressRegex,
    tokenDecimal: String(row.tokenDecimal),
    depositFee: String(row.depositFee ?? '0'),
    withdrawFee: String(row.withdrawFee ?? '0'),
    depositStatus: (row.depositStatus ?? 'active') as Network['depositStatus'],
    withdrawStatus: (row.withdrawStatus ?? 'active') as Network['withdrawStatus'],
    minimumDeposit: String(row.minimumDeposit ?? '0'),
    minimumWithdraw: String(row.minimumWithdraw ?? '0'),
    DepositConfirmationCount: String(row.depositConfirmations),
    withdrawPrecision: String(row.withdrawPrecision),
  };
}
