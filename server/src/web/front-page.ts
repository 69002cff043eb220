// What a browser finds at the server's own address: the front page, its assets, and a page for unknown paths. The
// APIs answer their own paths.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import manifest from '../../package.json' with { type: 'json' };
import { findSession, type Session } from '../accounts/sessions/access.ts';
import type { ApiContext } from '../platform/context.ts';
import type { Price } from '../trading/tickers/summary.ts';
import { renderHome } from './home-page.ts';
import { languageFor } from './language.ts';
import { readName } from './organization-name.ts';
import { renderFrontPage, renderNotFound } from './front/page.ts';
import type { PageValues } from './page.ts';

const STYLE = readFileSync(new URL('style.css', import.meta.url), 'utf8');
const ICON = readFileSync(new URL('favicon.svg', import.meta.url), 'utf8');
/** The name changes with the content, so browsers may cache it for ever. */
const STYLE_PATH = `/web/style-${createHash('sha256').update(STYLE).digest('hex').slice(0, 12)}.css`;
const SCRIPT = readFileSync(new URL('front/follow-link.js', import.meta.url), 'utf8');
const SCRIPT_PATH = `/web/follow-link-${createHash('sha256').update(SCRIPT).digest('hex').slice(0, 12)}.js`;
const FOREVER = 'public, max-age=31536000, immutable';
const ONE_DAY = 'public, max-age=86400';

const CLOSED = [
  '/api/',
  '/json/',
  '/join/',
  '/account/',
  '/accounts/',
  '/v1/private/',
  '/docs/search',
];
const robots = (origin: string): string =>
  `User-agent: *\n${CLOSED.map((path) => `Disallow: ${path}\n`).join('')}\nSitemap: ${origin}/docs/sitemap.xml\nSitemap: ${origin}/markets/sitemap.xml\n`;

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

/** For the front page, which may run the one script that follows links to messages. */
const FRONT_HEADERS = {
  ...PAGE_HEADERS,
  'content-security-policy': `script-src 'self'; ${policy("'none'")}`,
  'cache-control': 'no-cache',
} as const;

/** For a page with a form, which is sent back to this server. */
export const FORM_PAGE_HEADERS = {
  ...PAGE_HEADERS,
  'content-security-policy': policy("'self'"),
  'cache-control': 'no-store',
} as const;

/** The same for a form whose answer leads elsewhere, such as into an app: browsers check that too. */
export const formPageHeaders = (targets: string) => ({
  ...FORM_PAGE_HEADERS,
  'content-security-policy': policy(targets),
});

/** With the organization's present name, or that of a moment ago. */
export const pageValues = async (ctx: ApiContext): Promise<PageValues> => ({
  organization: await readName(ctx),
  origin: ctx.publicUrl(),
  version: manifest.version,
  stylePath: STYLE_PATH,
});

/** The source of a page's prices; it may fail. */
export type Prices = () => Promise<readonly Price[]>;

/** Answers with the client; undefined if none is built. */
export type ShowClient = (
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
) => Promise<FastifyReply | undefined>;

export interface FrontPage {
  readonly listPrices: Prices;
  readonly showClient: ShowClient;
  readonly hasClient: () => Promise<boolean>;
}

export async function mountFrontPage(
  app: FastifyInstance,
  ctx: ApiContext,
  { listPrices, showClient, hasClient }: FrontPage,
): Promise<void> {
  const marketsNow = async () => ({
    // A page without prices is better than none.
    prices: await listPrices().catch(() => []),
    isSimulated: ctx.config.MONEY === 'simulated',
  });

  async function sendHome(
    request: FastifyRequest,
    reply: FastifyReply,
    { user: person, csrfToken }: Session,
  ): Promise<FastifyReply> {
    const page = {
      ...(await marketsNow()),
      language: languageFor(request, person),
      hasClient: await hasClient(),
      csrfToken,
      person,
    };
    return reply.headers(FORM_PAGE_HEADERS).send(renderHome(await pageValues(ctx), page));
  }

  app.get('/', async (request, reply) => {
    const session = await findOwnSession(ctx, request);
    void reply.header('vary', 'cookie, accept-language');
    if (session === undefined) {
      const look = { language: languageFor(request), script: SCRIPT_PATH };
      return reply
        .headers(FRONT_HEADERS)
        .send(renderFrontPage(await pageValues(ctx), await marketsNow(), look));
    }
    return (await showClient(request, reply, session)) ?? sendHome(request, reply, session);
  });
  // The same page where the client needs a script.
  app.get('/account/', async (request, reply) => {
    const session = await findOwnSession(ctx, request);
    void reply.header('vary', 'cookie, accept-language');
    if (session !== undefined) return sendHome(request, reply, session);
    const language = languageFor(request);
    const next = encodeURIComponent(`/account/?lang=${language}`);
    return reply.headers(FORM_PAGE_HEADERS).redirect(`/login/?lang=${language}&next=${next}`, 303);
  });
  // In links to messages all of this is behind a "#", and does not reach us; some programs drop that sign.
  app.get('/narrow/*', async (request, reply) => {
    const target = (await hasClient()) ? `/#${request.url.slice(1)}` : '/#link';
    return reply.headers({ ...PAGE_HEADERS, 'cache-control': 'no-store' }).redirect(target, 303);
  });
  app.get('/near/*', (_request, reply) =>
    reply.headers({ ...PAGE_HEADERS, 'cache-control': 'no-store' }).redirect('/#link', 303),
  );
  app.get(STYLE_PATH, (_request, reply) => asset(reply, 'text/css; charset=utf-8', FOREVER, STYLE));
  app.get(SCRIPT_PATH, (_request, reply) =>
    asset(reply, 'text/javascript; charset=utf-8', FOREVER, SCRIPT),
  );
  for (const path of ['/favicon.svg', '/favicon.ico']) {
    app.get(path, (_request, reply) => asset(reply, 'image/svg+xml', ONE_DAY, ICON));
  }
  app.get('/robots.txt', (_request, reply) =>
    asset(reply, 'text/plain; charset=utf-8', ONE_DAY, robots(ctx.publicUrl())),
  );
  app.setNotFoundHandler(async (request, reply) => {
    const [path = '/'] = request.url.split('?', 1);
    return reply
      .code(404)
      .headers({ ...PAGE_HEADERS, 'cache-control': 'no-store', vary: 'accept-language' })
      .send(renderNotFound(await pageValues(ctx), path, languageFor(request)));
  });
}

/** None while the database is down: the front page does not need it. */
async function findOwnSession(
  ctx: ApiContext,
  { headers }: FastifyRequest,
): Promise<Session | undefined> {
  const found = await findSession(ctx, headers.cookie).catch(() => undefined);
  return found?.kind === 'live' ? found.session : undefined;
}

function asset(reply: FastifyReply, type: string, caching: string, body: string): FastifyReply {
  return reply
    .headers({
      'content-type': type,
      'cache-control': caching,
      // An image opened in its own tab is a document too.
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    })
    .send(body);
}
