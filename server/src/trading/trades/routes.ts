import { Type } from 'typebox';
import { tradingRoute } from '../http/route.ts';
import { accessMarket } from '../markets/access.ts';
import { answerHistory, COMPLETE_HEADER } from '../projections/access.ts';
import { MarketSymbol, MS_MAX } from '../values.ts';
import { readTrades } from './access.ts';
import { PublicTrade, toPublicTrade } from './trade.ts';

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 1000;

export const getLastTrades = tradingRoute({
  name: 'publicLastTrades',
  method: 'GET',
  path: '/public/last_trades',
  access: 'public',
  summary:
    'Trades of a market: the newest first, or from a given one or time on, the oldest first.',
  params: Type.Object({
    symbol: MarketSymbol,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LIMIT_MAX,
        description: `Trades at most; ${LIMIT_DEFAULT} when absent.`,
      }),
    ),
    fromId: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'From this trade id on.',
      }),
    ),
    from: Type.Optional(
      Type.Integer({ minimum: 0, maximum: MS_MAX, description: 'From this time on, inclusive.' }),
    ),
    to: Type.Optional(
      Type.Integer({ minimum: 0, maximum: MS_MAX, description: 'Until before this time.' }),
    ),
  }),
  returns: Type.Array(PublicTrade),
  headers: [COMPLETE_HEADER],
  errors: ['UNKNOWN_SYMBOL'],
  async handle(ctx, _caller, { symbol, limit = LIMIT_DEFAULT, fromId, from, to }) {
    const market = await accessMarket(ctx, symbol);
    const { trades, completeTo } = await readTrades(ctx, {
      symbol: market.symbol,
      limit,
      sort: fromId === undefined && from === undefined ? 'desc' : 'asc',
      fromId: fromId === undefined ? undefined : BigInt(fromId),
      from,
      to,
    });
    return answerHistory(
      trades.map((trade) => toPublicTrade(trade, market)),
      completeTo,
    );
  },
});
