// The one place that renders answers of the trading API, success and failure. Headers are written
// at once, bypassing the framework's header table: every public read takes this path.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../platform/context.ts';
import { securityHeaders } from '../../platform/http/headers.ts';
import { helpLink } from '../../platform/http/help.ts';
import { AnswerTooLarge } from '../../platform/http/budget.ts';
import type { Refusal } from '../../platform/http/refusal.ts';
import { endsUnread } from '../../platform/http/unread.ts';
import type { Admission } from '../../platform/windows/windows.ts';
import { findError, refuse } from './errors.ts';
import { toRefusal } from './faults.ts';
import type { Limits } from './limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The limiter's decision, made before anything else; null only when it failed. Its time is the
     * request's.
     */
    admission: Admission | null;
    /** From now on, after a fault it is unknown whether something was done. */
    isActing: boolean;
  }
}

/** JSON text that is ready to be sent; frequent answers are printed once. */
export class RenderedJson {
  readonly json: string;
  constructor(json: string) {
    this.json = json;
  }
}

/** A file, which is sent as it is. */
export class FileContent {
  readonly bytes: Buffer;
  readonly mediaType: string;
  /** Letters, digits, points and hyphens only. */
  readonly name: string;
  constructor(bytes: Buffer, { mediaType, name }: { mediaType: string; name: string }) {
    this.bytes = bytes;
    this.mediaType = mediaType;
    this.name = name;
  }
}

/** A result with its own headers. `Cache-Control` replaces `no-store`. */
export class Answer<T> {
  readonly result: T;
  readonly headers: Readonly<Record<string, string>>;
  constructor(result: T, headers: Readonly<Record<string, string>>) {
    this.result = result;
    this.headers = headers;
  }
}

