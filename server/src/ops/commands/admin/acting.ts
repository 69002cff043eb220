// The frame of a command that changes something: authenticates the operator, waits for the engine and prints its
// answer.
import { hostname, userInfo } from 'node:os';
import { Option, type Command } from 'commander';
import type { ActName, AuditDeclaration } from '../../../accounts/audit/acts.ts';
import { accessLogin } from '../../../accounts/command-lines/actions.ts';
import { notSignedIn, secretsSwitchedOff } from '../../../accounts/command-lines/errors.ts';
import { proveOperator, type Host } from '../../../accounts/operators/actions.ts';
import type { Grant } from '../../../accounts/operators/grants.ts';
import type { Operator } from '../../../accounts/operators/operator.ts';
import { createCause } from '../../../platform/cause.ts';
import { withCause, type Context } from '../../../platform/context.ts';
import { HOUR_SECONDS } from '../../../platform/std/time.ts';
import { awaitCommand } from '../../../trading/operators/actions.ts';
import type { CommandRow } from '../../../trading/operators/command-row.ts';
import { describeCommand } from '../../../trading/operators/explain.ts';
import { readEnvironment } from '../../environment.ts';
import { asOperator } from '../../operator.ts';
import { CommandError } from '../../trouble.ts';
import { readLoginFile, type LoginFile } from './login-file.ts';
import { readOperatorSecret } from './operator-secret.ts';
import { printFields, printRows, type JsonOption } from './output.ts';

export interface ByOption {
  /** Whose secret acts; without it, the operator who is signed in at this command line. */
  by?: string;
}

export interface ActOptions extends JsonOption, ByOption {
  wait: string;
}

const WAIT_SECONDS = 10;
const WAIT_SECONDS_MAX = HOUR_SECONDS;

/** The outcome as an exit status, for scripts. */
export const EXIT = { refused: 1, waiting: 3 } as const;

export function byOption(): Option {
  return new Option(
    '--by <address>',
    'who acts, by their secret; without it, whoever signed in with `rialto operator login`',
  ).env('RIALTO_OPERATOR');
}

const places = new WeakMap<Command, AuditDeclaration>();

/** Declares the audit acts of a command. */
export function writes(command: Command, place: AuditDeclaration): Command {
  places.set(command, place);
  return command;
}

/** Undefined for a read-only command. */
export const placeOf = (command: Command): AuditDeclaration | undefined => places.get(command);

/** Gives a command the options of every acting command, and declares its audit acts. */
export function acting(command: Command, ...acts: readonly [ActName, ...ActName[]]): Command {
  return writes(command, acts)
    .addOption(byOption())
    .option('--wait <seconds>', "how long to wait for the engine's answer", String(WAIT_SECONDS))
    .option('--json', 'print JSON');
}

/** The person at this terminal, as the machine knows them. */
function describeTerminal(): string {
  return `command line of ${userInfo().username}@${hostname()}`;
}

/** The person at this machine's command line, where no operator can be named. */
export function describeHost(): Host {
  return { email: `host: ${userInfo().username}@${hostname()}`, via: describeTerminal() };
}

/**
 * Runs `work` for an operator: the one who is signed in at this command line and has the grant, or the one whose secret
 * is given.
 */
export async function asProven<T>(
  { by }: ByOption,
  needed: Grant,
  work: (ctx: Context, operator: Operator) => Promise<T>,
): Promise<T> {
  const environment = readEnvironment();
  const login = readLoginFile();
  const prove =
    by === undefined || login?.email === by.toLowerCase()
      ? byLogin(login, needed)
      : await bySecret(by);
  return asOperator(environment, async (ctx) => {
    const operator = await prove(ctx);
    return work(asCausedBy(ctx, operator), operator);
  });
}

type Prove = (ctx: Context) => Promise<Operator>;

function byLogin(login: LoginFile | undefined, needed: Grant): Prove {
  if (login === undefined) throw notSignedIn();
  const via = `signed-in ${describeTerminal()}`;
  return (ctx) => accessLogin(ctx, login.token, via, needed);
}

async function bySecret(email: string): Promise<Prove> {
  const secret = await readOperatorSecret(email);
  const via = `${describeTerminal()}, by the operator's secret`;
  return (ctx) => {
    if (ctx.config.OPERATOR_SECRET_FALLBACK !== 'true') throw secretsSwitchedOff();
    return proveOperator(ctx, { email, secret, via });
  };
}

/** A context whose transactions know on whose behalf they run, for the audit log. */
export function asCausedBy(ctx: Context, { id, email, via }: Host & { id?: number }): Context {
  return withCause(ctx, createCause({ userId: id ?? null, email, via, from: '', requestId: '' }));
}

/** Lets `ask` send a command to the engine, waits for the answer and prints it. */
export async function act(
  options: ActOptions,
  ask: (ctx: Context, operator: Operator) => Promise<bigint>,
): Promise<void> {
  const waitMs = waitMsOf(options.wait);
  // Asking checks the grant of the act itself.
  const command = await asProven(options, 'look', async (ctx, operator) =>
    awaitCommand(ctx, await ask(ctx, operator), waitMs),
  );
  printCommand(options, command);
}

/** The same for several commands of one commit: one row each. */
export async function actAll(
  options: ActOptions,
  ask: (ctx: Context, operator: Operator) => Promise<readonly bigint[]>,
  none: string,
): Promise<void> {
  const waitMs = waitMsOf(options.wait);
  const commands = await asProven(options, 'look', async (ctx, operator) => {
    const ended: CommandRow[] = [];
    const untilMs = performance.now() + waitMs;
    for (const id of await ask(ctx, operator)) {
      ended.push(await awaitCommand(ctx, id, Math.max(0, untilMs - performance.now())));
    }
    return ended;
  });
  printRows(options, commands.map(fieldsOf), none);
  for (const { status } of commands) noteExit(status);
}

/** The same for what an operator does with an existing command. */
export async function actOn(
  options: ActOptions,
  text: string,
  work: (ctx: Context, operator: Operator, id: bigint) => Promise<void>,
): Promise<void> {
  const id = commandIdOf(text);
  const waitMs = waitMsOf(options.wait);
  const command = await asProven(options, 'look', async (ctx, operator) => {
    await work(ctx, operator, id);
    return awaitCommand(ctx, id, waitMs);
  });
  printCommand(options, command);
}

function printCommand(options: JsonOption, command: CommandRow): void {
  printFields(options, fieldsOf(command));
  noteExit(command.status);
}

const fieldsOf = (command: CommandRow) => ({
  command: Number(command.id),
  act: command.act,
  subject: command.subject,
  status: command.status,
  message: describeCommand(command),
});

/** Of several, a refused one says more than a waiting one. */
function noteExit(status: CommandRow['status']): void {
  if (status === 'refused') process.exitCode = EXIT.refused;
  if (status === 'waiting') process.exitCode ??= EXIT.waiting;
}

export function waitMsOf(text: string): number {
  const seconds = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && seconds <= WAIT_SECONDS_MAX) return seconds * 1000;
  throw new CommandError(`--wait must be seconds from 0 to ${WAIT_SECONDS_MAX}, not "${text}".`);
}

export function commandIdOf(text: string): bigint {
  if (/^[1-9]\d{0,17}$/.test(text)) return BigInt(text);
  throw new CommandError(
    `"${text}" is no number of a command; \`rialto admin pending\` lists those that wait.`,
  );
}

export function wholeOf(flag: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new CommandError(`${flag} must be a whole number, not "${text}".`);
}
