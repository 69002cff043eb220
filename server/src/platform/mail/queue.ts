// Posts and delivers emails. An email is posted in the transaction of what it reports, and delivered by a job. It
// may contain a secret link, so it waits encrypted: the database, its backups and its logs contain nothing
// readable.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { Type, type Static } from 'typebox';
import type { Context } from '../context.ts';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import { defineJob } from '../jobs/define.ts';
import type { JobKind } from '../jobs/kind.ts';
import { rarely } from '../observe/rarely.ts';
import { MINUTE_MS } from '../std/time.ts';
import { headEmail, type Email } from './email.ts';
import { findPhrase } from './phrase.ts';
import { createMailer, isMailConfigured, MailError, type Mailer } from './transport.ts';

/** With the runner's growing pauses the last attempt comes after about fifteen hours. */
const TRIES_MAX = 12;
/** How long emails wait before the next check for a mail server. */
const UNCONFIGURED_WAIT_MS = 10 * MINUTE_MS;
const COMPLAIN_EVERY_MS = 10 * MINUTE_MS;

/** The purpose of an email; a fixed list, because it is in logs and metrics. */
export type Purpose =
  | 'invitation'
  | 'reminder'
  | 'confirmation'
  | 'deactivation'
  | 'reactivation'
  | 'device'
  | 'password'
  | 'address'
  | 'registration'
  | 'recovery'
  | 'security';

const QueuedEmail = Type.Object({
  id: Type.String(),
  purpose: Type.String(),
  /** The email as base64 of its encrypted JSON. */
  sealed: Type.String(),
});

/** The job as the posting code knows it. */
export const EMAIL_JOB = {
  name: 'deliver-letter',
  input: QueuedEmail,
  attemptsMax: TRIES_MAX,
} satisfies JobKind<Static<typeof QueuedEmail>>;

const ownerOf = (id: string): string => `letter ${id}`;

/** The email goes out if and only if the transaction commits. The phrase of its reader heads it. */
export async function queueEmail(
  tx: Tx,
  { secrets }: Pick<Context, 'secrets'>,
  purpose: Purpose,
  email: Email,
): Promise<void> {
  const id = randomUUID();
  const phrase = await findPhrase(tx, secrets, email.to);
  const headed = phrase === undefined ? email : headEmail(email, phrase);
  const sealed = secrets.seal(ownerOf(id), JSON.stringify(headed)).toString('base64');
  await tx.enqueue(EMAIL_JOB, { id, purpose, sealed }, { key: ownerOf(id) });
}

const mailers = new WeakMap<Context['config'], Mailer>();

function mailerOf({ config }: Context): Mailer {
  const mailer = mailers.get(config) ?? createMailer(config);
  mailers.set(config, mailer);
  return mailer;
}

const complain = rarely(COMPLAIN_EVERY_MS);

/**
 * One attempt. If the mail server's acknowledgement was lost, it gets the email again, under the same Message-ID:
 * twice is better than never.
 */
export const deliverEmail = defineJob({
  ...EMAIL_JOB,
  async run(ctx, posted) {
    const { id, purpose, sealed } = posted;
    const email = JSON.parse(ctx.secrets.open(ownerOf(id), Buffer.from(sealed, 'base64'))) as Email;
    if (email.notAfterMs !== null && email.notAfterMs <= ctx.clock.now()) {
      ctx.metrics.mailed(purpose, 'expired');
      ctx.log.warn(
        { emailId: id, purpose },
        'An email was not sent in time, and will not be sent.',
      );
      return;
    }
    if (!isMailConfigured(ctx.config)) {
      complain((keptBack) =>
        ctx.log.warn(
          { emails: keptBack + 1 },
          'Emails wait, because there is no mail server: set SMTP_URL and MAIL_FROM.',
        ),
      );
      const runAt = new Date(ctx.clock.now() + UNCONFIGURED_WAIT_MS);
      await ctx.inTransaction((tx) => tx.enqueue(EMAIL_JOB, posted, { key: ownerOf(id), runAt }));
      return;
    }
    try {
      await mailerOf(ctx).send(email, id);
      ctx.metrics.mailed(purpose, 'sent');
    } catch (error) {
      if (!(error instanceof MailError)) throw error;
      ctx.metrics.mailed(purpose, error.isFinal ? 'refused' : 'failed');
      if (!error.isFinal) throw error;
      ctx.log.warn({ emailId: id, purpose }, `${error.message} It is not tried again.`);
    }
  },
});

/** An email that was given up is kept for a week, for the operator who repairs the cause. */
export async function forgetUndeliveredEmails(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM graphile_worker.complete_jobs(ARRAY(
      SELECT id FROM graphile_worker.jobs
       WHERE task_identifier = ${EMAIL_JOB.name} AND attempts >= max_attempts
         AND updated_at < now() - interval '7 days'))`.execute(db);
  return rows[0]?.count ?? 0;
}