export interface Envelope {
  /** Puts `result` into the envelope; a file is sent without one. */
  succeed(request: FastifyRequest, reply: FastifyReply, result: unknown): void;
  /** Sends a document without the envelope; it may be cached for a minute. */
  sendBare(request: FastifyRequest, reply: FastifyReply, json: string): void;
  fail(request: FastifyRequest, reply: FastifyReply, error: unknown): void;
  /** Answers a browser's preflight request. */
  answerPreflight(request: FastifyRequest, reply: FastifyReply, allowed: readonly string[]): void;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const NO_HEADERS: readonly string[] = [];
const NONE: Readonly<Record<string, string>> = {};
/** Every list is paged or grows with the markets; anything larger lacks its limit. */
const ANSWER_CHARACTERS_MAX = 16 * 1024 * 1024;
const EXPOSED = [
  'Link',
  'Retry-After',
  'X-SVC-REQUEST-ID',
  'X-SVC-RATELIMIT-LIMIT',
  'X-SVC-RATELIMIT-WINDOW',
  'X-SVC-RATELIMIT-REMAINING',
  'X-SVC-RATELIMIT-RESET',
  'X-SVC-IDEMPOTENT-REPLAY',
  'X-SVC-CONTENT-SHA256',
  'X-SVC-ENGINE-SEQ',
  'X-SVC-COMPLETE-TO-SEQ',
  'Content-Disposition',
].join(', ');
const ACCEPTED = 'Content-Type, X-SVC-APIKEY, X-SVC-SIGNATURE, X-SVC-SIGNATURE-VERSION';

/** The request's one reading of the clock, in whole milliseconds. */
export const serverTimeOf = (ctx: Context, request: FastifyRequest): number =>
  Math.floor(request.admission?.atMs ?? ctx.clock.now());

/** Which answers pages of other sites may read: those below this prefix only from configured origins, or none at all. */
export type Sharing = { readonly privatePrefix: string } | 'nothing';

export function createEnvelope(ctx: Context, { rule }: Limits, sharing: Sharing): Envelope {
  const limit = String(rule.limit);
  const window = String(rule.windowMs);
  const origins = new Set(ctx.config.TRADING_CORS_ORIGINS.split(',').map((text) => text.trim()));
  origins.delete('');
  const always = Object.entries(securityHeaders(ctx.config)).flat();

  function write(
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    body: string | Buffer,
    cacheControl: string,
    more: readonly string[],
    mediaType = JSON_TYPE,
  ): void {
    const { admission, raw } = request;
    const headers = [
      'Cache-Control',
      cacheControl,
      ...always,
      'X-SVC-REQUEST-ID',
      request.id,
      'X-SVC-RATELIMIT-LIMIT',
      limit,
      'X-SVC-RATELIMIT-WINDOW',
      window,
      'X-SVC-RATELIMIT-REMAINING',
      admission === null ? '0' : String(admission.remaining),
      'X-SVC-RATELIMIT-RESET',
      String(Math.ceil(admission === null ? ctx.clock.now() : admission.resetMs)),
    ];
    addCors(request, headers);
    const bytes = Buffer.byteLength(body);
    if (status !== 204) headers.push('Content-Type', mediaType, 'Content-Length', String(bytes));
    if (more.length > 0) headers.push(...more);
    if (endsUnread(raw)) headers.push('Connection', 'close');
    reply.hijack();
    reply.raw.writeHead(status, headers);
    // For HEAD the response object drops the body.
    if (typeof body !== 'string') reply.raw.end(body);
    // One byte per character: the text is ASCII, so the faster of two writers will do.
    else reply.raw.end(body, bytes === body.length ? 'latin1' : 'utf8');
  }

  function addCors(request: FastifyRequest, headers: string[]): void {
    if (sharing === 'nothing') return;
    const { url = '', headers: sent } = request.raw;
    if (url.startsWith(sharing.privatePrefix)) return addPrivateCors(request, headers);
    headers.push('Access-Control-Allow-Origin', '*');
    if (sent.origin !== undefined) headers.push('Access-Control-Expose-Headers', EXPOSED);
  }

  function addPrivateCors(request: FastifyRequest, headers: string[]): void {
    if (origins.size === 0) return;
    headers.push('Vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !origins.has(origin)) return;
    headers.push('Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', EXPOSED);
  }

  return {
    succeed(request, reply, given) {
      const result: unknown = given instanceof Answer ? given.result : given;
      const { 'Cache-Control': cacheControl = 'no-store', ...own } =
        given instanceof Answer ? given.headers : NONE;
      const more = given instanceof Answer ? Object.entries(own).flat() : NO_HEADERS;
      if (result instanceof FileContent) {
        const { bytes, mediaType, name } = result;
        const saved = ['Content-Disposition', `attachment; filename="${name}"`, ...more];
        write(request, reply, 200, bytes, 'no-store', saved, mediaType);
        return;
      }
      const json = result instanceof RenderedJson ? result.json : JSON.stringify(result);
      if (json.length > ANSWER_CHARACTERS_MAX) {
        this.fail(request, reply, new AnswerTooLarge(ANSWER_CHARACTERS_MAX));
        return;
      }
      const time = serverTimeOf(ctx, request);
      const body = `{"status":"true","serverTime":"${time}","result":${json}}`;
      write(request, reply, 200, body, cacheControl, more);
    },
    sendBare(request, reply, json) {
      write(request, reply, 200, json, 'public, max-age=60', NO_HEADERS);
    },
    fail(request, reply, error) {
      request.failure = error;
      const refusal = toRefusal(error, request) ?? unexpected(ctx, request, error);
      const { code, message, fields: details } = refusal;
      const name = findError(code)?.name ?? 'INTERNAL';
      const body = JSON.stringify({
        status: 'false',
        serverTime: String(serverTimeOf(ctx, request)),
        result: null,
        error: { code, name, message, details },
      });
      const more = ['Link', helpLink(code), ...Object.entries(refusal.headers).flat()];
      write(request, reply, refusal.status, body, 'no-store', more);
    },
    answerPreflight(request, reply, allowed) {
      const methods = allowed.join(', ');
      if (sharing === 'nothing') {
        return write(request, reply, 204, '', 'no-store', ['Allow', methods]);
      }
      write(request, reply, 204, '', 'no-store', [
        'Allow',
        methods,
        'Access-Control-Allow-Methods',
        methods,
        'Access-Control-Allow-Headers',
        ACCEPTED,
        'Access-Control-Max-Age',
        '600',
      ]);
    },
  };
}

/** The cause goes to our log; the caller learns only the request's id. */
function unexpected(ctx: Context, request: FastifyRequest, error: unknown): Refusal {
  ctx.log.error({ err: error, requestId: request.id }, 'A trading request failed unexpectedly.');
  return refuse('INTERNAL', `Something went wrong on our side. Request ${request.id}.`);
}
