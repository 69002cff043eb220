// Markets, coins, networks and fees. All of them take the grant `markets`.
import { STP_MODES } from '@rialto/matching';
import { Type, type Static } from 'typebox';
import { parseAmount } from '../amount.ts';
import { getCoin } from '../coins/access.ts';
import { defineCoin } from '../coins/actions.ts';
import { Network } from '../coins/coin.ts';
import { defineFeeTier, setFamilyTier, unpinFamilyTier } from '../fees/actions.ts';
import { refuse } from '../http/errors.ts';
import { PHASES } from '../markets/market.ts';
import { accessAccount, getMarketConfig } from '../operators/access.ts';
import { requestAct } from '../operators/actions.ts';
import { cancelOrdersIn, configureMarket, createMarket } from '../operators/acts.ts';
import { toMarketConfig, toMarketTerms } from '../operators/market-terms.ts';
import { phaseAct } from '../operators/phases.ts';
import { Choice, CoinSymbol, Decimal, MarketSymbol, MS_MAX } from '../values.ts';
import { adminRoute } from './route.ts';
import { Account, answerAct, Reason, Requested } from './shapes.ts';

const MARKETS = { method: 'POST', grant: 'markets', stepUp: 'fresh' } as const;

const whole = (maximum: number, description: string) =>
  Type.Integer({ minimum: 0, maximum, description });

const NEEDED = {
  basePrecision: whole(18, 'Decimals of volumes.'),
  quotePrecision: whole(18, 'Decimals of prices; both together at most 18.'),
  minimumQuoteSize: Decimal('Smallest order, in quote units.'),
  maxMarketOrderAsk: Decimal('Largest market order to sell, in base units.'),
  maxMarketOrderBid: Decimal('Largest market order to buy, in quote units.'),
  listingPrice: Decimal('The price before the first trade.'),
};
const FREE = {
  minimumVolume: Type.Optional(Decimal('Smallest volume.')),
  maximumVolume: Type.Optional(Decimal('Largest volume.')),
  minimumPrice: Type.Optional(Decimal('Lowest price.')),
  maximumPrice: Type.Optional(Decimal('Highest price.')),
  priceBandPercent: Type.Optional(Decimal('How far a limit price may be from the last.')),
  marketSlippagePercent: Type.Optional(Decimal('How far a market order may walk.')),
  haltPercent: Type.Optional(Decimal('Move within five minutes that halts the market; 0: never.')),
  haltMinutes: Type.Optional(whole(1440, 'How long such a halt lasts.')),
  defaultStpMode: Type.Optional(
    Choice(STP_MODES, 'What happens when two orders of one family meet.'),
  ),
  maxOpenOrders: Type.Optional(whole(1_000_000, 'Open orders of an account.')),
  maxConditionalOrders: Type.Optional(
    whole(1_000_000, 'Waiting conditional orders of an account.'),
  ),
  icebergParts: Type.Optional(whole(1000, 'Slices that an order may be shown in.')),
  auctionSeconds: Type.Optional(whole(86_400, 'Length of the auction after such a halt; 0: none.')),
};

export const postMarket = adminRoute({
  ...MARKETS,
  name: 'adminMarketCreate',
  path: '/market/create',
  audit: ['market create'],
  summary: 'Makes a market; it begins in the phase pre_open.',
  params: Type.Object({ base: CoinSymbol, quote: CoinSymbol, ...NEEDED, ...FREE }),
  returns: Requested,
  handle: (ctx, { operator }, terms) =>
    answerAct(ctx, requestAct(ctx, operator, createMarket(toMarketConfig(terms)))),
});

export const postMarketUpdate = adminRoute({
  ...MARKETS,
  name: 'adminMarketUpdate',
  path: '/market/update',
  audit: ['market configure'],
  summary: 'Changes the terms that are given, and leaves the others.',
  params: Type.Object({
    symbol: MarketSymbol,
    ...Type.Partial(Type.Object(NEEDED)).properties,
    ...FREE,
  }),
  returns: Requested,
  errors: ['UNKNOWN_SYMBOL'],
  async handle(ctx, { operator }, { symbol, ...changes }) {
    const before = toMarketTerms(await getMarketConfig(ctx.db, symbol));
    const { base, quote } = before;
    const config = toMarketConfig({ ...before, ...changes, base, quote });
    return answerAct(ctx, requestAct(ctx, operator, configureMarket(config)));
  },
});

