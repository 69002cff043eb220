// A start waits for a busy database, but not for any other error.
import pg from 'pg';
import { expect, it } from 'vitest';
import { isDatabaseBusy, readAtStart } from './busy.ts';
import { PoolFullError } from './pool.ts';

const databaseError = (code: string): Error =>
  Object.assign(new pg.DatabaseError('no', 2, 'error'), { code });
const systemError = (code: string): Error => Object.assign(new Error('no'), { code });
const quiet = { warn: () => {} };

it.each([
  ['no connection was free in time', new Error('timeout exceeded when trying to connect'), true],
  ['none opened in time', new Error('Connection terminated due to connection timeout'), true],
  ['too many wait', new PoolFullError(), true],
  ['the server has no connection left', databaseError('53300'), true],
  ['a statement took too long', databaseError('57014'), true],
  ['nobody listens there', systemError('ECONNREFUSED'), false],
  ['the password is wrong', databaseError('28P01'), false],
  ['a table is missing', databaseError('42P01'), false],
  ['a mistake of ours', new TypeError('x is undefined'), false],
])('%s', (_what, error, isBusy) => {
  expect(isDatabaseBusy(error)).toBe(isBusy);
});

it('retries while the database is busy, and reports any other error at once', async () => {
  let tries = 0;
  const read = async () => {
    tries += 1;
    if (tries < 3) throw new PoolFullError();
    return 'there';
  };
  expect(await readAtStart(quiet, read)).toBe('there');
  expect(tries).toBe(3);
  const refuse = async () => {
    tries += 1;
    throw databaseError('28P01');
  };
  await expect(readAtStart(quiet, refuse)).rejects.toMatchObject({ code: '28P01' });
  expect(tries).toBe(4);
});
