import { Type } from 'typebox';
import { accessCoin } from '../coins/access.ts';
import { getFeeTier } from '../fees/access.ts';
import { toRates } from '../fees/tier.ts';
import { tradingRoute } from '../http/route.ts';
import { getMarket } from '../markets/access.ts';
import { CoinSymbol, MarketSymbol, toMillis } from '../values.ts';
import { AccountFee, AccountInfo, Balance, isZero, RateLimit, toBalance } from './shapes.ts';
import { listBalances } from './store.ts';

export const getAccountInfo = tradingRoute({
  name: 'privateAccountInfo',
  method: 'GET',
  path: '/private/account/info',
  access: 'read',
  summary: 'The account that the key belongs to.',
  params: Type.Object({}),
  returns: AccountInfo,
  async handle(ctx, { account, permissions, nowMs }) {
    const tier = await getFeeTier(ctx, account.feeTier);
    const { withdrawFreezeUntil: freeze } = account;
    const isFrozen = freeze !== null && freeze.getTime() > nowMs;
    return {
      accountId: String(account.id),
      parentAccountId: account.parentAccountId === null ? '' : String(account.parentAccountId),
      permissions: [...permissions],
      feeTier: String(account.feeTier),
      ...toRates(tier),
      // Trades move the volume, and the venue has none before its engine has run.
      volume30d: '0',
      canTrade: !account.isSuspended,
      canDeposit: !account.isSuspended,
      canWithdraw: !account.isSuspended && !isFrozen,
      stpScope: 'account' as const,
      withdrawFreezeUntil: isFrozen ? toMillis(freeze) : '',
      createdAt: toMillis(account.createdAt),
    };
  },
});

export const getBalances = tradingRoute({
  name: 'privateAccountBalances',
  method: 'GET',
  path: '/private/account/balances',
  access: 'read',
  summary: 'What the account has, per coin.',
  params: Type.Object({
    coin: Type.Optional(CoinSymbol),
    omitZero: Type.Optional(
      Type.Boolean({
        description: 'Leaves out coins of which there is nothing. False when absent.',
      }),
    ),
  }),
  returns: Type.Array(Balance),
  errors: ['UNKNOWN_COIN'],
  async handle(ctx, { account }, { coin, omitZero = false }) {
    const coins =
      coin === undefined
        ? [...(await ctx.coins()).bySymbol.keys()]
        : [(await accessCoin(ctx, coin, 'coin')).symbol];
    const known = await listBalances(ctx.db, account.id);
    const byCoin = new Map(known.map((balance) => [balance.coin, balance]));
    const balances = coins.map((symbol) => toBalance(symbol, byCoin.get(symbol)));
    return omitZero ? balances.filter((balance) => !isZero(balance)) : balances;
  },
});

export const getAccountFees = tradingRoute({
  name: 'privateAccountFees',
  method: 'GET',
  path: '/private/account/fees',
  access: 'read',
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

export const getRateLimits = tradingRoute({
  name: 'privateAccountRateLimits',
  method: 'GET',
  path: '/private/account/rate_limits',
  access: 'read',
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
