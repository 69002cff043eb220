// A real mail server that keeps what it receives, for tests of everything that sends emails.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { pause } from '../platform/std/wait.ts';

export interface CaughtEmail extends Email {
  /** The recipients in the SMTP envelope, whatever the headers say. */
  readonly recipients: readonly string[];
}

export interface MailCatcher {
  /** The settings of a server that sends its emails here. */
  readonly settings: Readonly<Record<string, string>>;
  /** All accepted emails, oldest first. */
  readonly emails: readonly CaughtEmail[];
  /** The oldest email to `address` that `next` has not returned yet. */
  next(address: string): Promise<CaughtEmail>;
  /** Refuses emails to this recipient with `code`: 4xx is temporary, 5xx permanent. Zero accepts them again. */
  answer(address: string, code: number): void;
  /** How many attempts for this recipient were refused. */
  refusals(address: string): number;
  close(): Promise<void>;
}

const WAIT_MS = 60_000;

export async function startMailCatcher(): Promise<MailCatcher> {
  const emails: CaughtEmail[] = [];
  const returned = new Set<CaughtEmail>();
  const codes = new Map<string, number>();
  const refusals = new Map<string, number>();
  async function keep(bytes: Buffer, recipients: readonly string[]): Promise<void> {
    emails.push({ ...(await PostalMime.parse(bytes)), recipients });
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onRcptTo({ address }, _session, done) {
      const code = codes.get(address) ?? 0;
      if (code === 0) return done();
      refusals.set(address, (refusals.get(address) ?? 0) + 1);
      done(Object.assign(new Error(`<${address}> is not here`), { responseCode: code }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        void keep(Buffer.concat(chunks), recipients);
        done();
      });
    },
  });
  server.on('error', () => {});
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  return {
    settings: {
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      SMTP_TLS: 'off',
      MAIL_FROM: 'rialto@example.com',
    },
    emails,
    async next(address) {
      const untilMs = performance.now() + WAIT_MS;
      while (performance.now() < untilMs) {
        const found = emails.find(
          (email) =>
            !returned.has(email) &&
            email.recipients.some((one) => one.toLowerCase() === address.toLowerCase()),
        );
        if (found !== undefined) {
          returned.add(found);
          return found;
        }
        await pause(10);
      }
      throw new Error(`No email came to ${address} within ${WAIT_MS} ms.`);
    },
    answer: (address, code) => void codes.set(address, code),
    refusals: (address) => refusals.get(address) ?? 0,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
