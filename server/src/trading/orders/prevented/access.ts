// Reads the prevented matches of an account, page by page.
import type { TradingContext } from '../../context.ts';
import type { PrivateCaller } from '../../http/authenticate.ts';
import type { Answer } from '../../http/envelope.ts';
import { parsePage, toPage, type PageOf, type PageParams } from '../../pages.ts';
import { answerHistory, awaitProjection } from '../../projections/access.ts';
import { getPair } from '../pairs.ts';
import { toPreventedMatch, type PreventedMatch } from './match.ts';
import { listPrevented } from './store.ts';

export interface PreventedAsked {
  readonly symbol?: string;
  readonly orderId?: string;
}

export async function pagePrevented(
  ctx: TradingContext,
  { account }: PrivateCaller,
  asked: PreventedAsked,
  params: PageParams,
): Promise<Answer<PageOf<PreventedMatch>>> {
  const { symbol, orderId } = asked;
  if (symbol !== undefined) await getPair(ctx, symbol);
  const name = { list: 'prevented', accountId: account.id, filters: { ...asked } };
  const query = parsePage(ctx.secrets, name, params);
  const completeTo = await awaitProjection(ctx);
  const filter = { symbol, orderId: orderId === undefined ? undefined : BigInt(orderId) };
  const rows = await listPrevented(ctx.db, account.id, filter, query);
  const page = toPage(ctx.secrets, name, query, rows, {
    positionOf: (row) => ({ ms: row.engineSeq, id: BigInt(row.number) }),
    print: (row) => toPreventedMatch(row, account.id),
  });
  return answerHistory(page, completeTo);
}
