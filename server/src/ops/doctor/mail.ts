// Whether emails can be sent, and whether any wait that should have been sent.
import type pg from 'pg';
import type { Config } from '../../platform/config/schema.ts';
import { EMAIL_JOB } from '../../platform/mail/queue.ts';
import { createMailer, isMailConfigured, MailError } from '../../platform/mail/transport.ts';
import { broken, ok, warning, type Finding } from './finding.ts';

/** People wait for the doctor's answer. */
const DEADLINE_MS = 5000;

export async function checkMail(config: Config): Promise<Finding> {
  if (!isMailConfigured(config)) {
    return warning('mail', {
      what: 'There is no mail server: SMTP_URL and MAIL_FROM are empty.',
      why: 'Invitations are kept, but their emails wait, and nobody can join by a reusable link.',
      fix: 'Set SMTP_URL and MAIL_FROM; until then an owner can make accounts with `rialto admin create-user`.',
    });
  }
  const deadline = Math.min(DEADLINE_MS, config.MAIL_DEADLINE_MS);
  try {
    await createMailer({ ...config, MAIL_DEADLINE_MS: deadline }).verify();
    return ok(
      'mail',
      `The mail server answers, and lets us in; emails come from ${config.MAIL_FROM}.`,
    );
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    return broken('mail', {
      what: error.message.replace('did not accept the email', 'cannot be used'),
      why: 'Emails wait and are tried again for about fifteen hours, then given up.',
      fix: 'See that SMTP_URL names it, that SMTP_USER and SMTP_PASSWORD are right, and which TLS it offers (SMTP_TLS).',
    });
  }
}

export async function checkEmails(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ waiting: number; given_up: number }>(
    `SELECT (count(*) FILTER (WHERE attempts < max_attempts))::int AS waiting,
            (count(*) FILTER (WHERE attempts >= max_attempts))::int AS given_up
       FROM graphile_worker.jobs WHERE task_identifier = $1`,
    [EMAIL_JOB.name],
  );
  const { waiting, given_up: givenUp } = rows[0] ?? { waiting: 0, given_up: 0 };
  if (givenUp === 0) return ok('emails', `Waiting to be sent: ${waiting}.`);
  return warning('emails', {
    what: `${givenUp} could not be sent in ${EMAIL_JOB.attemptsMax} tries; waiting to be sent: ${waiting}.`,
    why: 'Somebody waits for an email that will not come. It is forgotten after a week.',
    fix: 'Repair what the log says of them, and send the invitations again.',
  });
}
