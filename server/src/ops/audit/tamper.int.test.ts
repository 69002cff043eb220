// What a superuser can do to the audit log, and how somebody with only a published head and the public key detects
// it.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listAuditHeads, pagesOfLog, verifyAuditLog } from '../../accounts/audit/access.ts';
import { noteAct } from '../../accounts/audit/actions.ts';
import { GENESIS_HASH, hashEntry, type ChainedEntry } from '../../accounts/audit/entry.ts';
import { createKeyPair, parsePublished, toPublished } from '../../accounts/audit/head.ts';
import { signLog, signLogWhenDue } from '../../accounts/audit/heads.ts';
import { verifyLog } from '../../accounts/audit/verify.ts';
import { ownerUrlOf } from '../../testing/database.ts';
import { createTestContext, testEnvironment, type TestContext } from '../../testing/context.ts';
import { RIALTO_BINARY } from '../../testing/rialto-process.ts';
import { startTestServer } from '../../testing/server.ts';
import { send } from '../../testing/trader.ts';
import { runDoctor } from '../doctor/run.ts';

const KEY = createKeyPair();
const MINUTE_MS = 60_000;

let folder = '';
let headFile = '';
let test: TestContext;
let superuser: pg.Client;
/** How far the clock is ahead. */
let aheadMs = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rialto-heads-'));
  headFile = join(folder, 'heads.jsonl');
  test = await createTestContext(
    { AUDIT_SIGNING_KEY: KEY.privateKey, AUDIT_HEAD_FILE: headFile, LOG_LEVEL: 'silent' },
    { clock: { now: () => Date.now() + aheadMs } },
  );
  superuser = new pg.Client({ connectionString: ownerUrlOf(test.config.DATABASE_URL) });
  await superuser.connect();
});
afterAll(async () => {
  await superuser.end();
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

const act = (subject: string) =>
  test.ctx.inTransaction(async (tx) =>
    noteAct(tx, { act: 'user set_role', subject, before: { role: 400 }, after: { role: 100 } }),
  );

async function actMany(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await act(`person${index}@example.com`);
}

/** Does it with the triggers off, checks, and restores everything. */
async function tampered<T>(statements: readonly string[], look: () => Promise<T>): Promise<T> {
  await superuser.query(`SET session_replication_role = 'replica'`);
  await superuser.query('CREATE TABLE kept AS TABLE audit_log');
  try {
    for (const statement of statements) await superuser.query(statement);
    return await look();
  } finally {
    await superuser.query('DELETE FROM audit_log');
    await superuser.query('INSERT INTO audit_log TABLE kept');
    await superuser.query('DROP TABLE kept');
    await superuser.query(`SET session_replication_role = 'origin'`);
  }
}

/** The heads as everybody has them who kept the file. */
async function publishedHeads() {
  const lines = (await readFile(headFile, 'utf8')).trim().split('\n');
  return lines.map((line) => parsePublished(JSON.parse(line)) ?? expect.fail(line));
}

async function verify() {
  const newest = (await publishedHeads()).at(-1);
  if (newest === undefined) throw new Error('No head was published.');
  return verifyLog(pagesOfLog(test.ctx.db), [newest], [KEY.publicKey]);
}

const environment = () =>
  testEnvironment(test.config.DATABASE_URL, { AUDIT_SIGNING_KEY: KEY.privateKey });

async function askDoctor() {
  const { text } = await runDoctor(environment(), true);
  const { findings } = JSON.parse(text) as {
    findings: { check: string; status: string; what: string }[];
  };
  return findings.find(({ check }) => check === 'audit log');
}

const run = promisify(execFile);

interface Ran {
  readonly code: number;
  readonly out: string;
}

/** The command line of somebody with the database, or with `outside` of somebody with nothing of ours. */
async function rialto(args: readonly string[], outside = false): Promise<Ran> {
  const env = { PATH: process.env['PATH'] ?? '', ...(outside ? {} : environment()) };
  const options = { env, cwd: folder, maxBuffer: 64 * 1024 * 1024 };
  try {
    const { stdout } = await run(process.execPath, [RIALTO_BINARY, 'admin', ...args], options);
    return { code: 0, out: stdout };
  } catch (error) {
    const {
      code = -1,
      stdout = '',
      stderr = '',
    } = error as {
      code?: number;
      stdout?: string;
      stderr?: string;
    };
    return { code, out: stdout + stderr };
  }
}

describe('signing', () => {
  it('gives nothing for an empty log, and then a head that names the last entry and nothing private', async () => {
    expect(await signLog(test.ctx)).toBeUndefined();
    await actMany(6);
    const head = await signLog(test.ctx);
    expect(head?.seq).toBe(6n);
    const [published] = await publishedHeads();
    expect(published).toEqual(head);
    const text = await readFile(headFile, 'utf8');
    expect(text).not.toContain('person');
    expect(text).not.toContain(KEY.privateKey);
  });

  it('happens by itself as often as the setting says', async () => {
    expect(await signLogWhenDue(test.ctx)).toBe(0);
    aheadMs = 59 * MINUTE_MS;
    expect(await signLogWhenDue(test.ctx)).toBe(0);
    aheadMs = 61 * MINUTE_MS;
    await actMany(6);
    expect(await signLogWhenDue(test.ctx)).toBe(1);
    expect(await signLogWhenDue(test.ctx)).toBe(0);
    aheadMs = 0;
    expect((await publishedHeads()).map(({ seq }) => seq)).toEqual([6n, 12n]);
  });

  it('of two workers at once gives heads that fit each other', async () => {
    await Promise.all([signLog(test.ctx), act('meanwhile@example.com'), signLog(test.ctx)]);
    const heads = await listAuditHeads(test.ctx.db);
    expect(heads).toHaveLength(4);
    const verdict = await verifyLog(pagesOfLog(test.ctx.db), heads, [KEY.publicKey]);
    expect(verdict).toMatchObject({ headsFit: 4 });
    expect(verdict.trouble).toBeUndefined();
    await signLog(test.ctx);
  });

  it('stores heads that nobody can change or delete', async () => {
    for (const statement of [
      'UPDATE audit_heads SET seq = 1',
      'DELETE FROM audit_heads',
      'TRUNCATE audit_heads',
    ]) {
      await expect(test.ctx.database.pool.query(statement)).rejects.toThrow('permission denied');
      await expect(superuser.query(statement)).rejects.toThrow('never changed');
    }
  });
});

const RECOMPUTE = async () => {
  const entries: ChainedEntry[] = [];
  for await (const page of pagesOfLog(test.ctx.db)) entries.push(...page);
  let previousHash: Buffer = GENESIS_HASH;
  return entries.map((entry) => {
    const forged = entry.seq === 5n ? { ...entry, operator: 'somebody.else@example.com' } : entry;
    const hash = hashEntry(previousHash, forged);
    const [before, after] = [previousHash.toString('hex'), hash.toString('hex')];
    previousHash = hash;
    return `UPDATE audit_log SET operator = '${forged.operator}', previous_hash = '\\x${before}', hash = '\\x${after}' WHERE seq = ${entry.seq}`;
  });
};

const SWAP = `UPDATE audit_log a SET subject = b.subject, at = b.at, hash = b.hash, previous_hash = b.previous_hash
                FROM (TABLE audit_log) b WHERE (a.seq, b.seq) IN ((3, 4), (4, 3))`;

/** What is done with the triggers off, the expected message, and what the server then does. */
type Attack = [string, () => Promise<readonly string[]>, string, (() => Promise<void>)?];

const ATTACKS: readonly Attack[] = [
  [
    'its last entry cut off',
    async () => ['DELETE FROM audit_log WHERE seq = 13'],
    'entry 13 was cut off',
  ],
  [
    'its tail cut off',
    async () => ['DELETE FROM audit_log WHERE seq > 9'],
    'entries 10 to 13 were cut off',
  ],
  ['everything taken away', async () => ['DELETE FROM audit_log'], 'entries 1 to 13 were cut off'],
  [
    'a row changed',
    async () => [`UPDATE audit_log SET subject = 'x@example.com' WHERE seq = 7`],
    'Entry 7 is wrong: its text is not the one',
  ],
  ['two rows swapped', async () => [SWAP], 'Entry 3 is wrong'],
  [
    'a row dropped',
    async () => ['DELETE FROM audit_log WHERE seq = 8'],
    'Entry 9 is wrong: it follows entry 7',
  ],
  ['all its hashes computed again', RECOMPUTE, 'rewritten'],
  [
    'its tail cut off and other entries written there',
    async () => ['DELETE FROM audit_log WHERE seq > 10'],
    'Entry 13 is not the one that was signed',
    () => actMany(4),
  ],
];

describe('a log with', () => {
  it.each(ATTACKS)(
    '%s is detected by anybody with the newest head',
    async (_what, statements, named, goOn) => {
      expect((await verify()).trouble).toBeUndefined();
      const { verdict, doctor, refused } = await tampered(await statements(), async () => {
        await goOn?.();
        return {
          verdict: await verify(),
          doctor: await askDoctor(),
          // And nobody gets a signature for it.
          refused: await signLog(test.ctx).then(
            () => 'signed',
            (error: Error) => error.name,
          ),
        };
      });
      expect(verdict.trouble).toContain(named);
      expect(doctor).toMatchObject({ status: 'broken' });
      // Entries before the newest head were checked when it was signed; the doctor and `verify` check them again.
      if (named.includes('cut off') || named.includes('rewritten')) {
        expect(refused).toBe('LogDoesNotFitError');
      }
      expect((await verify()).trouble).toBeUndefined();
    },
  );

  it('its own chain alone does not show that its end is missing: that takes the head', async () => {
    await tampered(['DELETE FROM audit_log WHERE seq > 9'], async () => {
      expect((await verifyAuditLog(test.ctx.db)).trouble).toBeUndefined();
      expect((await verify()).trouble).toContain('cut off');
    });
  });
});

describe('the command line', () => {
  it('prints the head, and verifies with only it and the public key', async () => {
    const head = await rialto(['audit', 'head']);
    expect(head.code).toBe(0);
    const newest = (await publishedHeads()).at(-1) ?? expect.fail();
    expect(JSON.parse(head.out)).toEqual(toPublished(newest));
    const kept = join(folder, 'head.json');
    await writeFile(kept, head.out);
    const log = join(folder, 'log.jsonl');
    await writeFile(log, (await rialto(['audit', 'export'])).out);

    const args = ['audit', 'verify', '--json', '--head', kept, '--public-key', KEY.publicKey];
    const good = await rialto(args);
    expect(JSON.parse(good.out)).toMatchObject({ entries: 13, whole: true, heads: 1 });
    const offline = await rialto([...args, '--file', log], true);
    expect(JSON.parse(offline.out)).toMatchObject({ entries: 13, whole: true, heads: 1 });

    const lines = (await readFile(log, 'utf8')).trim().split('\n');
    await writeFile(log, lines.slice(0, 9).join('\n'));
    const cut = await rialto([...args, '--file', log], true);
    expect(cut.code).toBe(1);
    expect(JSON.parse(cut.out)).toMatchObject({
      whole: false,
      trouble: expect.stringContaining('entries 10 to 13 were cut off'),
    });
    const bad = await tampered(['DELETE FROM audit_log WHERE seq > 9'], () => rialto(args));
    expect(bad.code).toBe(1);
    expect(JSON.parse(bad.out)).toMatchObject({ whole: false });
    const all = await rialto([
      'audit',
      'verify',
      '--json',
      '--head',
      headFile,
      '--public-key',
      KEY.publicKey,
    ]);
    expect(JSON.parse(all.out)).toMatchObject({
      whole: true,
      heads: (await publishedHeads()).length,
    });
  }, 180_000);

  it('explains what is wrong with its input', async () => {
    const wrong: readonly [readonly string[], string][] = [
      [['--public-key', 'short'], '--public-key must be 43 characters'],
      [['--head', join(folder, 'missing')], '--head cannot be read'],
      [['--head', 'package.json', '--public-key', KEY.publicKey], 'cannot be read'],
    ];
    for (const [args, message] of wrong) {
      const { code, out } = await rialto(['audit', 'verify', ...args]);
      expect([code, out]).toEqual([1, expect.stringContaining(message)]);
    }
  }, 180_000);
});

it('the doctor warns while there is no key, and while the head is older than it should be', async () => {
  expect(await askDoctor()).toMatchObject({ status: 'ok' });
  const { text } = await runDoctor(testEnvironment(test.config.DATABASE_URL), true);
  expect(text).toContain('AUDIT_SIGNING_KEY is empty here');
  const late = { ...environment(), AUDIT_HEAD_EVERY_MINUTES: '1' };
  await superuser.query(`SET session_replication_role = 'replica'`);
  await superuser.query(`UPDATE audit_heads SET at = at - interval '3 hours'`);
  await superuser.query(`SET session_replication_role = 'origin'`);
  // Setting a head back breaks its signature.
  expect((await runDoctor(late, true)).text).toContain('does not bear the signature of our key');
  await superuser.query(`SET session_replication_role = 'replica'`);
  await superuser.query(`UPDATE audit_heads SET at = at + interval '3 hours'`);
  await superuser.query(`SET session_replication_role = 'origin'`);
});

it('anybody can fetch the newest head, or learn that there is none', async () => {
  const server = await startTestServer({ settings: { AUDIT_SIGNING_KEY: KEY.privateKey } });
  try {
    const url = `${server.baseUrl}/public/audit_head`;
    expect((await send(url)).body.result).toBeNull();
    await server.ctx.inTransaction(async (tx) => noteAct(tx, { act: 'coin add', subject: 'btc' }));
    const head = await signLog(server.ctx);
    await expect
      .poll(async () => parsePublished((await send(url)).body.result), { timeout: 15_000 })
      .toEqual(head);
  } finally {
    await server.close();
  }
});
