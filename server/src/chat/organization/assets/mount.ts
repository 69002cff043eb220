// Mounts the files that clients fetch outside the API, such as emoji data and pictures, at paths below the origin.
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { UNKNOWN_AVATAR } from '../../../accounts/users/events.ts';
import type { ApiContext } from '../../../platform/context.ts';
import { findPicture, type Picture } from '../avatars/access.ts';
import { findEmojiImage } from '../custom-emoji/access.ts';
import { EMOJI_FOLDER, STILL_EMOJI_FOLDER } from '../custom-emoji/paths.ts';
import { accessPerson } from '../../rights/sight/access.ts';
import { EMOJI_DATA } from '../../text/emoji/emoji.ts';
import { authenticateReader } from '../../http/authenticate.ts';
import { notFound } from '../../http/errors.ts';
import { LOADING_IMAGE } from '../../text/markdown/previews.ts';
import { drawAvatar, drawRealmIcon, LOADING_PICTURE } from './images.ts';
import { EMOJI_DATA_PATH, OLDER_REALM_ICON_PATH, REALM_ICON_PATH } from '../org/asset-paths.ts';

const SMALL_PIXELS = 100;
const MEDIUM_PIXELS = 500;
/** Drawn avatars that a process keeps, each of about a thousand bytes; the least recently used goes first. */
const DRAWN_MAX = 5000;

export function mountAssets(app: FastifyInstance, ctx: ApiContext): void {
  app.get(EMOJI_DATA_PATH, (_request, reply) => sendPublic(reply, 'application/json', EMOJI_DATA));
  for (const path of [REALM_ICON_PATH, OLDER_REALM_ICON_PATH])
    app.get(path, (_request, reply) => sendPublic(reply, 'image/png', drawRealmIcon()));
  app.get(LOADING_IMAGE, (_request, reply) => sendPublic(reply, 'image/svg+xml', LOADING_PICTURE));
  app.get(`${EMOJI_FOLDER}/:file`, (request, reply) => sendEmoji(ctx, request, reply));
  app.get(`${STILL_EMOJI_FOLDER}/:file`, (request, reply) => sendEmoji(ctx, request, reply));
  const drawn = new Map<string, Buffer>();
  const avatar = (pixels: number) => (request: FastifyRequest, reply: FastifyReply) =>
    sendAvatar(ctx, drawn, request, reply, pixels);
  app.get('/avatar/:user_id(^\\d+$)', avatar(SMALL_PIXELS));
  app.get('/avatar/:user_id(^\\d+$)/medium', avatar(MEDIUM_PIXELS));
}

/** The drawing for an id, made once for each size. */
function drawOnce(drawn: Map<string, Buffer>, userId: number, pixels: number): Buffer {
  const key = `${userId}/${pixels}`;
  const picture = drawn.get(key) ?? drawAvatar(userId, pixels);
  drawn.delete(key);
  drawn.set(key, picture);
  const [oldest] = drawn.keys();
  if (drawn.size > DRAWN_MAX && oldest !== undefined) drawn.delete(oldest);
  return picture;
}

/**
 * Strangers get an avatar too, since browsers show images without credentials. They get only a drawing, and one for
 * every id, so that nobody learns which users exist.
 */
async function sendAvatar(
  ctx: ApiContext,
  drawn: Map<string, Buffer>,
  request: FastifyRequest,
  reply: FastifyReply,
  pixels: number,
): Promise<FastifyReply> {
  const { user_id: text } = request.params as { user_id: string };
  const { authorization } = request.headers;
  let userId = Number(text);
  let picture: Picture | undefined;
  if (authorization !== undefined) {
    const viewer = await authenticateReader(ctx, authorization, request.caller);
    // The picture of everybody whom the viewer does not know is asked for by an id that nobody has.
    if (userId === UNKNOWN_AVATAR.id)
      return sendPicture(request, reply, drawOnce(drawn, userId, pixels));
    const user = await accessPerson(ctx, ctx.db, viewer, userId);
    userId = user.id;
    if (user.avatarSource === 'U') picture = await findPicture(ctx.db, userId);
  }
  const body =
    (pixels === MEDIUM_PIXELS ? picture?.medium : undefined) ??
    picture?.image ??
    drawOnce(drawn, userId, pixels);
  return sendPicture(request, reply, body, picture?.contentType);
}

/** The client may cache it, and asks each time whether it has changed. */
async function sendPicture(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Buffer,
  contentType = 'image/png',
): Promise<FastifyReply> {
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`;
  reply.headers({ 'cache-control': 'private, no-cache', vary: 'Authorization', etag });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  return reply
    .headers({
      'content-type': contentType,
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    })
    .send(body);
}

/** Browsers show it without credentials, like every image in a message. An id never gets another image. */
async function sendEmoji(
  ctx: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { file } = request.params as { file: string };
  const id = /^(\d{1,9})\.(?:png|jpg|gif|webp)$/.exec(file)?.[1];
  const picture = id === undefined ? undefined : await findEmojiImage(ctx.db, Number(id));
  const isStill = request.url.startsWith(STILL_EMOJI_FOLDER);
  const image = isStill ? picture?.still : picture?.image;
  if (picture === undefined || image === undefined || image === null) throw notFound('Not found');
  return reply
    .headers({ 'cache-control': 'public, max-age=31536000, immutable' })
    .header('content-type', isStill ? 'image/png' : picture.contentType)
    .send(image);
}

function sendPublic(reply: FastifyReply, type: string, body: string | Buffer): FastifyReply {
  return reply
    .headers({ 'cache-control': 'public, max-age=86400', 'access-control-allow-origin': '*' })
    .headers({ 'content-type': type, 'cross-origin-resource-policy': 'cross-origin' })
    .send(body);
}
