// Serves files by paths relative to the origin, outside the API's root. Access is checked at every request, so a lost
// right takes effect at once.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findKeyOwner } from '../../../accounts/chat-keys/verify.ts';
import { findSession } from '../../../accounts/sessions/access.ts';
import { CHAT_KEY } from '../../../accounts/chat-keys/key.ts';
import { listUsersById } from '../../../accounts/users/access.ts';
import type { User } from '../../../accounts/user.ts';
import type { ApiContext } from '../../../platform/context.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import { authenticateReader, prefersImages } from '../../http/authenticate.ts';
import { sessionDeactivated } from '../../http/errors.ts';
import { admitAddress } from '../../http/limits.ts';
import { REALM_ID } from '../../limits.ts';
import { findAttachment, findAttachmentAt, mayHave, type AttachmentRow } from './access.ts';
import { headerOf, isShownInline, securityPolicyOf } from './content-type.ts';
import { invalidToken } from './errors.ts';
import { contentDisposition } from './name.ts';
import { parseRange } from './range.ts';
import { movingKey, stillKey } from './thumbnail-keys.ts';
import { parseToken } from './token.ts';

const REALM = ':realm(^\\d+$)';

export function mountFiles(app: FastifyInstance, ctx: ApiContext): void {
  const serve = (
    url: string,
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
  ) => app.route({ method: ['GET', 'HEAD'], url, exposeHeadRoute: false, handler });

  serve(`/user_uploads/${REALM}/*`, async (request, reply) => {
    const row = await find(ctx, request, reply, pathOf(request));
    return row === undefined ? reply : sendFile(ctx, request, reply, row);
  });
  serve(`/user_uploads/download/${REALM}/*`, async (request, reply) => {
    const row = await find(ctx, request, reply, pathOf(request), false);
    return row === undefined ? reply : sendFile(ctx, request, reply, row, 'attachment');
  });
  serve(`/user_uploads/thumbnail/${REALM}/*`, async (request, reply) => {
    const [path, format] = splitFormat(pathOf(request));
    const row = await find(ctx, request, reply, path);
    return row === undefined ? reply : sendThumbnail(ctx, request, reply, row, format);
  });
  serve('/user_uploads/temporary/:token/:filename', (request, reply) =>
    sendByToken(ctx, request, reply),
  );
}

function pathOf(request: FastifyRequest): string {
  const { realm, '*': rest } = request.params as { realm: string; '*': string };
  return `${realm}/${rest}`;
}

function splitFormat(path: string): [string, string] {
  const at = path.lastIndexOf('/');
  return [path.slice(0, at), path.slice(at + 1)];
}

/** The file, if the caller may access it; otherwise undefined, and the refusal has been sent. */
async function find(
  ctx: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  takesKeyInAddress = true,
): Promise<AttachmentRow | undefined> {
  const reader = await identify(ctx, request, reply, takesKeyInAddress);
  // An anonymous caller does not learn whether the file exists.
  if (reader === undefined) {
    sendForbidden(request, reply);
    return undefined;
  }
  const row = path.startsWith(`${REALM_ID}/`) ? await findAttachmentAt(ctx.db, path) : undefined;
  if (row === undefined) sendMissing(reply);
  else if (await mayHave(ctx.db, reader, row)) return row;
  else sendForbidden(request, reply);
  return undefined;
}

/** Undefined for an anonymous caller. Failed credentials count against a stricter limit than fetches. */
async function identify(
  ctx: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
  takesKeyInAddress: boolean,
): Promise<User | undefined> {
  const { authorization } = request.headers;
  const { api_key: key } = request.query as { api_key?: unknown };
  try {
    if (authorization !== undefined) {
      return await authenticateReader(ctx, authorization, request.caller);
    }
    if (takesKeyInAddress && typeof key === 'string') return await authenticateByKey(ctx, key);
    const found = await findSession(ctx, request.headers.cookie);
    if (found.kind === 'deactivated') throw sessionDeactivated();
    return found.kind === 'none' ? undefined : found.session.user;
  } catch (error) {
    if (error instanceof Refusal) await admitAddress(ctx, reply, request.caller);
    throw error;
  }
}

const keyRefused = (code: string, message: string) => new Refusal({ code, message, status: 401 });

/**
 * The older mobile app puts its key into the addresses of pictures and videos in a message, because it cannot send a
 * header there. The key is accepted only for those addresses.
 */
