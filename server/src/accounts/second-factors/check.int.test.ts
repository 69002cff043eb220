// Codes are good once, and cannot be guessed.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { noteDevice } from '../known-places/actions.ts';
import { openCodes } from '../sign-in/codes.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { examplePerson, type Person } from '../../testing/example.ts';
import { giveTotp, type Authenticator } from '../../testing/factors.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { checkFactor } from './check.ts';
import type { FactorAnswer } from './factor.ts';

const WRONG = '000000';

let server: TestServer;
let ada: Person;
let app: Authenticator;

beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  await server.ctx.database.pool.query('DELETE FROM sign_in_buckets');
  ada = await examplePerson(server.ctx);
  app = await giveTotp(server.ctx, ada);
});
afterAll(() => server.close());

const totp = (code: string): FactorAnswer => ({ kind: 'totp', code });
const recovery = (code = ''): FactorAnswer => ({ kind: 'recovery', code });

/** What came of one answer: the method, `wrong` or the status of the refusal. */
async function show(
  answer: FactorAnswer,
  {
    user = ada,
    address = '192.0.2.1',
    device = undefined as string | undefined,
    isSignIn = true,
  } = {},
): Promise<string | number> {
  try {
    return (await checkFactor(server.ctx, user, answer, { address, device, isSignIn })) ?? 'wrong';
  } catch (error) {
    if (error instanceof Refusal) return error.status;
    throw error;
  }
}

const rewind = (interval: string) =>
  server.ctx.database.pool.query('UPDATE sign_in_buckets SET at = at - $1::interval', [interval]);

describe('a code', () => {
  it('is good once, and an earlier one is not good after it', async () => {
    const [first, second] = [await app.next(), await app.next()];
    expect(await show(totp(first))).toBe('totp');
    expect(await show(totp(first))).toBe('wrong');
    expect(await show(totp(second))).toBe('totp');
    expect(await show(totp(first))).toBe('wrong');
  });

  it('of another person is wrong', async () => {
    const bob = await examplePerson(server.ctx);
    await giveTotp(server.ctx, bob);
    expect(await show(totp(await app.next()), { user: bob })).toBe('wrong');
    expect(await show(recovery(app.recoveryCodes[0]), { user: bob })).toBe('wrong');
    const eve = await examplePerson(server.ctx);
    expect(await show(totp(await app.next()), { user: eve })).toBe('wrong');
  });

  it('[I8] passes once of 40 at the same time', async () => {
    const device = await knownDevice();
    const code = await app.next();
    const shown = await Promise.all(Array.from({ length: 40 }, () => show(totp(code), { device })));
    expect(shown.filter((one) => one === 'totp')).toHaveLength(1);
  });

  it('[I8] a recovery code passes once of 40 at the same time, and never again', async () => {
    const device = await knownDevice();
    const [code = ''] = app.recoveryCodes;
    const shown = await Promise.all(
      Array.from({ length: 40 }, () => show(recovery(code), { device })),
    );
    expect(shown.filter((one) => one === 'recovery')).toHaveLength(1);
    await server.ctx.database.pool.query('DELETE FROM sign_in_buckets');
    expect(await show(recovery(code))).toBe('wrong');
    expect(await show(recovery(app.recoveryCodes[1]?.toLowerCase()))).toBe('recovery');
  });

  it('is stored nowhere in plain text', async () => {
    const { rows } = await server.owner.query<{ text: string }>(
      `SELECT encode(sealed, 'escape') AS text FROM totp_secrets
       UNION ALL SELECT encode(lookup, 'escape') FROM recovery_codes`,
    );
    const stored = JSON.stringify(rows);
    for (const code of app.recoveryCodes) expect(stored).not.toContain(code.replace('-', ''));
  });
});

/** The token of a browser in which Ada has signed in. */
const knownDevice = (): Promise<string> =>
  server.ctx.inTransaction((tx) => noteDevice(tx, server.ctx.secrets, ada, {}));

describe('guessing', () => {
  it('[I9] of 1,000 codes from 1,000 addresses at most 50 are looked at, however long it takes', async () => {
    const counts = new Map<string | number, number>();
    for (let from = 0; from < 1000; from += 1) {
      if (from % 10 === 0) await rewind('12 minutes');
      const address = `198.51.${Math.floor(from / 250)}.${from % 250}`;
      const came = await show(totp(String(from).padStart(6, '0')), { address });
      counts.set(came, (counts.get(came) ?? 0) + 1);
    }
    expect(counts.get('wrong')).toBe(50);
    expect(counts.get(429)).toBe(950);
    // Not even the right code, until a known browser has come.
    await rewind('1 day');
    expect(await show(totp(await app.next()))).toBe(429);
    expect(await show(totp(await app.next()), { device: await knownDevice() })).toBe('totp');
    expect(await show(totp(WRONG))).toBe('wrong');
  }, 300_000);

  it('[I9] many at once are looked at no more often', async () => {
    const shown = await Promise.all(
      Array.from({ length: 100 }, (_value, index) =>
        show(totp(String(index).padStart(6, '0')), { address: `192.0.2.${index}` }),
      ),
    );
    expect(shown.filter((one) => one !== 429)).toHaveLength(5);
  });

  it('five from unknown browsers, ten from a known one, which strangers cannot use up', async () => {
    const device = await knownDevice();
    const strangers = [];
    for (let count = 0; count < 7; count += 1) strangers.push(await show(totp(WRONG)));
    expect(strangers).toEqual(['wrong', 'wrong', 'wrong', 'wrong', 'wrong', 429, 429]);
    const own = [];
    for (let count = 0; count < 11; count += 1) own.push(await show(totp(WRONG), { device }));
    expect(own.filter((one) => one === 'wrong')).toHaveLength(10);
    expect(own.at(-1)).toBe(429);
    await rewind('3 minutes');
    expect(await show(totp(await app.next()), { device })).toBe('totp');
    // Success refills.
    expect(await show(totp(WRONG), { device })).toBe('wrong');
    expect(await show(totp(WRONG), { device })).toBe('wrong');
  });

  it('recovery codes count with the others', async () => {
    for (let count = 0; count < 5; count += 1) await show(recovery(`AAAAA-AAAA${count + 2}`));
    expect(await show(recovery(app.recoveryCodes[0]))).toBe(429);
    expect(await show(totp(await app.next()))).toBe(429);
  });

  it('a lane that is closed opens after a proof that cannot be guessed', async () => {
    await show(totp(WRONG));
    await server.ctx.database.pool.query('UPDATE sign_in_buckets SET streak = 50');
    expect(await show(totp(await app.next()))).toBe(429);
    await server.ctx.inTransaction((tx) => openCodes(tx, server.ctx, ada.id));
    expect(await show(totp(await app.next()))).toBe('totp');
  });

  it('what is not a code is wrong, however long or strange', async () => {
    const device = await knownDevice();
    for (const code of ['', 'x'.repeat(100_000), '\0', '12345', '1234567', '🙂🙂🙂🙂🙂🙂']) {
      expect(await show(totp(code), { device })).toBe('wrong');
    }
  });
});
