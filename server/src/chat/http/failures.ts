// Turns anything thrown into a refusal. Details that are not for the caller go only to the log.
import pg from 'pg';
import { TooManyHashes } from '../../accounts/passwords/hash.ts';
import { PoolFullError } from '../../platform/db/pool.ts';
import { AnswerTooLarge } from '../../platform/http/budget.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { TooManyWaiting } from '../../platform/std/turns.ts';
import type { Log } from '../../platform/observe/log.ts';
import { answerTooLarge, badRequest, bodyTooLarge, internalError, unavailable } from './errors.ts';

export function toRefusal(error: unknown, log: Log): Refusal {
  if (error instanceof Refusal) return error;
  const status = statusOf(error);
  if (status === 413) return bodyTooLarge();
  // The framework's errors about a request, such as a wrong length or broken multipart.
  if (status >= 400 && status < 500) return badRequest('The request could not be read.');
  const isCrowded = error instanceof TooManyHashes || error instanceof TooManyWaiting;
  // platform/http/outage.ts logs these, once per outage.
  if (isCrowded || isDatabaseAway(error)) return unavailable();
  if (error instanceof AnswerTooLarge) {
    log.error({ err: error }, 'An answer was too large to be given: something in it has no limit.');
    return answerTooLarge(error.bytesMax);
  }
  log.error({ err: error }, 'A chat request failed.');
  return internalError();
}

function statusOf(error: unknown): number {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  return typeof status === 'number' ? status : 500;
}

/** Connection errors (08), too few resources (53), shut down or cancelled (57), and a standby (25006). */
const AWAY_SQLSTATE = /^(08|53|57)|^25006$/;
const AWAY_SYSTEM = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOENT']);
const AWAY_TEXT = /Connection terminated|timeout exceeded when trying to connect|not queryable/;

function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError) return AWAY_SQLSTATE.test(error.code ?? '');
  if (error instanceof PoolFullError) return true;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return AWAY_SYSTEM.has(code) || AWAY_TEXT.test(error.message);
}
