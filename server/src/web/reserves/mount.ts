// The page of reserves, for everybody, without a script.
import type { FastifyInstance } from 'fastify';
import type { ApiContext } from '../../platform/context.ts';
import { readReserves } from '../../trading/custody/reserves/access.ts';
import { remember } from '../../trading/remember.ts';
import { PAGE_HEADERS, pageValues } from '../front-page.ts';
import { languageFor } from '../language.ts';
import { renderReserves } from './page.ts';

/** A publication is made now and then: a proxy may answer for a moment. */
const CACHING = { 'cache-control': 'public, max-age=10', vary: 'accept-language' } as const;
const AGE_MS = 1000;

export function mountReservesPage(app: FastifyInstance, ctx: ApiContext): void {
  const read = remember(AGE_MS, () => readReserves(ctx.db));
  app.get('/reserves', async (request, reply) => {
    const page = { language: languageFor(request), reserves: await read() };
    return reply
      .headers({ ...PAGE_HEADERS, ...CACHING })
      .send(renderReserves(await pageValues(ctx), page));
  });
}
