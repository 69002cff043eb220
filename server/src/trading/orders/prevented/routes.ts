import { Type } from 'typebox';
import { tradingRoute } from '../../http/route.ts';
import { Page, PAGE_PARAMS } from '../../pages.ts';
import { COMPLETE_HEADER } from '../../projections/access.ts';
import { MarketSymbol } from '../../values.ts';
import { OrderId } from '../terms.ts';
import { pagePrevented } from './access.ts';
import { PreventedMatch } from './match.ts';

export const getPreventedMatches = tradingRoute({
  name: 'privateOrderPreventedMatches',
  method: 'GET',
  path: '/private/order/prevented_matches',
  access: 'read',
  whileSuspended: true,
  summary:
    'Matches with the account’s own family that self-trade prevention stopped, by time. An order of another account of the family stays unnamed.',
  params: Type.Object({
    symbol: Type.Optional(MarketSymbol),
    orderId: Type.Optional(OrderId),
    ...PAGE_PARAMS,
  }),
  returns: Page(PreventedMatch),
  headers: [COMPLETE_HEADER],
  errors: ['UNKNOWN_SYMBOL', 'CURSOR_INVALID'],
  handle: (ctx, caller, { symbol, orderId, ...page }) =>
    pagePrevented(
      ctx,
      caller,
      {
        ...(symbol === undefined ? {} : { symbol }),
        ...(orderId === undefined ? {} : { orderId }),
      },
      page,
    ),
});
