// Emails, from the transaction that posts them to a real mail server.
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { startMailCatcher, type MailCatcher } from '../../testing/mail-catcher.ts';
import { startJobRunner, type JobRunner } from '../jobs/runner.ts';
import { layOut, type Email } from './email.ts';
import { deliverEmail, forgetUndeliveredEmails, queueEmail } from './queue.ts';
import { createMailer } from './transport.ts';
import { MEASURED } from '../../testing/measured.ts';

let catcher: MailCatcher;
let test: TestContext;
let runner: JobRunner;
beforeAll(async () => {
  catcher = await startMailCatcher();
  test = await createTestContext(catcher.settings);
  runner = startJobRunner(test.ctx, [deliverEmail], []);
});
afterAll(async () => {
  await runner.stop();
  await test.close();
  await catcher.close();
});

const SECRET = 'kept-secret-while-it-waits';
const emailTo = (to: string, notAfterMs: number | null = null): Email =>
  layOut(
    to,
    {
      language: 'fa',
      organization: 'میز',
      origin: 'https://rialto.example',
      subject: 'دعوت به میز',
      heading: 'به میز خوش آمدید',
      paragraphs: ['نشانی شما را تأیید کنید.'],
      action: { label: 'تأیید', url: `https://rialto.example/x/${SECRET}` },
      note: 'اگر شما نبوده‌اید، کاری نکنید.',
    },
    notAfterMs,
  );
const post = (email: Email) =>
  test.ctx.inTransaction((tx) => queueEmail(tx, test.ctx, 'invitation', email));
const jobs = async () => {
  const { rows } = await test.ctx.database.pool.query<{ text: string; attempts: number }>(
    `SELECT to_jsonb(j)::text AS text, attempts FROM graphile_worker._private_jobs j
      JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE t.identifier = $1`,
    [deliverEmail.name],
  );
  return rows;
};

it('arrives as it was written, once, if its transaction committed', async () => {
  await test.ctx
    .inTransaction(async (tx) => {
      await queueEmail(tx, test.ctx, 'invitation', emailTo('lost@example.com'));
      throw new Error('rolled back');
    })
    .catch(() => {});
  await post(emailTo('ada@example.com'));
  const email = await catcher.next('ada@example.com');
  expect(email.subject).toBe('دعوت به میز');
  expect(email.from).toEqual({ name: 'Rialto', address: 'rialto@example.com' });
  expect(email.to).toEqual([{ name: '', address: 'ada@example.com' }]);
  expect(email.html).toContain('<html lang="fa" dir="rtl">');
  expect(email.text).toContain(`https://rialto.example/x/${SECRET}`);
  expect(email.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated');
  expect(email.messageId).toMatch(/^<[0-9a-f-]{36}@example\.com>$/);
  await expect.poll(async () => (await jobs()).length).toBe(0);
  expect(catcher.emails.map(({ recipients }) => recipients.join())).toEqual(['ada@example.com']);
});

it('waits encrypted: neither the link nor the recipient can be read in the database', async () => {
  catcher.answer('busy@example.com', 451);
  await post(emailTo('busy@example.com'));
  await expect.poll(() => catcher.refusals('busy@example.com')).toBeGreaterThan(0);
  const rows = await expect
    .poll(jobs, { timeout: 5000 })
    .toMatchObject([{ attempts: expect.any(Number) }])
    .then(jobs);
  const stored = rows.map(({ text }) => text).join();
  for (const secret of [SECRET, 'busy@example.com']) {
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain(Buffer.from(secret).toString('base64').slice(0, 12));
  }
  // After a temporary refusal the same email is tried again.
  catcher.answer('busy@example.com', 0);
  expect((await catcher.next('busy@example.com')).text).toContain(SECRET);
});

it('is not retried when its recipient is refused for good', async () => {
  catcher.answer('nobody@example.com', 550);
  await post(emailTo('nobody@example.com'));
  await expect.poll(() => catcher.refusals('nobody@example.com')).toBe(1);
  await expect.poll(async () => (await jobs()).length).toBe(0);
  expect(catcher.refusals('nobody@example.com')).toBe(1);
});

it('is not sent once it is outdated', async () => {
  test.ctx.log.level = 'silent';
  await post(emailTo('late@example.com', Date.now() - 1));
  await expect.poll(async () => (await jobs()).length).toBe(0);
  expect(
    catcher.emails.filter(({ recipients }) => recipients.includes('late@example.com')),
  ).toEqual([]);
});

it('without a mail server an email waits, the log says so, and nothing in it is secret', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const bare = { ...test.config, SMTP_URL: '', MAIL_FROM: '' };
  const ctx = { ...test.ctx, config: bare, log };
  await runner.stop();
  await post(emailTo('patient@example.com'));
  const waiting = startJobRunner(ctx, [deliverEmail], []);
  await expect.poll(() => lines.join()).toContain('set SMTP_URL and MAIL_FROM');
  await waiting.stop();
  expect(lines.join()).not.toContain(SECRET);
  expect(lines.join()).not.toContain('patient@example.com');
  const kept = await jobs();
  expect(kept).toHaveLength(1);
  // As soon as there is one, it goes out.
  await test.ctx.database.pool.query(
    'UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key IS NOT NULL',
  );
  runner = startJobRunner(test.ctx, [deliverEmail], []);
  expect((await catcher.next('patient@example.com')).text).toContain(SECRET);
});

it('gives up in the end, and deletes it a week later', async () => {
  await runner.stop();
  await post(emailTo('never@example.com'));
  const { pool } = test.ctx.database;
  await pool.query('UPDATE graphile_worker._private_jobs SET attempts = max_attempts');
  expect(await forgetUndeliveredEmails(test.ctx.db)).toBe(0);
  await pool.query(
    "UPDATE graphile_worker._private_jobs SET updated_at = now() - interval '8 days'",
  );
  expect(await forgetUndeliveredEmails(test.ctx.db)).toBe(1);
  expect(await jobs()).toEqual([]);
  runner = startJobRunner(test.ctx, [deliverEmail], []);
});

it('a server that does not answer is awaited no longer than the deadline', MEASURED, async () => {
  const { createServer } = await import('node:net');
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await new Promise((resolve) => silent.once('listening', resolve));
  const { port } = silent.address() as { port: number };
  const mailer = createMailer({
    ...test.config,
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_DEADLINE_MS: 200,
  });
  const startedMs = performance.now();
  await expect(mailer.send(emailTo('x@example.com'), 'id')).rejects.toMatchObject({
    name: 'MailError',
    isFinal: false,
  });
  expect(performance.now() - startedMs).toBeLessThan(3000);
  silent.close();
});

it('a server without TLS is refused unless that is allowed', async () => {
  const mailer = createMailer({ ...test.config, SMTP_TLS: 'required' });
  await expect(mailer.verify()).rejects.toThrow('ETLS');
  await expect(createMailer(test.config).verify()).resolves.toBeUndefined();
});