async function authenticateByKey(ctx: ApiContext, key: string): Promise<User> {
  if (!CHAT_KEY.test(key)) throw keyRefused('INVALID_API_KEY', 'Malformed API key');
  const user = await findKeyOwner(ctx, key);
  if (user === undefined) throw keyRefused('INVALID_API_KEY', 'Invalid API key');
  if (!user.isActive) throw keyRefused('USER_DEACTIVATED', 'Account is deactivated');
  return user;
}

async function sendByToken(
  ctx: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { token, filename } = request.params as { token: string; filename: string };
  const content = parseToken(ctx.secrets, token, ctx.clock.now());
  const row = content && (await findAttachment(ctx.db, content.attachmentId));
  if (content === undefined || row === undefined || !row.pathId.endsWith(`/${filename}`)) {
    await admitAddress(ctx, reply, request.caller);
    throw invalidToken();
  }
  const [reader] = await listUsersById(ctx.db, [content.userId]);
  if (reader === undefined || !reader.isActive || !(await mayHave(ctx.db, reader, row))) {
    throw invalidToken();
  }
  return sendFile(ctx, request, reply, row);
}

interface Content {
  readonly key: string;
  readonly size: number;
  readonly contentType: string;
  readonly name: string;
  readonly disposition: 'inline' | 'attachment';
}

function sendFile(
  ctx: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
  row: AttachmentRow,
  disposition: 'inline' | 'attachment' = isShownInline(row.contentType) ? 'inline' : 'attachment',
): Promise<FastifyReply> {
  const { storageKey: key, size, contentType, name } = row;
  return sendContent(ctx, request, reply, { key, size, contentType, name, disposition });
}

async function sendThumbnail(
  ctx: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
  row: AttachmentRow,
  format: string,
): Promise<FastifyReply> {
  const key = thumbnailKey(row, format);
  const size = key === undefined ? undefined : await ctx.files.size(key);
  if (key === undefined || size === undefined) return sendMissing(reply);
  const { name } = row;
  const contentType = 'image/webp';
  return sendContent(ctx, request, reply, { key, size, contentType, name, disposition: 'inline' });
}

function thumbnailKey({ thumbnail, storageKey }: AttachmentRow, format: string) {
  const isMoving = thumbnail === 'moving';
  if (format === '840x560.webp' && (isMoving || thumbnail === 'still')) return stillKey(storageKey);
  return format === '840x560-anim.webp' && isMoving ? movingKey(storageKey) : undefined;
}

async function sendContent(
  ctx: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { key, size, contentType, name, disposition }: Content,
): Promise<FastifyReply> {
  const etag = `"${key.replace('/', '-')}"`;
  reply.headers({
    'content-type': headerOf(contentType),
    'content-disposition': contentDisposition(disposition, name),
    'content-security-policy': securityPolicyOf(disposition === 'inline'),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    // The reader's browser may store the file, but must ask each time before it shows it.
    'cache-control': 'private, no-cache',
    vary: 'Authorization, Cookie',
    'accept-ranges': 'bytes',
    etag,
  });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  const condition = request.headers['if-range'];
  const range =
    condition === undefined || condition === etag
      ? parseRange(request.headers.range, size)
      : undefined;
  if (range === 'unsatisfiable') {
    return reply.code(416).header('content-range', `bytes */${size}`).send();
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  const isHead = request.method === 'HEAD';
  const bytes = isHead || size === 0 ? undefined : await ctx.files.read(key, range);
  if (bytes === undefined && !isHead && size > 0) {
    ctx.log.error({ key }, 'A file is in the database and not in the store.');
    return sendMissing(reply);
  }
  if (range !== undefined) {
    reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`);
  }
  return reply.header('content-length', String(end - start + 1)).send(bytes ?? '');
}

const page = (reply: FastifyReply, status: number) =>
  reply.code(status).headers({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': securityPolicyOf(false),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store, private',
    vary: 'Authorization, Cookie',
  });

/** Removes the headers of a file that is not sent after all, and answers that it is missing. */
const sendMissing = (reply: FastifyReply): FastifyReply => {
  for (const name of ['content-disposition', 'accept-ranges', 'etag']) reply.removeHeader(name);
  return page(reply, 404).send('<p>This file does not exist or has been deleted.</p>\n');
};

/** A transparent pixel, the answer where a picture was expected. */
const NO_PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

function sendForbidden(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const answer = page(reply, 403);
  if (prefersImages(request.headers.accept)) {
    return answer.header('content-type', 'image/png').send(NO_PICTURE);
  }
  return answer.send('<p>You are not authorized to view this file.</p>\n');
}
