import { Type } from 'typebox';
import { accessCoin } from '../coins/access.ts';
import { getFeeTier } from '../fees/access.ts';
import { toRates } from '../fees/tier.ts';
import { answerLive, ENGINE_SEQ_HEADER } from '../engine/live.ts';
import { tradingRoute } from '../http/route.ts';
import { getMarket } from '../markets/access.ts';
import { Page, PAGE_PARAMS } from '../pages.ts';
import { Choice, CoinSymbol, MarketSymbol } from '../values.ts';
import { COMPLETE_HEADER } from '../projections/access.ts';
import { listBalances, pageLedger, readAccountInfo } from './access.ts';
import { LEDGER_KINDS, LedgerEntry } from './ledger.ts';
import { AccountFee, AccountInfo, Balance, isZero, RateLimit } from './shapes.ts';

export const getAccountInfo = tradingRoute({
  name: 'privateAccountInfo',
  method: 'GET',
  path: '/private/account/info',
  access: 'read',
  whileSuspended: true,
  summary: 'The account that the key belongs to.',
  params: Type.Object({}),
  returns: AccountInfo,
  handle: readAccountInfo,
});

export const getBalances = tradingRoute({
  name: 'privateAccountBalances',
  method: 'GET',
  path: '/private/account/balances',
  access: 'read',
  whileSuspended: true,
  summary: 'What the account has, per coin, as it is now.',
  params: Type.Object({
    coin: Type.Optional(CoinSymbol),
    omitZero: Type.Optional(
      Type.Boolean({
        description: 'Leaves out coins of which there is nothing. False when absent.',
      }),
    ),
  }),
  returns: Type.Array(Balance),
  headers: [ENGINE_SEQ_HEADER],
  errors: ['UNKNOWN_COIN', 'TIMEOUT'],
  async handle(ctx, caller, { coin, omitZero = false }) {
    const coins =
      coin === undefined
        ? [...(await ctx.coins()).bySymbol.keys()]
        : [(await accessCoin(ctx, coin, 'coin')).symbol];
    return answerLive(ctx, async () => {
      const balances = await listBalances(ctx, caller, coins);
      return omitZero ? balances.filter((balance) => !isZero(balance)) : balances;
    });
  },
});

export const getAccountFees = tradingRoute({
  name: 'privateAccountFees',
  method: 'GET',
  path: '/private/account/fees',
  access: 'read',
  whileSuspended: true,
  summary: 'The rates that the account pays, per market.',
  params: Type.Object({ symbol: Type.Optional(MarketSymbol) }),
  returns: Type.Array(AccountFee),
  errors: ['UNKNOWN_SYMBOL'],
  async handle(ctx, { account }, { symbol }) {
    const list = await ctx.markets();
    const markets = symbol === undefined ? [...list.bySymbol.values()] : [getMarket(list, symbol)];
    const rates = toRates(await getFeeTier(ctx, account.feeTier));
    const tier = String(account.feeTier);
    return markets.map((market) => ({
      symbol: market.symbol,
      ...rates,
      feeSide: 'received' as const,
      tier,
    }));
  },
});

export const getLedger = tradingRoute({
  name: 'privateAccountLedger',
  method: 'GET',
  path: '/private/account/ledger',
  access: 'read',
  whileSuspended: true,
  summary:
    'Everything that changed the account’s total in a coin. Holds move money within the total and have no entry.',
  params: Type.Object({
    coin: Type.Optional(CoinSymbol),
    kind: Type.Optional(Choice(LEDGER_KINDS, 'Only entries of this kind.')),
    ...PAGE_PARAMS,
  }),
  returns: Page(LedgerEntry),
  headers: [COMPLETE_HEADER],
  errors: ['UNKNOWN_COIN', 'CURSOR_INVALID'],
  async handle(ctx, caller, { coin, kind, ...page }) {
    if (coin !== undefined) await accessCoin(ctx, coin, 'coin');
    return pageLedger(ctx, caller, { coin, kind }, page);
  },
});

export const getRateLimits = tradingRoute({
  name: 'privateAccountRateLimits',
  method: 'GET',
  path: '/private/account/rate_limits',
  access: 'read',
  whileSuspended: true,
  summary: 'The limits in force and how much of them is used.',
  params: Type.Object({}),
  returns: Type.Array(RateLimit),
  handle(ctx, { admissions }) {
    const { TRADING_RATE_LIMIT: limit, TRADING_RATE_WINDOW_MS: windowMs } = ctx.config;
    return (['address', 'account'] as const).map((scope) => {
      const { remaining, resetMs } = admissions[scope];
      return {
        scope,
        limit: String(limit),
        windowMs: String(windowMs),
        used: String(limit - remaining),
        remaining: String(remaining),
        resetAt: String(Math.ceil(resetMs)),
      };
    });
  },
});
