// Which status each kind of error becomes.
import pg from 'pg';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { TooManyHashes } from '../../accounts/passwords/hash.ts';
import { badRequest } from './errors.ts';
import { toRefusal } from './failures.ts';

const log = pino({ level: 'silent' });

function databaseError(code: string): pg.DatabaseError {
  const error = new pg.DatabaseError('a text that callers must not see', 0, 'error');
  error.code = code;
  return error;
}

const systemError = (code: string) => Object.assign(new Error('connect failed'), { code });

it.each([
  systemError('ECONNREFUSED'),
  new AggregateError([systemError('ECONNREFUSED')]),
  new Error('Connection terminated unexpectedly'),
  new Error('timeout exceeded when trying to connect'),
  databaseError('57P01'),
  databaseError('53300'),
  databaseError('57014'),
  new TooManyHashes('Too many logins at once.'),
])('an engine that is away or overloaded is 503, with a time to retry: %s', (error) => {
  expect(toRefusal(error, log)).toMatchObject({
    status: 503,
    code: 'SERVICE_UNAVAILABLE',
    headers: { 'retry-after': '1' },
  });
});

it.each([databaseError('42P01'), new TypeError('x is undefined'), 'a thrown text'])(
  'a bug is 500 and reveals nothing: %s',
  (error) => {
    expect(toRefusal(error, log)).toMatchObject({
      status: 500,
      code: 'INTERNAL_SERVER_ERROR',
      message: 'Internal server error',
    });
  },
);

it('a refusal stays the same', () => {
  const refusal = badRequest('no');
  expect(toRefusal(refusal, log)).toBe(refusal);
});
