// Keys are remembered, and yet every change of one counts from its commit on.
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { exampleTrader, type Trader } from '../../testing/trader.ts';
import { createClaims, prepareClaims, type SignatureClaim } from './claims.ts';
import { RequestProblem } from './problem.ts';
import { findTradingKeys } from './store.ts';
import { createVerifier, type SignedRequest, type Verifier } from './verify.ts';

let test: TestContext;
let verifier: Verifier;
let statements: string[] = [];
let mismatches = 0;
let trader: Trader;
let nowMs = Date.now();

beforeAll(async () => {
  test = await createTestContext();
  await prepareClaims(test.ctx);
  const { pool } = test.ctx.database;
  const watched = {
    query: (statement: pg.QueryConfig | string, values?: unknown[]) => {
      statements.push(typeof statement === 'string' ? statement : (statement.name ?? ''));
      return pool.query(statement, values);
    },
  } as unknown as pg.Pool;
  verifier = createVerifier({
    pool: watched,
    secrets: test.ctx.secrets,
    metrics: { signatureFailures: () => {}, replayRefused: () => {} },
    documentation: () => {
      mismatches += 1;
      return '';
    },
    onError: () => {},
    onBroken: () => {},
  });
});
afterAll(async () => {
  await verifier.stop();
  await test.close();
});

/** A request of the trader that is signed anew each time. */
function request(given: Partial<SignedRequest> = {}): SignedRequest {
  const { query, headers } = trader.prepare({ atMs: (nowMs += 1) });
  return {
    method: 'GET',
    query,
    hasBody: false,
    body: Buffer.alloc(0),
    mediaType: '',
    isRead: true,
    path: '/v1/private/a',
    keyId: headers['X-SVC-APIKEY'],
    signature: headers['X-SVC-SIGNATURE'],
    signatureVersion: undefined,
    address: '203.0.113.1',
    nowMs,
    ...given,
  };
}

/** How the verifier decides, and by which statements. */
async function verify(given: Partial<SignedRequest> = {}) {
  statements = [];
  const outcome = await verifier.verify(request(given)).catch((error: unknown) => {
    if (error instanceof RequestProblem) return error.kind;
    throw error;
  });
  return { outcome, statements };
}

const CLAIM = 'claim-signatures';
const FIND = 'find-trading-keys';

async function rememberNewTrader(given: Parameters<typeof exampleTrader>[1] = {}): Promise<void> {
  trader = await exampleTrader(test.ctx, given);
  expect((await verify()).statements).toEqual([FIND, CLAIM]);
  expect((await verify()).statements).toEqual([CLAIM]);
}

const change = (text: string) =>
  test.owner.query(text.replace('$1', `'${trader.keyId}'`).replace('$2', `${trader.userId}`));

