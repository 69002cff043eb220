import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runDoctor } from '../../ops/doctor/run.ts';
import { createTestContext, testEnvironment, type TestContext } from '../../testing/context.ts';
import { verifyAuditLog } from './access.ts';
import { appendAudit, noteAct } from './actions.ts';
import type { AuditNote } from './entry.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test.close());

const note = (subject: string): AuditNote => ({
  operator: 'ava@example.com',
  act: 'market create',
  subject,
  details: { b: 1, a: 'é ✓' },
  outcome: 'done',
});

const append = (subject: string) =>
  test.ctx.inTransaction((tx) => appendAudit(tx, test.ctx.clock.now(), note(subject)));

describe('the audit log', () => {
  it('has one chain without gaps, however many write at once', async () => {
    const { ctx } = test;
    await Promise.all(Array.from({ length: 20 }, (_, index) => append(`m${index}`)));
    await expect(
      ctx.inTransaction(async (tx) => {
        await appendAudit(tx, ctx.clock.now(), note('lost'));
        throw new Error('the act failed');
      }),
    ).rejects.toThrow('the act failed');
    const chain = await verifyAuditLog(ctx.db);
    expect(chain.trouble).toBeUndefined();
    expect(chain.seq).toBe(20n);
    const subjects = await ctx.db.selectFrom('auditLog').select('subject').execute();
    expect(new Set(subjects.map(({ subject }) => subject)).size).toBe(20);
    expect(subjects).not.toContainEqual({ subject: 'lost' });
  });

  it('is written with the act, last of all, or with neither', async () => {
    const { ctx } = test;
    const add = (nameEn: string) =>
      ctx.inTransaction(async (tx) => {
        noteAct(tx, { act: 'coin add', subject: 'with an act' });
        await tx
          .insertInto('coins')
          .values({ symbol: 'btc', nameEn, nameFa: 'بیت‌کوین' })
          .execute();
      });
    await add('Bitcoin');
    await expect(add('Again')).rejects.toThrow('duplicate key');
    const noted = await ctx.db
      .selectFrom('auditLog')
      .select('seq')
      .where('subject', '=', 'with an act')
      .execute();
    expect(noted).toHaveLength(1);
  });

  it('drops what a savepoint rolled back', async () => {
    const { ctx } = test;
    await ctx.inTransaction(async (tx) => {
      const undone = tx.savepoint(async () => {
        noteAct(tx, { act: 'coin add', subject: 'taken back' });
        throw new Error('not this one');
      });
      await expect(undone).rejects.toThrow('not this one');
      noteAct(tx, { act: 'coin add', subject: 'kept' });
    });
    const subjects = await ctx.db
      .selectFrom('auditLog')
      .select('subject')
      .where('subject', 'in', ['taken back', 'kept'])
      .execute();
    expect(subjects).toEqual([{ subject: 'kept' }]);
  });

  it('refuses updates, deletes and truncation by everybody', async () => {
    for (const statement of [
      `UPDATE audit_log SET operator = 'eve' WHERE seq = 3`,
      'DELETE FROM audit_log WHERE seq = 21',
      'TRUNCATE audit_log',
    ]) {
      await expect(test.ctx.database.pool.query(statement)).rejects.toThrow('permission denied');
      await expect(test.owner.query(statement)).rejects.toThrow('never changed');
    }
  });

  it('shows what a superuser changed with the triggers off, and where; the doctor sees it too', async () => {
    const { ctx, config } = test;
    const client = new pg.Client({ connectionString: config.DATABASE_OWNER_URL });
    await client.connect();
    onTestFinished(() => client.end());
    const tamper = async (statement: string) => {
      await client.query(`SET session_replication_role = 'replica'`);
      await client.query(statement);
      await client.query(`SET session_replication_role = 'origin'`);
    };
    const examine = async () => {
      const { text } = await runDoctor(testEnvironment(config.DATABASE_URL), true);
      const { findings } = JSON.parse(text) as { findings: { check: string; status: string }[] };
      return findings.find(({ check }) => check === 'audit log');
    };
    // Here it has no key to sign with, and says so; the chain is intact.
    expect(await examine()).toMatchObject({ status: 'warning' });
    await tamper(`UPDATE audit_log SET operator = 'eve@example.com' WHERE seq = 7`);
    expect(await verifyAuditLog(ctx.db)).toMatchObject({
      seq: 6n,
      trouble: { seq: 7n, what: expect.stringContaining('its text is not the one') },
    });
    expect(await examine()).toMatchObject({
      status: 'broken',
      what: expect.stringContaining('Entry 7 is wrong'),
    });
    await tamper(`UPDATE audit_log SET operator = 'ava@example.com' WHERE seq = 7`);
    expect((await verifyAuditLog(ctx.db)).trouble).toBeUndefined();

    await tamper('DELETE FROM audit_log WHERE seq = 12');
    expect((await verifyAuditLog(ctx.db)).trouble).toMatchObject({
      seq: 13n,
      what: expect.stringContaining('1 in between is missing'),
    });
  });
});
