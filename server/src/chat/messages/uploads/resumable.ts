// Resumable uploads: the tus protocol at /api/v1/tus, by the protocol's own library. Authentication, space and errors
// are ours, and only its owner can touch an upload.
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { Metadata, Server, type KvStore, type Upload } from '@tus/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { User } from '../../../accounts/user.ts';
import type { ApiContext } from '../../../platform/context.ts';
import { newFileKey } from '../../../platform/files/files.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import { findSession } from '../../../accounts/sessions/access.ts';
import { HOUR_MS } from '../../../platform/std/time.ts';
import { authenticate } from '../../http/authenticate.ts';
import { toRefusal } from '../../http/failures.ts';
import { admitAddress, admitUser } from '../../http/limits.ts';
import { findAttachment, type AttachmentRow } from './access.ts';
import { abandonUpload, beginUpload, finishUpload } from './actions.ts';
import { createLocker } from './lease.ts';
import { asciiPathName, cleanName } from './name.ts';
import { checkFileSize, fileBytesMax } from './quota.ts';
import { deleteUnderWay, findUnderWay, updateUnderWay, type UnderWay } from './store.ts';

export const TUS_PATH = '/api/v1/tus';
/** How long a request may keep writing after another one asked for its lock. */
const DRAIN_MS = 200;

/** Our data about a request while the library handles it. */
interface Calling {
  readonly user: User;
  /** The key of the upload that it began. */
  begun?: string;
  /** The key of the upload that it finished. */
  finished?: string;
}

