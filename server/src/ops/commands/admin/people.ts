// `rialto admin create-user`, `create-trading-key`, `reset-password`, `set-role`, `deactivate-user` and
// `reactivate-user`: people and their keys. Secrets are printed here once and nowhere else.
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import ipaddr from 'ipaddr.js';
import { isEmail } from '../../../accounts/email.ts';
import { listCandidates, lockCandidates } from '../../../accounts/operators/access.ts';
import { enrolOperator } from '../../../accounts/operators/actions.ts';
import { giveGrantAtHost } from '../../../accounts/operators/grant-actions.ts';
import type { Operator } from '../../../accounts/operators/operator.ts';
import { REASONS } from '../../../accounts/passwords/reasons.ts';
import { checkPassword, WeakPassword } from '../../../accounts/passwords/rules.ts';
import { ROLE, type RoleCode, type RoleName } from '../../../accounts/roles.ts';
import { accessSubAccountOf } from '../../../trading/sub-accounts/access.ts';
import { createTradingKey } from '../../../accounts/trading-keys/actions.ts';
import { PERMISSIONS, type Permission } from '../../../accounts/trading-keys/key.ts';
import { makePasswordLink } from '../../../chat/administration/keys/password-link.ts';
import {
  changePerson,
  createPerson,
  deactivatePerson,
  reactivatePerson,
} from '../../../chat/administration/users/actions.ts';
import { findUserByEmail, type User } from '../../../accounts/users/store.ts';
import type { Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { randomAlphanumeric } from '../../../platform/std/ids.ts';
import { readEnvironment } from '../../environment.ts';
import { asOperator } from '../../operator.ts';
import { CommandError } from '../../trouble.ts';
import { asCausedBy, asProven, byOption, describeHost, writes, type ByOption } from './acting.ts';
import { readLoginFile } from './login-file.ts';
import { printFields, type JsonOption } from './output.ts';

const GENERATED_PASSWORD_LENGTH = 20;

export function addPeopleCommands(admin: Command): void {
  writes(admin.command('create-user'), [
    'user create',
    'bot create',
    'operator enrol',
    'operator grant',
  ])
    .description('make a person or a bot')
    .requiredOption('--email <address>', 'the address to sign in with')
    .requiredOption('--name <full name>', 'the name that others see')
    .option('--role <role>', `one of ${Object.keys(ROLE).join(', ')}`, 'member')
    .option(
      '--password-file <file>',
      'read the password from a file, or from "-"; else one is made',
    )
    .option('--bot-of <address>', 'make a bot that belongs to this person')
    .addOption(byOption())
    .addHelpText('after', FIRST_OWNER)
    .option('--json', 'print JSON')
    .action(createUser);
  writes(admin.command('create-trading-key'), ['trading_key create'])
    .description('make a key for the trading API')
    .requiredOption('--email <address>', 'whose key it is')
    .option('--permissions <list>', `comma-separated, of ${PERMISSIONS.join(', ')}`, 'read')
    .option('--sub-account <name>', 'for this sub-account of theirs, by its label or number')
    .option('--label <text>', 'what it is for', '')
    .option('--ip <list>', 'addresses or ranges that may use it, comma-separated', '')
    .addOption(byOption())
    .option('--json', 'print JSON')
    .action((options: CreateKeyOptions) =>
      print(options, (ctx, operator) => makeTradingKey(ctx, operator, options)),
    );
  writes(admin.command('reset-password'), ['password reset_link'])
    .argument('<address>', 'whose')
    .description(
      'make a link with which somebody chooses a new password; it works once, within one hour',
    )
    .addOption(byOption())
    .option('--json', 'print JSON')
    .action((email: string, options: PeopleOptions) =>
      print(options, (ctx, operator) => resetPassword(ctx, operator, email)),
    );
  writes(admin.command('set-role'), ['user set_role', 'session end'])
    .description("change a person's role")
    .requiredOption('--email <address>', 'who')
    .requiredOption('--role <role>', `one of ${Object.keys(ROLE).join(', ')}`)
    .addOption(byOption())
    .option('--json', 'print JSON')
    .action((options: SetRoleOptions) =>
      print(options, (ctx, operator) => setRole(ctx, operator, options)),
    );
  writes(admin.command('deactivate-user'), ['user deactivate', 'session end'])
    .description('take every right of a person away; orders are canceled, and money stays')
    .requiredOption('--email <address>', 'who')
    .addOption(byOption())
    .option('--json', 'print JSON')
    .action((options: WhoOptions) =>
      print(options, (ctx, operator) => deactivate(ctx, operator, options)),
    );
  writes(admin.command('reactivate-user'), ['user reactivate'])
    .description('give a deactivated person or bot everything back, except canceled orders')
    .requiredOption('--email <address>', 'who')
    .addOption(byOption())
    .option('--json', 'print JSON')
    .action((options: WhoOptions) =>
      print(options, (ctx, operator) => reactivate(ctx, operator, options)),
    );
}

interface PeopleOptions extends JsonOption, ByOption {}
interface NewPerson {
  email: string;
  name: string;
  role: string;
  botOf?: string | undefined;
  /** For a person without a given password: they choose one by a link, so no password has to be passed on. */
  withLink?: boolean;
}
interface CreateUserOptions extends JsonOption, NewPerson {
  /** Without --by only while there is no operator: a deployment gets its first owner here. */
  by?: string;
  passwordFile?: string;
}
interface CreateKeyOptions extends PeopleOptions {
  email: string;
  permissions: string;
  subAccount?: string;
  label: string;
  ip: string;
}
interface WhoOptions extends PeopleOptions {
  email: string;
}
interface SetRoleOptions extends WhoOptions {
  role: string;
}

type Result = Readonly<Record<string, string | number>>;

const FIRST_OWNER = `
The first owner of a deployment is made without --by. They are its first operator: their secret is printed here, once.
Everybody after them is made by an operator.`;

async function createUser({ by, passwordFile, ...options }: CreateUserOptions): Promise<void> {
  const given = passwordFile === undefined ? undefined : readPassword(passwordFile);
  if (by !== undefined || readLoginFile() !== undefined) {
    await print({ ...options, ...(by !== undefined && { by }) }, (ctx, operator) => {
      // An administrator who could create owners would be one.
      if (roleOf(options.role) < operator.role) {
        throw new CommandError(
          `${operator.email} may not make somebody of the role ${options.role}, which is above their own.`,
        );
      }
      return makeUser(ctx, options, given);
    });
    return;
  }
  const result = await asOperator(readEnvironment(), (ctx) => makeFirstOwner(ctx, options, given));
  printResult(options, result);
}

/** The person at the host creates the first operator; from then on operators create everybody else. */
export async function makeFirstOwner(
  ctx: Context,
  options: NewPerson,
  password: string | undefined,
): Promise<Result & { readonly operator_secret: string }> {
  await requireNoOperators(ctx.db);
  if (roleOf(options.role) !== ROLE.owner || options.botOf !== undefined) {
    throw new CommandError(
      'The first person of a deployment is an owner: add --role owner. They make everybody else, with --by.',
    );
  }
  const host = describeHost();
  // Of two concurrent commands, one creates the owner.
  const check = async (tx: Tx) => {
    await lockCandidates(tx);
    await requireNoOperators(tx);
  };
  const made = await makeUser(asCausedBy(ctx, host), options, password, check);
  const { secret } = await enrolOperator(ctx, host, options.email);
  await giveGrantAtHost(ctx, host, { email: options.email, grant: 'everything' });
  const hasLink = options.withLink === true && password === undefined;
  const link = hasLink && (await makePasswordLink(asCausedBy(ctx, host), Number(made['user_id'])));
  return { ...made, ...(link && { set_password_link: link }), operator_secret: secret };
}

async function requireNoOperators(db: Db): Promise<void> {
  if ((await listCandidates(db)).length === 0) return;
  throw new CommandError(
    'There are owners or administrators already, so an operator has to do this: --by THEIR_ADDRESS. ' +
      '`rialto admin operator list` shows who is enrolled; the first of them is enrolled with ' +
      '`rialto admin operator enrol`.',
  );
}

async function makeUser(
  ctx: Context,
  options: NewPerson,
  given: string | undefined,
  check?: (tx: Tx) => Promise<void>,
): Promise<Result> {
  if (!isEmail(options.email)) {
    throw new CommandError(`--email must be an address such as ava@example.com.`);
  }
  if ((await findUserByEmail(ctx.db, options.email)) !== undefined) {
    throw new CommandError(`There is already a user with the address ${options.email}.`);
  }
  const owner = options.botOf === undefined ? undefined : await requireUser(ctx, options.botOf);
  if (owner !== undefined) checkBotRole(owner, roleOf(options.role));
  if (given !== undefined) await checkGiven(ctx, given, options);
  const isMade = given === undefined && owner === undefined && options.withLink !== true;
  const password = isMade ? randomAlphanumeric(GENERATED_PASSWORD_LENGTH) : given;
  const fresh = {
    email: options.email,
    fullName: options.name,
    role: roleOf(options.role),
    ...(password === undefined ? {} : { password }),
    ...(owner === undefined ? {} : { botType: 1 as const, botOwnerId: owner.id }),
  };
  const { user, chatKey } = await createPerson(ctx, fresh, check);
  return {
    user_id: user.id,
    email: user.email,
    role: options.role,
    chat_api_key: chatKey,
    // The operator knows a password that the operator gave.
    ...(isMade && password !== undefined ? { password } : {}),
  };
}

function checkBotRole(owner: User, role: RoleCode): void {
  if (owner.botType !== null)
    throw new CommandError(`${owner.email} is a bot, and bots own no bots.`);
  if (role < owner.role) {
    throw new CommandError(
      `--role is above the role of ${owner.email}. A bot may do what its owner may, and no more.`,
    );
  }
}

async function makeTradingKey(
  ctx: Context,
  operator: Operator,
  options: CreateKeyOptions,
): Promise<Result> {
  const user = await requireUser(ctx, options.email);
  const permissions = listOf(options.permissions).map(permissionOf);
  const ipAllowlist = listOf(options.ip);
  const wrong = ipAllowlist.find((range) => !ipaddr.isValid(range) && !ipaddr.isValidCIDR(range));
  if (wrong !== undefined) {
    throw new CommandError(`--ip holds "${wrong}", which is no address or range (203.0.113.0/24).`);
  }
  if (permissions.includes('withdraw') && ipAllowlist.length === 0) {
    throw new CommandError('A key that may withdraw must be bound to addresses: give --ip.');
  }
  const { keyId, secret, accountId } = await createTradingKey(ctx, {
    userId: user.id,
    ...(options.subAccount === undefined
      ? {}
      : { accountId: await accessSubAccountOf(ctx.db, user, options.subAccount) }),
    permissions,
    label: options.label,
    ipAllowlist,
  });
  return {
    user_id: user.id,
    account_id: String(accountId),
    permissions: permissions.join(','),
    api_key: keyId,
    secret_key: secret,
  };
}

async function resetPassword(ctx: Context, operator: Operator, email: string): Promise<Result> {
  const user = await requireUser(ctx, email);
  // Somebody who sets a person's password can act as that person.
  if (user.role < operator.role) {
    throw new CommandError(
      `${operator.email} may not reset the password of ${user.email}, whose role is above their own.`,
    );
  }
  return { user_id: user.id, email: user.email, link: await makePasswordLink(ctx, user.id) };
}

async function setRole(ctx: Context, operator: Operator, options: SetRoleOptions): Promise<Result> {
  const user = await requireUser(ctx, options.email);
  const role = roleOf(options.role);
  await changePerson(ctx, operator, user.id, { role });
  return { user_id: user.id, email: user.email, role: options.role };
}

async function deactivate(
  ctx: Context,
  operator: Operator,
  { email }: WhoOptions,
): Promise<Result> {
  const user = await requireUser(ctx, email);
  await deactivatePerson(ctx, operator, user.id);
  return { user_id: user.id, email: user.email, status: 'deactivated' };
}

async function reactivate(
  ctx: Context,
  operator: Operator,
  { email }: WhoOptions,
): Promise<Result> {
  const user = await requireUser(ctx, email);
  await reactivatePerson(ctx, operator, user.id);
  return { user_id: user.id, email: user.email, status: 'active' };
}

async function requireUser(ctx: Context, email: string): Promise<User> {
  const user = await findUserByEmail(ctx.db, email);
  if (user === undefined) throw new CommandError(`There is no user with the address ${email}.`);
  return user;
}

function roleOf(name: string): RoleCode {
  if (Object.hasOwn(ROLE, name)) return ROLE[name as RoleName];
  throw new CommandError(`--role must be one of ${Object.keys(ROLE).join(', ')}, not "${name}".`);
}

function permissionOf(name: string): Permission {
  const found = PERMISSIONS.find((permission) => permission === name);
  if (found !== undefined) return found;
  throw new CommandError(`--permissions holds "${name}"; known are ${PERMISSIONS.join(', ')}.`);
}

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** Only the first line: an editor's final newline is not part of a password. */
export function readPassword(file: string): string {
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new CommandError(`--password-file cannot be read: ${(error as Error).message}.`);
  }
  const [password = ''] = text.split(/\r?\n/);
  return password;
}

/** Passwords given by operators must meet the same rules. */
export async function checkGiven(
  ctx: Context,
  password: string,
  options: Pick<NewPerson, 'email' | 'name'>,
): Promise<void> {
  try {
    const owner = { email: options.email, fullName: options.name };
    await checkPassword(ctx, password, owner, 'The password is too weak.');
  } catch (error) {
    if (!(error instanceof WeakPassword)) throw error;
    throw new CommandError(`${error.message} ${REASONS[error.reason].en}`);
  }
}

async function print(
  options: PeopleOptions,
  work: (ctx: Context, operator: Operator) => Promise<Result>,
): Promise<void> {
  printResult(options, await asProven(options, 'everything', work));
}

function printResult(options: JsonOption, result: Result): void {
  printFields(options, result);
  if (options.json !== true && SECRET_FIELDS.some((name) => name in result)) {
    console.log('\nKeep the secrets now: they are not shown again.');
  }
}

const SECRET_FIELDS = ['password', 'secret_key', 'operator_secret', 'link'] as const;
