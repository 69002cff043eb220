// Refusals that any chat route can give. Those of one feature are in its `errors.ts` or rules.
import { Refusal } from '../../platform/http/refusal.ts';

export const badRequest = (message: string, fields: Record<string, unknown> = {}) =>
  new Refusal({ code: 'BAD_REQUEST', message, status: 400, fields });

/** A few features answer "it does not exist" with 404, such as drafts and scheduled messages. */
export const notFound = (message: string) =>
  new Refusal({ code: 'BAD_REQUEST', message, status: 404 });

export const missingParameter = (name: string) =>
  badRequest(`Missing '${name}' argument`, { var_name: name });

const TYPE_SHOWN_MAX = 100;

/** For a body that is not a form: it is refused, so that its sender does not believe that it was accepted. */
export const bodyNotRead = (type: string) =>
  badRequest(
    `The body of this request was not read, and nothing was done. Parameters are form fields: send them as ` +
      `application/x-www-form-urlencoded or multipart/form-data, with lists and objects as JSON text in their ` +
      `fields. This body came ${type === '' ? 'without a Content-Type' : `as ${type.slice(0, TYPE_SHOWN_MAX)}`}.`,
  );

export const confusingParameter = (name: string, alias: string) =>
  new Refusal({
    code: 'REQUEST_CONFUSING_VAR',
    message: `Can't decide between '${name}' and '${alias}' arguments`,
    status: 400,
    fields: { var_name1: name, var_name2: alias },
  });

export const unauthorized = (message: string) =>
  new Refusal({
    code: 'UNAUTHORIZED',
    message,
    status: 401,
    headers: { 'www-authenticate': 'Basic realm="zulip"' },
  });

/** For requests with a session. The unknown scheme keeps browsers from opening a password dialog. */
export const noSession = () =>
  new Refusal({
    code: 'UNAUTHORIZED',
    message: 'Not logged in: API authentication or user session required',
    status: 401,
    headers: { 'www-authenticate': 'Session realm="zulip"' },
  });

export const sessionDeactivated = () =>
  new Refusal({
    code: 'USER_DEACTIVATED',
    message: 'Account is deactivated',
    status: 401,
    headers: { 'www-authenticate': 'Session realm="zulip"' },
  });

export const csrfFailed = (reason: string) =>
  new Refusal({
    code: 'CSRF_FAILED',
    message: `CSRF error: ${reason}`,
    status: 403,
    fields: { reason },
  });

export const methodNotAllowed = (allowed: readonly string[]) =>
  new Refusal({
    code: 'BAD_REQUEST',
    message: 'Method Not Allowed',
    status: 405,
    fields: { allowed_methods: allowed },
    headers: { allow: allowed.join(', ') },
  });

export const bodyTooLarge = () =>
  new Refusal({
    code: 'BAD_REQUEST',
    message: 'The request body is larger than this server accepts.',
    status: 413,
    // The rest of the body is not read.
    headers: { connection: 'close' },
  });

export const rateLimitHit = (retryAfterSeconds: number) =>
  new Refusal({
    code: 'RATE_LIMIT_HIT',
    message:
      'API usage exceeded rate limit; see https://zulip.com/api/http-headers#rate-limiting-response-headers',
    status: 429,
    fields: { 'retry-after': retryAfterSeconds },
    // Whole seconds: HTTP libraries refuse a fraction here, while the body may have one.
    headers: { 'retry-after': String(Math.ceil(retryAfterSeconds)) },
  });

export const unavailable = () =>
  new Refusal({
    code: 'SERVICE_UNAVAILABLE',
    message: 'The service is unavailable for the moment; try again shortly.',
    status: 503,
    headers: { 'retry-after': '1' },
  });

export const internalError = () =>
  new Refusal({
    code: 'INTERNAL_SERVER_ERROR',
    message: 'Internal server error',
    status: 500,
  });

/** The answer exists, but is larger than this server sends at once. */
export const answerTooLarge = (bytesMax: number) =>
  new Refusal({
    code: 'ANSWER_TOO_LARGE',
    message: `The answer would have more than ${bytesMax} bytes. Ask for less at once, or tell the operators of this server.`,
    status: 500,
  });
