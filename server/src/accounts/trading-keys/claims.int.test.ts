import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Context } from '../../platform/context.ts';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { createClaims, maintainClaims, prepareClaims, type SignatureClaim } from './claims.ts';

const NOW_MS = 1_760_000_000_000;

const exampleClaim = (given: Partial<SignatureClaim> = {}): SignatureClaim => ({
  keyId: 'svc_key_1',
  signature: randomBytes(32),
  signedMs: NOW_MS,
  method: 'POST',
  path: '/v1/private/a',
  isRead: false,
  version: null,
  ...given,
});

const isFree = (verdict: string) => verdict === 'free';

async function withContext(
  work: (ctx: Context, owner: TestContext['owner']) => Promise<void>,
): Promise<void> {
  const { ctx, owner, close } = await createTestContext();
  try {
    await work(ctx, owner);
  } finally {
    await close();
  }
}

describe('claims', () => {
  it('a signature that a read used serves every read, and no write', async () => {
    await withContext(async ({ database: { pool } }) => {
      const claims = createClaims(pool);
      const signature = randomBytes(32);
      const claim = (given: Partial<SignatureClaim>) =>
        claims.claim(exampleClaim({ signature, ...given }));
      expect(await claim({ method: 'GET', isRead: true })).toBe('free');
      expect(await claim({ method: 'GET', isRead: true })).toBe('free');
      expect(await claim({ method: 'HEAD', isRead: true })).toBe('free');
      expect(await claim({ method: 'GET', isRead: true, path: '/v1/private/b' })).toBe('free');
      expect(await claim({ method: 'POST', isRead: true, path: '/v1/private/c' })).toBe('free');
      expect(await claim({ method: 'POST' })).toBe('of a read');
      expect(await claim({ method: 'DELETE', path: '/v1/private/b' })).toBe('of a read');
      expect(await claim({ method: 'GET', isRead: true })).toBe('free');
      expect(await claim({ method: 'POST', keyId: 'svc_key_2' })).toBe('free');
      expect(await claims.claim(exampleClaim())).toBe('free');
    });
  });

  it('a signature that a write used serves nothing afterwards', async () => {
    await withContext(async ({ database: { pool } }) => {
      const claims = createClaims(pool);
      const signature = randomBytes(32);
      const claim = (given: Partial<SignatureClaim>) =>
        claims.claim(exampleClaim({ signature, ...given }));
      expect(await claim({ method: 'DELETE' })).toBe('free');
      for (const method of ['GET', 'HEAD', 'POST']) {
        expect(await claim({ method, isRead: true }), method).toBe('spent');
      }
      expect(await claim({ method: 'DELETE' })).toBe('spent');
      expect(await claim({ method: 'POST', path: '/v1/private/b' })).toBe('spent');
    });
  });

  it('of concurrent reads and writes with one signature, over competing processes, either the reads go or one write', async () => {
    await withContext(async ({ database: { pool } }) => {
      const competing = Array.from({ length: 3 }, () => createClaims(pool));
      for (let round = 0; round < 20; round += 1) {
        const signature = randomBytes(32);
        const verdicts = await Promise.all(
          competing.flatMap((claims, process) =>
            Array.from({ length: 8 }, async (_, index) => {
              const isRead = (index + process + round) % 2 === 0;
              return { isRead, verdict: await claims.claim(exampleClaim({ signature, isRead })) };
            }),
          ),
        );
        const free = verdicts.filter(({ verdict }) => verdict === 'free');
        const reads = verdicts.filter(({ isRead }) => isRead);
        if (free[0]?.isRead === true) expect(free).toEqual(reads);
        else expect(free).toHaveLength(1);
      }
    });
  });

  it('concurrent claims cost one insert, and one of equal ones wins', async () => {
    await withContext(async ({ database: { pool } }) => {
      const claims = createClaims(pool);
      const signature = randomBytes(32);
      const before = await commitsOf(pool);
      const equal = Array.from({ length: 50 }, () => claims.claim(exampleClaim({ signature })));
      const others = Array.from({ length: 950 }, () => claims.claim(exampleClaim()));
      const outcomes = await Promise.all([...equal, ...others]);
      expect(outcomes.slice(0, 50).filter(isFree)).toHaveLength(1);
      expect(outcomes.slice(50).every(isFree)).toBe(true);
      // The first goes at once, the rest gather behind it; a refused one is looked up besides.
      expect((await commitsOf(pool)) - before).toBeLessThan(12);
    });
  });

  it('competing processes never deadlock', async () => {
    await withContext(async ({ database: { pool } }) => {
      const competing = Array.from({ length: 4 }, () => createClaims(pool));
      const shared = Array.from({ length: 200 }, () => exampleClaim());
      const outcomes = await Promise.all(
        competing.flatMap((claims, index) =>
          (index % 2 === 0 ? shared : shared.toReversed()).map((claim) => claims.claim(claim)),
        ),
      );
      expect(outcomes.filter(isFree)).toHaveLength(200);
    });
  });

  it('a failed insert refuses those that waited for it, and no later ones', async () => {
    await withContext(async ({ database: { pool } }, owner) => {
      const claims = createClaims(pool);
      await owner.query('ALTER TABLE request_claims RENAME TO away');
      await expect(claims.claim(exampleClaim())).rejects.toThrow('request_claims');
      await owner.query('ALTER TABLE away RENAME TO request_claims');
      expect(await claims.claim(exampleClaim())).toBe('free');
    });
  });

  it('stand in partitions that upkeep creates ahead and drops once no window reaches them', async () => {
    await withContext(async (ctx) => {
      const { pool } = ctx.database;
      const names = async () => {
        const { rows } = await pool.query<{ name: string }>(
          `SELECT inhrelid::regclass::text AS name FROM pg_inherits
            WHERE inhparent = 'request_claims'::regclass ORDER BY 1`,
        );
        return rows.map(({ name }) => name);
      };
      const at = (ms: number): Context => ({ ...ctx, clock: { now: () => ms } });
      await prepareClaims(at(NOW_MS));
      const claims = createClaims(pool);
      const signature = randomBytes(32);
      expect(await claims.claim(exampleClaim({ signature }))).toBe('free');
      const { rows } = await pool.query<{ part: string }>(
        'SELECT tableoid::regclass::text AS part FROM request_claims',
      );
      expect(rows).toEqual([{ part: `request_claims_${NOW_MS - (NOW_MS % 600_000)}` }]);
      const made = await names();
      expect(await maintainClaims(at(NOW_MS + 60_000))).toBe(0);
      expect((await names()).length).toBeGreaterThan(made.length + 100);
      expect(await claims.claim(exampleClaim({ signature }))).toBe('spent');
      expect(await maintainClaims(at(NOW_MS + 3_600_000))).toBeGreaterThan(0);
      expect(await names()).not.toContain(rows[0]?.part);
    });
  });
});

async function commitsOf(pool: Context['database']['pool']): Promise<number> {
  const { rows } = await pool.query<{ calls: bigint }>(
    'SELECT count(DISTINCT xmin::text::bigint) AS calls FROM request_claims',
  );
  return Number(rows[0]?.calls ?? 0);
}
