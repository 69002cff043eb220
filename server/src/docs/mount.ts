// Serves the documentation at /docs, from memory.
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import MiniSearch from 'minisearch';
import manifest from '../../package.json' with { type: 'json' };
import type { ApiContext } from '../platform/context.ts';
import { takesEncoding } from '../platform/http/encodings.ts';
import type { Language } from '../platform/std/language.ts';
import { find, INDEX_OPTIONS } from './site/client/words.js';
import type { SearchEntry } from './site/search-index.ts';
import { buildInThread, type ServedFile, type ServedSite } from './site/served.ts';
import { NOT_FOUND, SEARCH } from './site/paths.ts';
import { pickSettings, toldLimits } from './site/settings.ts';
import { fillSearchPage } from './site/special-pages.ts';

const BASE = '/docs/';
const HTML = 'text/html; charset=utf-8';
const QUERY_MAX = 100;
const FOREVER = 'public, max-age=31536000, immutable';
const FOR_A_MINUTE = 'public, max-age=60';

/** No inline script and nothing from elsewhere; the form for trying operations calls this server only. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const unpack = promisify(gunzip);
const textOf = async ({ gzipped }: ServedFile): Promise<string> =>
  (await unpack(gzipped)).toString('utf8');

export function mountDocs(app: FastifyInstance, ctx: ApiContext): void {
  let built: ServedSite | undefined;
  let loading: Promise<MiniSearch<SearchEntry>> | undefined;

  /** A build that failed is not tried again: it would fail again, and cost seconds each time. */
  function build(path: string): ServedSite {
    if (built === undefined) {
      built = buildInThread({
        first: path.endsWith('/') || path === '' ? path : `${path}/`,
        origin: ctx.publicUrl(),
        base: BASE,
        version: manifest.version,
        settings: pickSettings(ctx.config),
        limits: toldLimits,
      });
      built.get(NOT_FOUND).catch((error: unknown) => {
        ctx.log.error({ err: error }, 'the documentation could not be built');
      });
    }
    return built;
  }

  async function loadIndex(site: ServedSite): Promise<MiniSearch<SearchEntry>> {
    const file = await site.findByStart('assets/index-');
    if (file === undefined) throw new Error('The site has no index.');
    return MiniSearch.loadJSONAsync(await textOf(file), INDEX_OPTIONS);
  }

  app.get('/docs', (request, reply) => {
    const prefersPersian = /^\s*fa\b/i.test(request.headers['accept-language'] ?? '');
    return reply
      .header('vary', 'accept-language')
      .redirect(prefersPersian ? `${BASE}fa/` : BASE, 302);
  });

  app.get('/docs/*', async (request, reply) => {
    const { '*': path } = request.params as { readonly '*': string };
    try {
      return await answer(build(path), path, request, reply);
    } catch (error) {
      request.failure = error;
      return reply
        .code(503)
        .type('text/plain; charset=utf-8')
        .send('The documentation is not available. The log of the server says why.\n');
    }
  });

  async function answer(
    site: ServedSite,
    path: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const query = queryOf(request);
    const language = searchLanguage(path);
    if (language !== undefined && query !== '') return search(site, language, query, reply);
    if (path === '' || path.endsWith('/')) {
      const page = await site.get(`${path}index.html`);
      if (page !== undefined) return sendFile(request, reply, page);
    } else if (/\.[^/]*$/.test(path)) {
      const file = await site.get(path);
      if (file !== undefined) return sendFile(request, reply, file);
    } else if ((await site.get(`${path}/index.html`)) !== undefined) {
      const [, asked = ''] = request.url.split('?', 2);
      return reply
        .header('cache-control', FOR_A_MINUTE)
        .redirect(`${BASE}${path}/${asked === '' ? '' : `?${asked}`}`, 308);
    }
    const lost = await site.get(NOT_FOUND);
    return reply
      .code(404)
      .headers(PAGE_HEADERS)
      .send(lost === undefined ? '' : await textOf(lost));
  }

  async function search(
    site: ServedSite,
    language: Language,
    query: string,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const page = await site.get(SEARCH[language]);
    const template = page === undefined ? '' : await textOf(page);
    loading ??= loadIndex(site);
    const found = find(await loading, query, language);
    return reply.headers(PAGE_HEADERS).send(fillSearchPage(template, language, query, found));
  }
}

const PAGE_HEADERS = {
  'content-type': HTML,
  'content-security-policy': POLICY,
  'x-frame-options': 'DENY',
} as const;

async function sendFile(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  file: ServedFile,
): Promise<FastifyReply> {
  const tag = `"${file.tag}"`;
  void reply.headers({
    ...(file.type === HTML ? PAGE_HEADERS : { 'content-type': file.type }),
    'cache-control': file.isForever ? FOREVER : FOR_A_MINUTE,
    vary: 'accept-encoding',
    // The same tag for both forms, so it is a weak one.
    etag: `W/${tag}`,
  });
  if (headers['if-none-match']?.includes(tag) === true) return reply.code(304).send();
  if (takesEncoding(headers['accept-encoding'], 'gzip')) {
    return reply.header('content-encoding', 'gzip').send(bytesOf(file));
  }
  return reply.send(await unpack(file.gzipped));
}

/** What a thread sends is no Buffer. */
const bytesOf = ({ gzipped }: ServedFile): Buffer =>
  Buffer.from(gzipped.buffer, gzipped.byteOffset, gzipped.byteLength);

function searchLanguage(path: string): Language | undefined {
  if (path === 'search/') return 'en';
  return path === 'fa/search/' ? 'fa' : undefined;
}

function queryOf({ query }: FastifyRequest): string {
  const { q } = query as { readonly q?: unknown };
  return typeof q === 'string' ? q.slice(0, QUERY_MAX).trim() : '';
}