export const postMarketPhase = adminRoute({
  ...MARKETS,
  name: 'adminMarketPhase',
  path: '/market/phase',
  audit: ['market phase'],
  summary: 'Moves a market into a phase. What a broken rule stopped takes a second operator.',
  params: Type.Object({
    symbol: MarketSymbol,
    phase: Choice(PHASES, 'The phase.'),
    reason: Type.String({
      ...Reason,
      description:
        'Why. The audit log keeps it, and traders see it while the market is halted, takes cancellations only or posts only.',
    }),
    until: Type.Optional(
      Type.Integer({ minimum: 0, maximum: MS_MAX, description: 'Of an auction: when it ends.' }),
    ),
    confirm: Type.Optional(
      Type.String({ maxLength: 32, description: 'For `delisted`: the symbol once more.' }),
    ),
  }),
  returns: Requested,
  errors: ['UNKNOWN_SYMBOL', 'PARAMETER_CONFLICT'],
  async handle(ctx, { operator }, { symbol, phase, reason, until, confirm }) {
    if (phase === 'delisted' && confirm !== symbol) {
      throw refuse(
        'PARAMETER_CONFLICT',
        `Delisting cancels every order of ${symbol} and cannot be undone. If you mean it, send confirm=${symbol}.`,
        { parameter: 'confirm' },
      );
    }
    if (until !== undefined && phase !== 'auction') {
      throw refuse('PARAMETER_CONFLICT', 'Only an auction ends by itself.', { parameter: 'until' });
    }
    return answerAct(
      ctx,
      requestAct(ctx, operator, await phaseAct(ctx.db, symbol, phase, reason, until)),
    );
  },
});

export const postMarketCancel = adminRoute({
  ...MARKETS,
  name: 'adminMarketCancelOrders',
  path: '/market/cancel_orders',
  audit: ['market cancel_orders'],
  summary: 'Cancels the orders of everybody in a market.',
  params: Type.Object({ symbol: MarketSymbol, reason: Reason }),
  returns: Requested,
  handle: (ctx, { operator }, { symbol, reason }) =>
    answerAct(ctx, requestAct(ctx, operator, cancelOrdersIn(symbol, reason))),
});

const NETWORKS_MAX = 50;

/** An empty text counts as absent in a request, so what may be empty is optional. */
function toNetwork(given: Partial<Static<typeof Network>>): Record<string, unknown> {
  const empty = Object.fromEntries(Object.keys(Network.properties).map((name) => [name, '']));
  return { ...empty, isDefault: false, memoRequired: false, ...given };
}

export const postCoin = adminRoute({
  ...MARKETS,
  name: 'adminCoinUpsert',
  path: '/coin/upsert',
  audit: ['coin add'],
  summary: 'Defines a coin with its networks, or changes its definition.',
  params: Type.Object({
    symbol: CoinSymbol,
    nameEn: Type.String({ maxLength: 100, description: 'Name in English.' }),
    nameFa: Type.String({ maxLength: 100, description: 'Name in Persian.' }),
    networks: Type.Optional(
      Type.Array(Type.Partial(Network), {
        maxItems: NETWORKS_MAX,
        description: 'Its networks, each with its NetworkSymbol; none for a coin on no network.',
      }),
    ),
  }),
  returns: Requested,
  handle: (ctx, { operator }, { networks = [], ...coin }) =>
    answerAct(
      ctx,
      defineCoin(ctx, operator, {
        ...coin,
        networks: Object.fromEntries(
          networks.map((network) => [network.NetworkSymbol ?? '', toNetwork(network)]),
        ),
      }),
    ),
});

const Status = Choice(['active', 'paused', 'disabled'], 'The new status; absent: as it is.');

