// What a browser finds at the server's own address: the front page, its assets, and a page for paths
// that lead nowhere. Paths of the APIs are answered by the APIs themselves.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply } from 'fastify';
import manifest from '../../package.json' with { type: 'json' };
import type { ApiContext } from '../platform/context.ts';
import { readName } from './organization-name.ts';
import { renderFrontPage, renderNotFound, type PageValues } from './page.ts';

const STYLE = readFileSync(new URL('style.css', import.meta.url), 'utf8');
const ICON = readFileSync(new URL('favicon.svg', import.meta.url), 'utf8');
/** The name changes with the content, so browsers may keep it for good. */
const STYLE_PATH = `/web/style-${createHash('sha256').update(STYLE).digest('hex').slice(0, 12)}.css`;
const FOREVER = 'public, max-age=31536000, immutable';
const ONE_DAY = 'public, max-age=86400';

const ROBOTS =
  'User-agent: *\nDisallow: /api/\nDisallow: /json/\nDisallow: /join/\nDisallow: /accounts/\nDisallow: /v1/private/\n';

const policy = (formAction: string): string =>
  `default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`;

export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy("'none'"),
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** For a page with a form, which is sent back to this server. */
export const FORM_PAGE_HEADERS = {
  ...PAGE_HEADERS,
  'content-security-policy': policy("'self'"),
  'cache-control': 'no-store',
} as const;

/** With the name that the organization has now, or had a moment ago. */
export const pageValues = async (ctx: ApiContext): Promise<PageValues> => ({
  organization: await readName(ctx),
  origin: ctx.publicUrl(),
  version: manifest.version,
  stylePath: STYLE_PATH,
});

export async function mountFrontPage(app: FastifyInstance, ctx: ApiContext): Promise<void> {
  app.get('/', async (_request, reply) =>
    reply
      .headers({ ...PAGE_HEADERS, 'cache-control': 'no-cache' })
      .send(renderFrontPage(await pageValues(ctx))),
  );
  app.get(STYLE_PATH, (_request, reply) => asset(reply, 'text/css; charset=utf-8', FOREVER, STYLE));
  for (const path of ['/favicon.svg', '/favicon.ico']) {
    app.get(path, (_request, reply) => asset(reply, 'image/svg+xml', ONE_DAY, ICON));
  }
  app.get('/robots.txt', (_request, reply) =>
    asset(reply, 'text/plain; charset=utf-8', ONE_DAY, ROBOTS),
  );
  app.setNotFoundHandler(async (request, reply) => {
    const [path = '/'] = request.url.split('?', 1);
    return reply
      .code(404)
      .headers({ ...PAGE_HEADERS, 'cache-control': 'no-store' })
      .send(renderNotFound(await pageValues(ctx), path));
  });
}

function asset(reply: FastifyReply, type: string, caching: string, body: string): FastifyReply {
  return reply
    .headers({
      'content-type': type,
      'cache-control': caching,
      // An image in a tab of its own is a document too.
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    })
    .send(body);
}
