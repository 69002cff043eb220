// Hands one email to the deployment's mail server. Errors mention neither the recipient nor the content, because
// they are logged.
import { createTransport } from 'nodemailer';
import type SMTPTransport from 'nodemailer/lib/smtp-transport/index.js';
import type { Config } from '../config/schema.ts';
import type { Email } from './email.ts';

export type MailConfig = Pick<
  Config,
  | 'SMTP_URL'
  | 'SMTP_USER'
  | 'SMTP_PASSWORD'
  | 'SMTP_TLS'
  | 'MAIL_FROM'
  | 'MAIL_DEADLINE_MS'
  | 'ORGANIZATION_NAME'
>;

export const isMailConfigured = ({ SMTP_URL }: Pick<Config, 'SMTP_URL'>): boolean =>
  SMTP_URL !== '';

/** The mail server did not accept the email. */
export class MailError extends Error {
  override name = 'MailError';
  /** A retry would change nothing: the recipient or the email was refused for good. */
  readonly isFinal: boolean;
  constructor(message: string, isFinal: boolean) {
    super(message);
    this.isFinal = isFinal;
  }
}

const SUBMISSION_PORT = 587;
const TLS_PORT = 465;

export interface Mailer {
  /** The same `id` gives the same Message-ID, by which a repeated email can be recognised. */
  send(email: Email, id: string): Promise<void>;
  /** Connects, greets and signs in, and sends nothing. */
  verify(): Promise<void>;
}

export function createMailer(config: MailConfig): Mailer {
  const transport = createTransport(transportOptions(config));
  const domain = config.MAIL_FROM.slice(config.MAIL_FROM.lastIndexOf('@') + 1);
  const from = { name: config.ORGANIZATION_NAME, address: config.MAIL_FROM };
  const within = <T>(work: Promise<T>) => withDeadline(work, config.MAIL_DEADLINE_MS);
  return {
    async send({ to, subject, html, text }, id) {
      await within(
        transport.sendMail({
          from,
          to: { name: '', address: to },
          envelope: { from: config.MAIL_FROM, to: [to] },
          subject,
          html,
          text,
          messageId: `<${id}@${domain}>`,
          // So that out-of-office replies and mailing lists ignore it.
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
          disableFileAccess: true,
          disableUrlAccess: true,
        }),
      );
    },
    async verify() {
      await within(transport.verify());
    },
  };
}

function transportOptions(config: MailConfig): SMTPTransport.Options {
  const url = new URL(config.SMTP_URL);
  const secure = url.protocol === 'smtps:';
  const user = config.SMTP_USER || decodeURIComponent(url.username);
  const pass = config.SMTP_PASSWORD || decodeURIComponent(url.password);
  const wait = config.MAIL_DEADLINE_MS;
  return {
    host: url.hostname.replaceAll(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? TLS_PORT : SUBMISSION_PORT) : Number(url.port),
    secure,
    requireTLS: !secure && config.SMTP_TLS === 'required',
    ignoreTLS: config.SMTP_TLS === 'off',
    ...(user !== '' && { auth: { user, pass } }),
    connectionTimeout: wait,
    greetingTimeout: wait,
    socketTimeout: wait,
    dnsTimeout: wait,
    logger: false,
  };
}

/** A server that answers a little at a time keeps a socket from timing out, so the whole has a limit too. */
async function withDeadline<T>(work: Promise<T>, deadlineMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new MailError(`The mail server took longer than ${deadlineMs} ms.`, false)),
      deadlineMs,
    );
  });
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    throw toMailError(error);
  } finally {
    clearTimeout(timer);
  }
}

interface SmtpFailure {
  code?: string;
  command?: string;
  responseCode?: number;
}

/** The server's text may contain the address, so only codes are kept of it. */
function toMailError(error: unknown): MailError {
  if (error instanceof MailError) return error;
  const { code = 'unknown', command, responseCode } = error as SmtpFailure;
  const isRefused = responseCode !== undefined && responseCode >= 500;
  const isAboutEmail = command === 'RCPT TO' || command === 'DATA' || command === 'MAIL FROM';
  const said = responseCode === undefined ? '' : `, answer ${responseCode}`;
  const where = command === undefined ? '' : ` at ${command}`;
  return new MailError(
    `The mail server did not accept the email${where} (${code}${said}).`,
    isRefused && isAboutEmail,
  );
}
