// Serves GET /external_content/{digest}/{address in hex}: a file of another server, fetched by us.
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiContext } from '../../../platform/context.ts';
import { limitKeyOf } from '../../../platform/http/address.ts';
import { createPace } from '../../../platform/http/pace.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import { notFound, rateLimitHit, unavailable } from '../../http/errors.ts';
import { EXTERNAL_CONTENT_PATH } from '../../text/markdown/external.ts';
import { parseExternalPath } from './address.ts';
import { Busy, createFetcher, Unavailable, type Content } from './fetcher.ts';

/** Fetches for one caller: the pictures of a few pages at once, then some per second. Cached files are free. */
const FETCHES = { perSecond: 5, burst: 150 };

const KEPT_BY_READERS = 'private, max-age=86400';

export function mountExternalContent(app: FastifyInstance, ctx: ApiContext): void {
  const fetcher = createFetcher({ nowMs: () => performance.now() });
  const pace = createPace(FETCHES);

  async function obtain(request: FastifyRequest): Promise<Content> {
    const url = parseExternalPath(request.url, ctx);
    if (url === undefined) throw wrongDigest();
    if (ctx.config.EXTERNAL_CONTENT !== 'proxied') throw switchedOff();
    const { range } = request.headers;
    const known = fetcher.find(url, range);
    if (known !== undefined) return known;
    if (pace.reserve(limitKeyOf(request.caller), performance.now()) === undefined)
      throw rateLimitHit(1);
    try {
      return await fetcher.fetch(url, range);
    } catch (error) {
      if (error instanceof Busy) throw unavailable();
      if (error instanceof Unavailable) throw notToBeHad();
      throw error;
    }
  }

  app.get(`${EXTERNAL_CONTENT_PATH}/*`, async (request, reply) =>
    send(request, reply, await obtain(request)),
  );
}

function send(request: FastifyRequest, reply: FastifyReply, content: Content): FastifyReply {
  const { status, contentType, contentRange, body } = content;
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`;
  reply.headers({
    'cache-control': KEPT_BY_READERS,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'referrer-policy': 'no-referrer',
  });
  if (status === 200) {
    reply.header('etag', etag);
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  }
  if (contentRange !== undefined) reply.header('content-range', contentRange);
  if (!contentType.startsWith('image/')) reply.header('accept-ranges', 'bytes');
  return reply.code(status).header('content-type', contentType).send(body);
}

const wrongDigest = () =>
  new Refusal({
    code: 'BAD_REQUEST',
    message:
      'Only addresses that this server has written into a message can be asked for here, unchanged.',
    status: 403,
  });

const switchedOff = () => notFound('Content of other servers is not fetched here.');

const notToBeHad = () =>
  notFound('That server did not give a picture, sound or video of bearable size and time.');