export async function mountResumable(app: FastifyInstance, ctx: ApiContext): Promise<void> {
  const calls = new WeakMap<Request, Calling>();
  const tus = createServer(ctx, calls);
  await app.register(
    async (scope) => {
      scope.setErrorHandler((error: unknown, request, reply) => {
        request.failure = error;
        return sendTusRefusal(reply, toRefusal(error, ctx.log));
      });
      // The library reads the body itself.
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
      // Fastify mounts the first one also without its slash.
      for (const url of ['/', '/:id', '/:id/']) {
        scope.route({
          method: ['POST', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS', 'GET', 'PUT'],
          url,
          exposeHeadRoute: false,
          config: { takesFiles: true, limits: 'own' },
          handler: (request, reply) => serve(ctx, tus, calls, request, reply),
        });
      }
    },
    { prefix: TUS_PATH },
  );
}

async function serve(
  ctx: ApiContext,
  tus: Server,
  calls: WeakMap<Request, Calling>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const method = methodOf(request);
  if (method === 'OPTIONS') return send(reply, await tus.handleWeb(toWeb(request, reply, method)));
  const user = await identify(ctx, request, reply);
  checkProtocol(request, method);
  const { id } = request.params as { id?: string };
  if ((id === undefined) !== (method === 'POST')) return sendTusRefusal(reply, noSuchUpload());
  if (id !== undefined) {
    const row = await findOwn(ctx, user, id);
    const finished =
      row.attachmentId === null ? undefined : await findAttachment(ctx.db, row.attachmentId);
    // The library forgets finished uploads, so we answer for it.
    if (finished !== undefined && method !== 'DELETE') {
      return sendFinished(request, reply, method, finished, row.tus);
    }
    if (row.attachmentId !== null) return sendTusRefusal(reply, noSuchUpload());
  } else {
    await checkBeginning(ctx, request, reply, user);
  }
  const call: Calling = { user };
  const asked = toWeb(request, reply, method);
  calls.set(asked, call);
  const answer = await tus.handleWeb(asked);
  if (answer.status >= 400 && call.begun !== undefined) await abandonUpload(ctx, call.begun);
  if (call.finished !== undefined) {
    // Not earlier: the library needs its notes until it has answered.
    await ctx.files
      .forgetResumable(call.finished)
      .catch((error: unknown) =>
        ctx.log.warn({ err: error }, 'The notes of a finished upload could not be removed.'),
      );
  }
  if (method === 'DELETE' && answer.ok && id !== undefined) {
    await ctx.files.forgetResumable(keyOf(id));
    await deleteUnderWay(ctx.db, keyOf(id));
  }
  return send(reply, answer);
}

const refuse = (status: number, message: string, headers: Record<string, string> = {}) =>
  new Refusal({ code: status === 401 ? 'UNAUTHORIZED' : 'BAD_REQUEST', message, status, headers });

const noSuchUpload = () =>
  refuse(404, 'There is no such upload, or it is not yours, or its time is over. Begin a new one.');
const VERSION = '1.0.0';
const PIECE = 'application/offset+octet-stream';
const METHODS: ReadonlySet<string> = new Set(['POST', 'HEAD', 'PATCH', 'DELETE']);

/** A header names the method, for clients that cannot send every method. It wins over the request line. */
function methodOf({ method, headers }: FastifyRequest): string {
  const meant = headers['x-http-method-override'];
  return typeof meant === 'string' ? meant : method;
}

function checkProtocol({ headers }: FastifyRequest, method: string): void {
  if (!METHODS.has(method)) {
    throw refuse(405, 'Method Not Allowed', { allow: 'DELETE, HEAD, OPTIONS, PATCH, POST' });
  }
  const version = headers['tus-resumable'];
  if (version !== VERSION) {
    const given = version === undefined ? 'none was given' : `${String(version)} was given`;
    throw refuse(412, `This server speaks version ${VERSION} of tus; ${given} in Tus-Resumable.`, {
      'tus-version': VERSION,
    });
  }
  if (method === 'PATCH' && headers['content-type'] !== PIECE) {
    throw refuse(415, `A piece of a file is sent with the Content-Type ${PIECE}.`);
  }
}

const INCOMING_WEBHOOK_BOT = 2;

/** Authenticates before anything of the body is read. */
async function identify(
  ctx: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<User> {
  try {
    const user = await byKeyOrSession(ctx, request);
    if (user.botType !== INCOMING_WEBHOOK_BOT) return user;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
  await admitAddress(ctx, reply, request.caller);
  throw refuse(401, 'Unauthenticated upload', { 'www-authenticate': 'Basic realm="zulip"' });
}

/**
 * Every request needs the protocol's own header, which no page of another site can make a browser send. So a session
 * needs no CSRF token here.
 */
async function byKeyOrSession(ctx: ApiContext, { headers }: FastifyRequest): Promise<User> {
  if (headers.authorization !== undefined || headers['tus-resumable'] === undefined) {
    return authenticate(ctx, headers.authorization);
  }
  const found = await findSession(ctx, headers.cookie);
  return found.kind === 'live' ? found.session.user : authenticate(ctx, undefined);
}

const NAME = /^[0-9a-f]{32}$/;

/** An upload's id is its file name; the folder follows from it. */
const keyOf = (name: string): string => `${name.slice(0, 2)}/${name}`;
const nameOf = (key: string): string => key.slice(3);

/** An upload of somebody else is refused as unknown. */
async function findOwn(ctx: ApiContext, user: User, name: string): Promise<UnderWay> {
  const row = NAME.test(name) ? await findUnderWay(ctx.db, keyOf(name)) : undefined;
  if (row === undefined || row.tus === null || row.ownerId !== user.id) throw noSuchUpload();
  return row;
}

async function checkBeginning(
  ctx: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
  user: User,
): Promise<void> {
  await admitUser(ctx, reply, user);
  if (request.headers['upload-defer-length'] !== undefined) {
    throw refuse(411, 'SizeIsDeferred is not supported');
  }
  const length = Number(request.headers['upload-length']);
  if (Number.isFinite(length)) checkFileSize(ctx.config, length);
}

function createServer(ctx: ApiContext, calls: WeakMap<Request, Calling>): Server {
  const datastore = ctx.files.resumable(rowsOf(ctx), ctx.config.UPLOADS_UNFINISHED_HOURS * HOUR_MS);
  datastore.extensions = datastore.extensions.filter((name) => name !== 'creation-defer-length');
  const callOf = (request: Request): Calling => {
    const call = calls.get(request);
    if (call === undefined)
      throw new Error('The tus library got a request that did not come through serve().');
    return call;
  };
  return new Server({
    path: TUS_PATH,
    datastore,
    locker: createLocker(ctx),
    lockDrainTimeout: DRAIN_MS,
    maxSize: fileBytesMax(ctx.config),
    disableTerminationForFinishedUploads: true,
    // No cross-origin requests.
    allowedOrigins: () => false,
    namingFunction: () => newFileKey(),
    generateUrl: (_request, { id }) => `${TUS_PATH}/${nameOf(id)}`,
    getFileIdFromRequest: (_request, last) =>
      last !== undefined && NAME.test(last) ? keyOf(last) : undefined,
    async onUploadCreate(request, { id, size = 0, metadata = {} }) {
      const call = callOf(request);
      checkMetadata(metadata);
      await beginUpload(ctx, call.user, id, size);
      call.begun = id;
      await updateUnderWay(ctx.db, id, { tus: { metadata } });
      return { metadata };
    },
    async onUploadFinish(request, upload) {
      const call = callOf(request);
      const row = await finish(ctx, call.user, upload);
      call.finished = upload.id;
      return {
        // A client that sent everything with its first request needs the location, which only a 201 carries.
        status_code: request.method === 'POST' ? 201 : 200,
        headers: { 'Content-Type': 'application/json' },
        body: bodyOf(row),
      };
    },
    onResponseError: (_request, error) => {
      // The library throws its own refusals as plain objects.
      if (!(error instanceof Error)) return undefined;
      const refusal = toRefusal(error, ctx.log);
      return { status_code: statusOf(refusal), body: JSON.stringify(envelopeOf(refusal)) };
    },
  });
}

/** NUL cannot be stored, and no file name contains it. */
function checkMetadata(metadata: Readonly<Record<string, string | null>>): void {
  const texts = Object.entries(metadata).flat();
  if (texts.some((text) => text?.includes('\0') === true)) {
    throw refuse(400, 'Upload-Metadata must not contain null bytes.');
  }
}

/** Keeps the library's notes on an upload in its row instead of on disk. */
const rowsOf = ({ db }: ApiContext): KvStore => ({
  get: async (key) => ((await findUnderWay(db, key))?.tus ?? undefined) as Upload | undefined,
  set: (key, value) => updateUnderWay(db, key, { tus: value }),
  delete: async () => {},
});

async function finish(ctx: ApiContext, owner: User, upload: Upload): Promise<AttachmentRow> {
  const { id: key, size = 0, metadata } = upload;
  if (size === 0 && (await ctx.files.size(key)) === undefined) {
    await ctx.files.put(key, Readable.from([]), 0);
  }
  const stored = await ctx.files.size(key);
  if (stored !== size) {
    throw new Error(`The upload ${key} has ${stored} bytes in the store, not ${size}.`);
  }
  await ctx.files.settle(key);
  const name = cleanName(metadata?.['filename'] ?? metadata?.['name'] ?? '');
  return finishUpload(ctx, owner, key, { size }, name, asciiPathName(name));
}

const bodyOf = ({ pathId, name }: AttachmentRow): string =>
  JSON.stringify({ url: `/user_uploads/${pathId}`, filename: name });

/** For a client that missed the last answer: the offset, and on request the whole answer again. */
function sendFinished(
  request: FastifyRequest,
  reply: FastifyReply,
  method: string,
  row: AttachmentRow,
  notes: unknown,
): FastifyReply {
  reply.headers({
    'tus-resumable': VERSION,
    'upload-offset': String(row.size),
    'upload-length': String(row.size),
    'cache-control': 'no-store',
  });
  if (method === 'HEAD') {
    const { metadata = {} } = (notes ?? {}) as Pick<Upload, 'metadata'>;
    const said = Metadata.stringify(metadata);
    if (said !== '') reply.header('upload-metadata', said);
    return reply.code(200).send();
  }
  if (request.headers['upload-offset'] !== String(row.size)) {
    return sendTusRefusal(reply, refuse(409, 'Upload-Offset conflict'));
  }
  return reply.code(200).header('content-type', 'application/json').send(bodyOf(row));
}

/** The request as a web `Request`, which the library expects. */
function toWeb(request: FastifyRequest, reply: FastifyReply, method: string): Request {
  const { raw } = request;
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw.headers)) {
    if (typeof value === 'string' && !name.startsWith('x-forwarded')) headers.set(name, value);
  }
  const hasBody = method === 'POST' || method === 'PATCH';
  const asked = new Request(new URL(request.url, 'http://tus.invalid'), {
    method,
    headers,
    ...(hasBody && { body: Readable.toWeb(raw) as ReadableStream & BodyInit, duplex: 'half' }),
  });
  // With these the library notices a lost connection, and keeps the bytes received so far.
  return Object.assign(asked, { runtime: { node: { req: raw, res: reply.raw } } });
}

async function send(reply: FastifyReply, answer: Response): Promise<FastifyReply> {
  for (const [name, value] of answer.headers) {
    if (!name.startsWith('access-control-') && name !== 'content-length') reply.header(name, value);
  }
  const text = await answer.text();
  if (answer.status < 400) return reply.code(answer.status).send(text === '' ? undefined : text);
  const message = text.trim();
  const body = message.startsWith('{')
    ? message
    : JSON.stringify(envelopeOf(refuse(answer.status, message)));
  return reply
    .code(answer.status)
    .headers({ 'content-type': 'application/json', 'cache-control': 'no-store' })
    .send(body);
}

function sendTusRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  return reply
    .code(statusOf(refusal))
    .headers({
      ...refusal.headers,
      'tus-resumable': VERSION,
      'content-type': 'application/json',
      'cache-control': 'no-store',
    })
    .send(JSON.stringify(envelopeOf(refusal)));
}

/** This protocol answers 413 for anything that is too much. */
const statusOf = ({ code, status, message }: Refusal): number =>
  code === 'REALM_UPLOAD_QUOTA' || message.startsWith('File is larger than') ? 413 : status;

/** The fields of the chat API's errors, beside the field that clients of this protocol read. */
const envelopeOf = ({ code, message, fields }: Refusal) => ({
  result: 'error',
  msg: message,
  code,
  message,
  ...fields,
});
