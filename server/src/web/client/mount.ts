// Serves the web client: its page at every address that it has a view for, and the files of its build.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import manifest from '../../../package.json' with { type: 'json' };
import { findGrants } from '../../accounts/operators/access.ts';
import { findSession, type Session } from '../../accounts/sessions/access.ts';
import type { User } from '../../accounts/user.ts';
import type { ApiContext } from '../../platform/context.ts';
import type { ShowClient } from '../front-page.ts';
import { languageFor } from '../language.ts';
import { readName } from '../organization-name.ts';
import { sendFile } from './assets.ts';
import { ASSETS, watchBuild } from './build.ts';
import { shellHeaders } from './policy.ts';
import { renderShell, type Boot, type Theme } from './shell.ts';
import { sourcesOf } from './views.ts';
import { renderWebManifest } from './web-manifest.ts';

/** Views of one's own: others sign in first, and come back. */
const OWN = [
  '/inbox',
  '/recent',
  '/feed',
  '/mentions',
  '/starred',
  '/drafts',
  '/scheduled',
  '/search',
  '/channels',
  '/channels/*',
  '/people',
  '/wallet',
  '/wallet/*',
  '/settings',
  '/settings/*',
  '/admin',
  '/admin/*',
];
/** Views of what everybody may see. */
const OPEN = ['/trade', '/trade/:symbol(^.+$)'];

const FOREVER = 'public, max-age=31536000, immutable';
const ONE_HOUR = 'public, max-age=3600';
/** The way back after signing in; a longer one is left out. */
const NEXT_CHARACTERS_MAX = 500;

export interface Client {
  readonly show: ShowClient;
  readonly isBuilt: () => Promise<boolean>;
}

/** `folder` is what Vite has written; undefined if nothing is installed. */
export function mountClient(
  app: FastifyInstance,
  ctx: ApiContext,
  folder: string | undefined,
): Client {
  const findBuild = watchBuild(folder, () => performance.now());
  if (folder === undefined || !existsSync(join(folder, '.vite/manifest.json'))) {
    ctx.log.info(
      'The web client is not built, so / is a page without it. `npm run web` builds it.',
    );
  }

  /** Undefined while nothing is built. */
  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    session: Session | undefined,
    more: Pick<Boot, 'isKept'> = {},
  ): Promise<FastifyReply | undefined> {
    const build = await findBuild();
    if (build === undefined) return undefined;
    const nonce = randomBytes(16).toString('base64');
    const boot: Boot = {
      ...(session !== undefined && { csrfToken: session.csrfToken }),
      user: session === undefined ? null : await personOf(ctx, session.user),
      language: languageFor(request, session?.user),
      theme: themeOf(session?.user),
      organization: { name: await readName(ctx) },
      version: manifest.version,
      flags: { isMoneySimulated: ctx.config.MONEY === 'simulated' },
      ...more,
    };
    const { page, persianFont } = build;
    const [pathname = ''] = request.url.split('?', 1);
    const viewScripts = build.viewScripts(sourcesOf(pathname));
    return reply
      .headers(shellHeaders(nonce, ctx.publicUrl()))
      .send(renderShell({ boot, files: page, viewScripts, nonce, persianFont }));
  }

  const view = (isOwn: boolean) => async (request: FastifyRequest, reply: FastifyReply) => {
    if ((await findBuild()) === undefined) return reply.callNotFound();
    try {
      const found = await findSession(ctx, request.headers.cookie);
      const session = found.kind === 'live' ? found.session : undefined;
      if (isOwn && session === undefined) return await toSignIn(request, reply);
      return (await show(request, reply, session)) ?? reply.callNotFound();
    } catch (error) {
      request.failure = error;
      return reply
        .code(503)
        .type('text/plain; charset=utf-8')
        .send('The server cannot look up who you are right now. Reload the page in a moment.\n');
    }
  };
  for (const path of OWN) app.get(path, view(true));
  for (const path of OPEN) app.get(path, view(false));

  // Every component in every state, where no money is real.
  app.get('/components', async (request, reply) => {
    const isShown = ctx.config.MONEY === 'simulated';
    const page = isShown ? await show(request, reply, undefined) : undefined;
    return page ?? reply.callNotFound();
  });

  // The same page for everybody, whoever asks: a service worker keeps it for when there is no network.
  app.get('/web/shell', async (request, reply) => {
    const page = await show(request, reply, undefined, { isKept: true });
    return page ?? sendNoFile(reply);
  });
  app.get(`${ASSETS}*`, async (request, reply) => {
    const { '*': name } = request.params as { readonly '*': string };
    const sent =
      folder === undefined
        ? undefined
        : await sendFile(
            request,
            reply,
            { folder: join(folder, 'assets'), name },
            { caching: FOREVER },
          );
    return sent ?? sendNoFile(reply);
  });
  app.get('/sw.js', async (request, reply) => {
    const file = folder === undefined ? undefined : { folder, name: 'sw.js' };
    // Browsers ask for it anew, so that the next build takes over.
    const sent = file && (await sendFile(request, reply, file, { caching: 'no-cache' }));
    return sent ?? sendNoFile(reply);
  });
  app.get('/manifest.webmanifest', async (request, reply) => {
    if ((await findBuild()) === undefined) return reply.callNotFound();
    const text = renderWebManifest(await readName(ctx), languageFor(request));
    return reply
      .headers({ 'cache-control': ONE_HOUR, vary: 'accept-language' })
      .type('application/manifest+json; charset=utf-8')
      .send(text);
  });

  return { show, isBuilt: async () => (await findBuild()) !== undefined };
}

async function personOf(ctx: ApiContext, person: User): Promise<Boot['user']> {
  const { id, email, fullName, role } = person;
  return { id, email, fullName, role, grants: await findGrants(ctx.db, person) };
}

/** The setting `color_scheme` of the chat. */
function themeOf(person: User | undefined): Theme {
  const scheme = person?.settings['color_scheme'];
  if (scheme === 2) return 'dark';
  return scheme === 3 ? 'light' : 'system';
}

function toSignIn(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const language = languageFor(request);
  const next = request.url.length > NEXT_CHARACTERS_MAX ? '/' : request.url;
  return reply
    .headers({ 'cache-control': 'no-store', vary: 'cookie, accept-language' })
    .redirect(`/login/?lang=${language}&next=${encodeURIComponent(next)}`, 303);
}

/** A script that asks for a file wants no page. */
const sendNoFile = (reply: FastifyReply): FastifyReply =>
  reply
    .code(404)
    .header('cache-control', 'no-store')
    .type('text/plain; charset=utf-8')
    .send('There is no such file. A newer version of this page may be there: reload it.\n');
