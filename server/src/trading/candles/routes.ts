import { Type } from 'typebox';
import { tradingRoute } from '../http/route.ts';
import { accessMarket } from '../markets/access.ts';
import { answerHistory, COMPLETE_HEADER } from '../projections/access.ts';
import { Choice, MarketSymbol, MS_MAX } from '../values.ts';
import { readCandles } from './access.ts';
import { Candle, fillGaps, spanOf, toCandle } from './candle.ts';
import { RESOLUTIONS } from './resolution.ts';

const LIMIT_DEFAULT = 500;
const LIMIT_MAX = 1000;

export const getCandlesticks = tradingRoute({
  name: 'publicCandlesticks',
  method: 'GET',
  path: '/public/candlesticks',
  access: 'public',
  summary: 'Candles of a market, oldest first, without gaps.',
  params: Type.Object({
    symbol: MarketSymbol,
    resolution: Choice(RESOLUTIONS, 'Length of an interval; they begin at UTC boundaries.'),
    from: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MS_MAX,
        description: 'Intervals that begin at this time or later.',
      }),
    ),
    to: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MS_MAX,
        description: 'Intervals that begin before this time.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LIMIT_MAX,
        description: `Candles at most; ${LIMIT_DEFAULT} when absent.`,
      }),
    ),
  }),
  returns: Type.Array(Candle),
  headers: [COMPLETE_HEADER],
  errors: ['UNKNOWN_SYMBOL'],
  async handle(ctx, { nowMs }, { symbol, resolution, from, to, limit = LIMIT_DEFAULT }) {
    const market = await accessMarket(ctx, symbol);
    const span = spanOf({ resolution, from, to, limit, nowMs });
    if (span === undefined) return [];
    const { traded, previousClose, completeTo } = await readCandles(
      ctx,
      market.symbol,
      resolution,
      span,
    );
    const candles = fillGaps(resolution, span, traded, previousClose).map((interval) =>
      toCandle(interval, market, resolution, nowMs),
    );
    return answerHistory(candles, completeTo);
  },
});