export const postNetworkStatus = adminRoute({
  ...MARKETS,
  name: 'adminNetworkStatus',
  path: '/network/status',
  audit: ['coin add'],
  summary: 'Opens, pauses or closes deposits and withdrawals over a network of a coin.',
  params: Type.Object({
    coin: CoinSymbol,
    network: Type.String({ maxLength: 32, description: 'The network.', examples: ['ETH'] }),
    depositStatus: Type.Optional(Status),
    withdrawStatus: Type.Optional(Status),
    reason: Reason,
  }),
  returns: Requested,
  errors: ['UNKNOWN_COIN', 'UNKNOWN_NETWORK', 'PARAMETER_CONFLICT'],
  async handle(ctx, { operator }, { coin: symbol, network, depositStatus, withdrawStatus }) {
    const coin = await getCoin(ctx.db, symbol);
    const before = coin.networks[network];
    if (before === undefined) {
      throw refuse('UNKNOWN_NETWORK', `${symbol} is not on the network '${network}'.`, { network });
    }
    if (depositStatus === undefined && withdrawStatus === undefined) {
      throw refuse('PARAMETER_CONFLICT', 'Give depositStatus, withdrawStatus, or both.');
    }
    const after = {
      ...before,
      depositStatus: depositStatus ?? before.depositStatus,
      withdrawStatus: withdrawStatus ?? before.withdrawStatus,
    };
    const networks = { ...coin.networks, [network]: after };
    return answerAct(ctx, defineCoin(ctx, operator, { ...coin, networks }));
  },
});

const Tier = whole(1000, 'A fee tier; every account starts in 0.');
const millionths = (minimum: number, description: string) =>
  Type.Integer({ minimum, maximum: 1_000_000, description });

export const postFeeTier = adminRoute({
  ...MARKETS,
  name: 'adminFeesDefine',
  path: '/fees/define',
  audit: ['fees define'],
  summary: 'Defines the rates of a tier, or changes them.',
  params: Type.Object({
    tier: Tier,
    makerMillionths: millionths(-1_000_000, 'What a resting order pays; below zero a rebate.'),
    takerMillionths: millionths(0, 'What a taking order pays.'),
    minVolume: Type.Optional(Decimal('30-day volume from which it applies; 0 when absent.')),
  }),
  returns: Requested,
  handle(ctx, { operator }, { minVolume = '0', ...tier }) {
    const minVolume30d = parseAmount(minVolume);
    if (minVolume30d === undefined) {
      throw refuse('PARAMETER_INVALID', "The parameter 'minVolume' must be a decimal number.", {
        parameter: 'minVolume',
      });
    }
    return answerAct(ctx, defineFeeTier(ctx, operator, { ...tier, minVolume30d }));
  },
});

export const postFamilyTier = adminRoute({
  ...MARKETS,
  name: 'adminFeesSetTier',
  path: '/fees/set_tier',
  audit: ['fees set_tier', 'fees pin'],
  summary: 'Puts an account and its family into a tier, until the next fee day or pinned.',
  params: Type.Object({
    account: Account,
    tier: Tier,
    isPinned: Type.Optional(Type.Boolean({ description: 'Whether fee days leave it alone.' })),
    reason: Reason,
  }),
  returns: Requested,
  errors: ['ACCOUNT_UNKNOWN', 'ACT_REFUSED'],
  async handle(ctx, { operator }, { account: text, tier, isPinned = false, reason }) {
    const account = await accessAccount(ctx.db, text);
    return answerAct(ctx, setFamilyTier(ctx, operator, { account, tier, isPinned, reason }));
  },
});

export const postFamilyUnpin = adminRoute({
  ...MARKETS,
  name: 'adminFeesUnpin',
  path: '/fees/unpin',
  audit: ['fees unpin'],
  summary: 'Lets the volume decide again, from the next fee day on.',
  params: Type.Object({ account: Account, reason: Reason }),
  returns: Type.Object({ account: Type.String(), wasPinned: Type.Boolean() }),
  errors: ['ACCOUNT_UNKNOWN'],
  async handle(ctx, _caller, { account, reason }) {
    const id = await accessAccount(ctx.db, account);
    const { family, wasPinned } = await unpinFamilyTier(ctx, id, reason);
    return { account: String(family), wasPinned };
  },
});
