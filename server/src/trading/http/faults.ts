// Maps errors that are not refusals to the catalogue: those of the framework, the signature check,
// an unavailable engine or database. Anything not listed here is unexpected.
import type { FastifyRequest } from 'fastify';
import { RequestProblem } from '../../accounts/trading-keys/problem.ts';
import { PoolFullError } from '../../platform/db/pool.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { EngineFailure } from '../engine/door.ts';
import { findError, isErrorName, refuse } from './errors.ts';
import { fromEngineFailure } from './rejections.ts';

export function toRefusal(
  error: unknown,
  request: Pick<FastifyRequest, 'isActing'>,
): Refusal | undefined {
  if (error instanceof Refusal) return fromRefusal(error);
  if (error instanceof RequestProblem) return refuse(error.kind, error.message, error.details);
  if (error instanceof EngineFailure) return fromEngineFailure(error);
  const code = codeOf(error);
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return refuse('BODY_TOO_LARGE', 'A body has at most 262144 bytes.');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return refuse('UNSUPPORTED_MEDIA_TYPE', 'The content type cannot be read.');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return refuse('JSON_INVALID', 'The body is shorter than its Content-Length.');
    default:
  }
  if (wasNeverReached(error, code) || (!request.isActing && wasLost(error, code))) {
    return refuse('UNAVAILABLE', 'The service is not ready. Nothing was done; try again.');
  }
  return undefined;
}

/** Refusals of accounts are named as in the catalogue, and get their code and status here. */
function fromRefusal(refusal: Refusal): Refusal | undefined {
  if (findError(refusal.code) !== undefined) return refusal;
  const { code, message, fields, headers, status } = refusal;
  if (isErrorName(code)) return refuse(code, message, fields, headers);
  return status === 429 ? refuse('RATE_LIMITED', message, {}, headers) : undefined;
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

/** The database did not take the statement at all. */
function wasNeverReached(error: unknown, code: string): boolean {
  if (error instanceof PoolFullError) return true;
  // Refused, unknown host; starting up or shutting down; too many connections.
  if (['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', '57P03', '53300'].includes(code)) return true;
  return (
    error instanceof Error && error.message.includes('timeout exceeded when trying to connect')
  );
}

/**
 * The connection broke after the statement was sent: a read did nothing, a write may have been
 * done.
 */
function wasLost(error: unknown, code: string): boolean {
  if (['ECONNRESET', 'EPIPE', 'ETIMEDOUT', '57P01', '57P02', '57014'].includes(code)) return true;
  return error instanceof Error && error.message.startsWith('Connection terminated');
}
