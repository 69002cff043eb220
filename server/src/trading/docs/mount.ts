// Leads from the old address of the reference to the documentation, and serves the example bot.
import type { FastifyInstance } from 'fastify';
import type { TradingContext } from '../context.ts';
import { botScript } from './bot.ts';

/** Pages for people are no API endpoints, so they count against no limit of the API. */
export function mountDocs(
  app: FastifyInstance,
  ctx: TradingContext,
  prefix: string,
): { documentPaths: string[] } {
  const path = `${prefix}/docs`;
  const botPath = `${path}/bot.mjs`;
  app.get(path, (_request, reply) =>
    reply.header('cache-control', 'public, max-age=60').redirect('/docs/trading/', 308),
  );
  app.get(botPath, (_request, reply) =>
    reply
      .header('content-type', 'text/javascript; charset=utf-8')
      .header('cache-control', 'public, max-age=60')
      .send(botScript(`${ctx.publicUrl()}${prefix}`)),
  );
  return { documentPaths: [path, botPath] };
}
