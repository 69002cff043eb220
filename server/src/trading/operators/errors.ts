// Refusals for operators, which say what to do instead.
import pg from 'pg';
import { Refusal } from '../../platform/http/refusal.ts';

const refusal = (
  code: string,
  status: number,
  message: string,
  fields: Record<string, unknown> = {},
): Refusal => new Refusal({ code, status, message, fields });

export const noSuchCommand = (id: bigint) =>
  refusal(
    'COMMAND_UNKNOWN',
    404,
    `There is no command ${id}. \`rialto admin pending\` lists what waits.`,
  );

export const notAwaitingApproval = (id: bigint, status: string) =>
  refusal(
    'NOT_AWAITING_APPROVAL',
    409,
    `Command ${id} does not wait for an approval: it is ${status}.`,
  );

export const approvalByRequester = (id: bigint, email: string) =>
  refusal(
    'SECOND_OPERATOR_NEEDED',
    403,
    `${email} asked for command ${id} and cannot approve it too. Another operator must; ` +
      '`rialto admin operator list` shows them.',
  );

export const cannotWithdraw = (id: bigint, status: string) =>
  refusal(
    'COMMAND_FINAL',
    409,
    `Command ${id} cannot be retracted: it is ${status}. Only a waiting command can be.`,
  );

export const reasonMissing = () =>
  refusal(
    'REASON_MISSING',
    400,
    'What takes two operators needs a reason, in words that an auditor will understand later: --reason.',
  );

/** The refusal of a table's trigger, by its code; undefined for any other error. */
export function refusedByTable(error: unknown, subject: string): Refusal | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  if (error.code === 'RJ004') return ownerDeactivated(subject);
  if (error.code === 'RJ007') return accountClosed(subject);
  if (error.code === 'RJ008') return mainSuspended(subject);
  if (error.code === 'RJ005') return haltedNow(subject);
  return undefined;
}

const ownerDeactivated = (subject: string) =>
  refusal(
    'OWNER_DEACTIVATED',
    409,
    `The owner of ${subject} is deactivated, and so the account stays suspended. Reactivate the owner first: ` +
      'rialto admin reactivate-user --email THEIR_ADDRESS',
  );

const accountClosed = (subject: string) =>
  refusal(
    'ACCOUNT_CLOSED',
    409,
    `The owner of ${subject} has closed it, for good. They can open another sub-account.`,
  );

const mainSuspended = (subject: string) =>
  refusal(
    'MAIN_ACCOUNT_SUSPENDED',
    409,
    `The main account of ${subject} is suspended, and its sub-accounts with it. Resume the main account: ` +
      'rialto admin account resume THEIR_ADDRESS',
  );

const haltedNow = (symbol: string) =>
  refusal(
    'HALTED_BY_RULE',
    409,
    `A broken rule has just stopped ${symbol}. Ask again: then the release waits for a second operator. ` +
      '`rialto doctor` says what is wrong.',
  );

export const haltedSince = (id: bigint, symbol: string, what: string) =>
  refusal(
    'HALTED_SINCE',
    409,
    `After command ${id} was asked for, another rule stopped ${symbol} (${what}). Withdraw the command, look ` +
      'into it, and ask again.',
  );

export const noSuchOrder = (name: string) =>
  refusal(
    'ORDER_NOT_FOUND',
    404,
    `No order is known as ${name}. Give its number, or the account and the client id; one that was placed ` +
      'within the last seconds may not be in the tables yet.',
  );

export const termRefused = (parameter: string, expected: string, came: string) =>
  refusal('TERM_INVALID', 400, `${parameter} must be ${expected}, not "${came}".`, { parameter });

export const noSuchMarket = (symbol: string) =>
  refusal(
    'UNKNOWN_SYMBOL',
    404,
    `No market has the symbol "${symbol}". \`rialto admin market list\` shows them all.`,
  );

export const noSuchAccount = (text: string) =>
  refusal(
    'UNKNOWN_ACCOUNT',
    404,
    `"${text}" names no trading account. Give the address of its owner or its number; ` +
      'an account is opened when its owner first uses the venue, or gets a first trading key.',
  );
