// The pages of markets and coins, for everybody, without a script.
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ApiContext } from '../../platform/context.ts';
import { escapeHtml } from '../../platform/std/html.ts';
import type { TradingContext } from '../../trading/context.ts';
import { listOverviews } from '../../trading/tickers/overview.ts';
import { FORM_PAGE_HEADERS, PAGE_HEADERS, pageValues } from '../front-page.ts';
import { languageFor } from '../language.ts';
import { chooseMarkets, readChoice } from './choose.ts';
import { renderCoin } from './coin-page.ts';
import { renderMarkets } from './list-page.ts';

/** The same for everybody, and as old as public market data: a proxy may answer for a moment. */
const CACHING = { 'cache-control': 'public, max-age=1', vary: 'accept-language' } as const;

export function mountMarketPages(
  app: FastifyInstance,
  ctx: ApiContext,
  trading: TradingContext,
): void {
  app.get('/markets', async (request, reply) => {
    const page = {
      language: languageFor(request),
      markets: await listOverviews(trading),
      choice: readChoice(request.query),
    };
    // The form goes to this page.
    return reply
      .headers({ ...FORM_PAGE_HEADERS, ...CACHING })
      .send(renderMarkets(await pageValues(ctx), page));
  });

  app.get('/coins/:symbol', async (request, reply) => {
    const { symbol } = request.params as { readonly symbol: string };
    const { bySymbol } = await trading.coins();
    const coin = bySymbol.get(symbol.toLowerCase());
    if (coin === undefined) return reply.callNotFound();
    const language = languageFor(request);
    if (coin.symbol !== symbol) {
      const address = `/coins/${encodeURIComponent(coin.symbol)}?lang=${language}`;
      return reply.headers({ ...PAGE_HEADERS, ...CACHING }).redirect(address, 301);
    }
    const own = (await listOverviews(trading)).filter(
      ({ base, quote }) => base === coin.symbol || quote === coin.symbol,
    );
    const markets = chooseMarkets(own, readChoice({}));
    return reply
      .headers({ ...PAGE_HEADERS, ...CACHING })
      .send(renderCoin(await pageValues(ctx), { language, coin, markets }));
  });

  app.get('/markets/sitemap.xml', async (_request, reply) => {
    const { bySymbol } = await trading.coins();
    return sendSitemap(reply, ctx.publicUrl(), [...bySymbol.keys()]);
  });
}

function sendSitemap(reply: FastifyReply, origin: string, coins: readonly string[]): FastifyReply {
  const paths = ['/markets', ...coins.map((symbol) => `/coins/${encodeURIComponent(symbol)}`)];
  const addresses = paths.flatMap((path) => [`${path}?lang=en`, `${path}?lang=fa`]);
  return reply
    .headers({ 'cache-control': 'public, max-age=3600' })
    .type('application/xml; charset=utf-8').send(`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${addresses.map((address) => `<url><loc>${escapeHtml(`${origin}${address}`)}</loc></url>`).join('\n')}
</urlset>
`);
}
