// Turns errors that an operator can fix into what happened, why it matters and what to do.
import { SecondProcessError } from '../platform/processes.ts';
import { ConfigError } from '../platform/config/load.ts';
import { UnsafeDatabaseError } from '../platform/context.ts';
import { LocaleError } from '../platform/db/locale.ts';
import { DatabaseRoleError } from '../platform/db/server-role.ts';
import { OtherMoneyError } from '../platform/money.ts';
import { Refusal } from '../platform/http/refusal.ts';
import { WrongMasterKeyError } from '../platform/secrets/ring.ts';

export interface Trouble {
  readonly what: string;
  readonly why: string;
  readonly fix: string;
}

/** A mistake in how a command was called; its message is all that the operator needs. */
export class CommandError extends Error {
  override name = 'CommandError';
}

export class NotMigratedError extends Error {
  override name = 'NotMigratedError';
  constructor(pending: readonly string[]) {
    super(
      `The database is not up to date: ${pending.join(', ')} ${pending.length === 1 ? 'is' : 'are'} missing. ` +
        'Run `rialto migrate`, or start with `rialto serve --migrate`.',
    );
  }
}

/** A displayable address: without user and password. */
export function shownUrl(url: string): string {
  try {
    const { protocol, host, pathname } = new URL(url);
    return `${protocol}//${host}${pathname}`;
  } catch {
    return 'the given address';
  }
}

/** What a connection error means, for the service at `url`. */
export function connectionTrouble(
  error: unknown,
  service: string,
  url: string,
  variable = variableOf(service),
): Trouble {
  const where = shownUrl(url);
  const why = WHY[service] ?? '';
  switch (codeOf(error)) {
    case 'ECONNREFUSED':
      return {
        what: `${service} does not accept connections at ${where}.`,
        why,
        fix: `Start it, or correct host and port in ${variable}.`,
      };
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return {
        what: `The host name in ${where} is not known.`,
        why,
        fix: `Correct the host in ${variable}, or look at this machine's name service.`,
      };
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return {
        what: `${service} at ${where} does not answer.`,
        why,
        fix: 'Look for a firewall or a security group between this machine and that one.',
      };
    case '28P01':
    case '28000':
      return {
        what: `${service} at ${where} refused the user name or password.`,
        why,
        fix: `Correct them in ${variable}; special characters must be percent-encoded.`,
      };
    case '3D000':
      return {
        what: `${service} has no database "${new URL(url).pathname.slice(1)}".`,
        why,
        fix: `Make it (createdb), or correct the name in ${variable}.`,
      };
    case '53300':
      return {
        what: `${service} has no connection left.`,
        why,
        fix: 'Raise max_connections there, or lower the settings DATABASE_POOL_* here.',
      };
    default:
      return {
        what: `${service} at ${where} cannot be used: ${messageOf(error)}.`,
        why,
        fix: `Look at the log of ${service}, and at ${variable}.`,
      };
  }
}

const WHY: Readonly<Record<string, string>> = {
  PostgreSQL: 'It is the only store of record: without it nothing can be read or written.',
  NATS: 'Processes learn of events by polling only, and orders are refused until it is back.',
  Redis: 'Every process applies rate limits on its own, with a share of the quota.',
};

function variableOf(service: string): string {
  return service === 'PostgreSQL' ? 'DATABASE_URL' : `${service.toUpperCase()}_URL`;
}

export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.replace(/\.$/, '');
}

/** What to print when a command ends with `error`. Only a defect of ours comes with its stack. */
export function explain(error: unknown): string {
  if (
    error instanceof CommandError ||
    error instanceof ConfigError ||
    error instanceof DatabaseRoleError ||
    error instanceof LocaleError ||
    error instanceof NotMigratedError ||
    error instanceof OtherMoneyError ||
    error instanceof Refusal ||
    error instanceof SecondProcessError ||
    error instanceof UnsafeDatabaseError ||
    error instanceof WrongMasterKeyError
  ) {
    return error.message;
  }
  if (error instanceof DatabaseTroubleError) return sentences(error.trouble);
  if (error instanceof PortTroubleError) return sentences(error.trouble);
  if (isListenError(error)) return sentences(listenTrouble(error));
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `Rialto met an error that it does not know. Please report it:\n${detail}`;
}

export const sentences = ({ what, why, fix }: Trouble): string => `${what} ${why} ${fix}`;

/** PostgreSQL could not be reached when a command began. */
export class DatabaseTroubleError extends Error {
  override name = 'DatabaseTroubleError';
  readonly trouble: Trouble;
  constructor(error: unknown, url: string, variable: string) {
    super('PostgreSQL could not be reached.', { cause: error });
    this.trouble = connectionTrouble(error, 'PostgreSQL', url, variable);
  }
}

interface ListenError extends Error {
  code: string;
  port: number;
  address: string;
}

export function isListenError(error: unknown): error is ListenError {
  return error instanceof Error && 'syscall' in error && /^listen|bind/.test(String(error.syscall));
}

/** A port that a command was to listen on, checked before it began. */
export class PortTroubleError extends Error {
  override name = 'PortTroubleError';
  readonly trouble: Trouble;
  constructor(error: ListenError, chosenBy: string) {
    super(`Port ${error.port} cannot be listened on.`, { cause: error });
    this.trouble = listenTrouble(error, chosenBy);
  }
}

export function listenTrouble(
  { code, address, port }: ListenError,
  chosenBy = 'PORT or OPS_PORT',
): Trouble {
  const place = `${address}:${port}`;
  const why = 'Clients could not reach this server.';
  switch (code) {
    case 'EADDRINUSE':
      return {
        what: `Another program already listens on ${place}.`,
        why,
        fix: `Stop it, or choose another port with ${chosenBy}. Find it with: ss -ltnp 'sport = :${port}'`,
      };
    case 'EACCES':
      return {
        what: `This user may not listen on ${place}.`,
        why,
        fix: 'Choose a port from 1024 up, and put a proxy before it for 80 and 443.',
      };
    default:
      return {
        what: `This machine cannot listen on ${place} (${code}).`,
        why,
        fix: 'Correct HOST: 127.0.0.1 for this machine only, 0.0.0.0 for every address it has.',
      };
  }
}