describe('a remembered key', () => {
  it('costs one statement a request, whether it reads or acts', async () => {
    await rememberNewTrader();
    for (const isRead of [true, false, false, true]) {
      const { outcome, statements: used } = await verify({ isRead });
      expect(outcome).toMatchObject({ key: { keyId: trader.keyId } });
      expect(used).toEqual([CLAIM]);
    }
  });

  it.each([
    ['is deleted', 'DELETE FROM trading_keys WHERE key_id = $1'],
    ['is disabled', 'UPDATE trading_keys SET is_enabled = false WHERE key_id = $1'],
    ['expires', `UPDATE trading_keys SET expires_at = 'epoch' WHERE key_id = $1`],
    ['loses its owner', 'UPDATE users SET is_active = false WHERE id = $2'],
  ])('that %s is refused from then on', async (_what, text) => {
    await rememberNewTrader();
    await change(text);
    for (let count = 0; count < 2; count += 1) {
      expect((await verify()).outcome).toBe('API_KEY_INVALID');
    }
  });

  it('that may no longer be used from here, or only with other signatures, is refused', async () => {
    await rememberNewTrader();
    await change(`UPDATE trading_keys SET ip_allowlist = '{198.51.100.0/24}' WHERE key_id = $1`);
    expect((await verify()).outcome).toBe('ADDRESS_NOT_ALLOWED');
    await change(
      `UPDATE trading_keys SET ip_allowlist = '{}', require_bound_signature = true WHERE key_id = $1`,
    );
    expect((await verify()).outcome).toBe('SIGNATURE_INVALID');
  });

  it('is as it is now for whoever decides by it', async () => {
    await rememberNewTrader();
    await change('UPDATE trading_accounts SET is_suspended = true WHERE user_id = $2');
    expect((await verify()).outcome).toMatchObject({ key: { account: { isSuspended: true } } });
    await change(`UPDATE trading_keys SET permissions = '{read}' WHERE key_id = $1`);
    expect((await verify()).outcome).toMatchObject({ key: { permissions: ['read'] } });
    await change('UPDATE trading_accounts SET withdraw_freeze_until = now() WHERE user_id = $2');
    const frozen = { withdrawFreezeUntil: expect.any(Date) as Date };
    expect((await verify()).outcome).toMatchObject({ key: { account: frozen } });
  });

  it.each([
    ['key', 'UPDATE trading_keys SET label = label WHERE key_id = $1'],
    ['account', 'UPDATE trading_accounts SET label = label WHERE user_id = $2'],
    ['owner', 'UPDATE users SET full_name = full_name WHERE id = $2'],
  ])('is read again after any change of the row of its %s, once', async (_row, text) => {
    await rememberNewTrader();
    await change(text);
    expect((await verify()).statements).toEqual([CLAIM, FIND, CLAIM]);
    expect((await verify()).statements).toEqual([CLAIM]);
  });

  it('refuses nobody by itself', async () => {
    await rememberNewTrader({ ipAllowlist: ['203.0.113.0/24'] });
    const elsewhere = { address: '198.51.100.1' };
    const { outcome, statements: used } = await verify(elsewhere);
    expect([outcome, used]).toEqual(['ADDRESS_NOT_ALLOWED', [FIND]]);
    expect((await verify()).statements).toEqual([FIND, CLAIM]);
    await change(`UPDATE trading_keys SET ip_allowlist = '{}' WHERE key_id = $1`);
    expect((await verify(elsewhere)).outcome).toMatchObject({ key: { keyId: trader.keyId } });
  });

  it('checks a wrong signature once, as for a key that is not remembered', async () => {
    await rememberNewTrader();
    const wrong = { signature: '0'.repeat(64) };
    mismatches = 0;
    expect((await verify(wrong)).outcome).toBe('SIGNATURE_INVALID');
    expect(mismatches).toBe(1);
    expect((await verify(wrong)).outcome).toBe('SIGNATURE_INVALID');
    expect(mismatches).toBe(2);
  });

  it('does not act twice by one signature, whichever way it goes', async () => {
    await rememberNewTrader();
    const first = request({ isRead: false });
    await verifier.verify(first);
    await expect(verifier.verify(first)).rejects.toThrow('already used');
    const second = request({ isRead: false });
    await change('UPDATE trading_keys SET label = label WHERE key_id = $1');
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => verifier.verify(second)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('a claim that relies on a version', () => {
  const signature = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32)));
  const exampleClaim = (given: Partial<SignatureClaim>): SignatureClaim => ({
    keyId: trader.keyId,
    signature: signature(),
    signedMs: nowMs,
    method: 'POST',
    path: '/v1/private/a',
    isRead: false,
    version: null,
    ...given,
  });
  const versionNow = async () => {
    const [key] = await findTradingKeys(test.ctx.database.pool, [trader.keyId]);
    return key?.version ?? '';
  };

  it('takes nothing when the key has changed', async () => {
    const { pool } = test.ctx.database;
    trader = await exampleTrader(test.ctx);
    const claims = createClaims(pool);
    const old = await versionNow();
    await change('UPDATE trading_keys SET label = label WHERE key_id = $1');
    const one = exampleClaim({ version: old });
    expect(await claims.claim(one)).toBe('stale');
    expect(await claims.claim({ ...one, version: await versionNow() })).toBe('free');
    expect(await claims.claim({ ...one, version: null })).toBe('spent');
    expect(await claims.claim({ ...one, version: await versionNow() })).toBe('spent');
    expect(await claims.claim({ ...one, version: old })).toBe('stale');
  });

  it('is judged by its own version among equals of one insert', async () => {
    trader = await exampleTrader(test.ctx);
    const claims = createClaims(test.ctx.database.pool);
    const old = await versionNow();
    await change('UPDATE trading_keys SET label = label WHERE key_id = $1');
    const version = await versionNow();
    const claimTogether = (versions: readonly (string | null)[], isRead: boolean) => {
      const same = { signature: signature(), isRead };
      // The first goes alone; the others gather behind it.
      void claims.claim(exampleClaim({}));
      return Promise.all(
        versions.map((one) => claims.claim(exampleClaim({ ...same, version: one }))),
      );
    };
    expect(await claimTogether([old, null, version], false)).toEqual(['stale', 'free', 'spent']);
    expect(await claimTogether([null, old, version], false)).toEqual(['free', 'stale', 'spent']);
    expect(await claimTogether([version, old, null], true)).toEqual(['free', 'stale', 'free']);
    expect(await claimTogether([old, old], true)).toEqual(['stale', 'stale']);
  });

  it('is planned a few times, and not for each claim', async () => {
    trader = await exampleTrader(test.ctx);
    const client = await test.ctx.database.pool.connect();
    try {
      const claims = createClaims(client as unknown as pg.Pool);
      const version = await versionNow();
      for (let count = 0; count < 20; count += 1) {
        expect(await claims.claim(exampleClaim({ version }))).toBe('free');
      }
      const { rows } = await client.query<{ plans: bigint }>(
        'SELECT custom_plans AS plans FROM pg_prepared_statements WHERE name = $1',
        [CLAIM],
      );
      expect(Number(rows[0]?.plans)).toBeLessThan(10);
    } finally {
      client.release();
    }
  });
});
