// Serves the reference page, its style sheet and the example bot.

import type { FastifyInstance } from 'fastify';
import type { TradingContext } from '../context.ts';
import type { TradingRoute } from '../http/route.ts';
import { botScript } from './bot.ts';
import { buildDocument } from './document.ts';
import { renderPage } from './page.ts';
import { STYLES } from './styles.ts';

/** The page for people. It is not an API endpoint, so it counts against no limit. */
export function mountDocs(
  app: FastifyInstance,
  ctx: TradingContext,
  routes: readonly TradingRoute[],
  prefix: string,
): { documentPaths: string[] } {
  const path = `${prefix}/docs`;
  const stylePath = `${path}.css`;
  const botPath = `${path}/bot.mjs`;
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  const limits = {
    requests: ctx.config.TRADING_RATE_LIMIT,
    windowMs: ctx.config.TRADING_RATE_WINDOW_MS,
    ordersPerDay: ctx.config.TRADING_DAILY_ORDERS_MAX,
  };
  let page = { origin: '', html: '' };
  app.get(path, (_request, reply) => {
    const origin = ctx.publicUrl();
    if (page.origin !== origin) {
      page = { origin, html: renderPage(buildDocument(routes, `${origin}${prefix}`), limits) };
    }
    return reply
      .header('Content-Type', 'text/html; charset=utf-8')
      .header('Content-Security-Policy', policy)
      .header('Cache-Control', 'public, max-age=60')
      .send(page.html);
  });
  app.get(stylePath, (_request, reply) =>
    reply
      .header('Content-Type', 'text/css; charset=utf-8')
      .header('Cache-Control', 'public, max-age=60')
      .send(STYLES),
  );
  app.get(botPath, (_request, reply) =>
    reply
      .header('Content-Type', 'text/javascript; charset=utf-8')
      .header('Cache-Control', 'public, max-age=60')
      .send(botScript(`${ctx.publicUrl()}${prefix}`)),
  );
  return { documentPaths: [path, stylePath, botPath] };
}
