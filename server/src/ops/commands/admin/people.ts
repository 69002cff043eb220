// `rialto admin create-user`, `create-trading-key`, `set-role`, `deactivate-user` and `reactivate-user`: people and
// their keys. Secrets are printed here once and nowhere else.
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import ipaddr from 'ipaddr.js';
import { ROLE, type RoleCode, type RoleName } from '../../../accounts/roles.ts';
import { createTradingKey } from '../../../accounts/trading-keys/actions.ts';
import { PERMISSIONS, type Permission } from '../../../accounts/trading-keys/key.ts';
import {
  changePerson,
  createPerson,
  deactivatePerson,
  reactivatePerson,
} from '../../../chat/users/actions.ts';
import { findUserByEmail, type User } from '../../../accounts/users/store.ts';
import { createCause } from '../../../platform/cause.ts';
import { withCause, type Context } from '../../../platform/context.ts';
import { randomAlphanumeric } from '../../../platform/std/ids.ts';
import { accessOperator } from '../../../trading/operators/access.ts';
import { readEnvironment } from '../../environment.ts';
import { asOperator } from '../../operator.ts';
import { CommandError } from '../../trouble.ts';
import { byOption, describeTerminal, writes } from './acting.ts';
import { printFields, type JsonOption } from './output.ts';

const GENERATED_PASSWORD_LENGTH = 20;

export function addPeopleCommands(admin: Command): void {
  writes(admin.command('create-user'), ['user create', 'bot create'])
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
    .option('--json', 'print JSON')
    .action((options: CreateUserOptions) => print(options, (ctx) => makeUser(ctx, options)));
  writes(admin.command('create-trading-key'), ['trading_key create'])
    .description('make a key for the trading API')
    .requiredOption('--email <address>', 'whose key it is')
    .option('--permissions <list>', `comma-separated, of ${PERMISSIONS.join(', ')}`, 'read')
    .option('--label <text>', 'what it is for', '')
    .option('--ip <list>', 'addresses or ranges that may use it, comma-separated', '')
    .addOption(byOption())
    .option('--json', 'print JSON')
    .action((options: CreateKeyOptions) => print(options, (ctx) => makeTradingKey(ctx, options)));
  writes(admin.command('set-role'), ['user set_role', 'session end'])
    .description("change a person's role")
    .requiredOption('--email <address>', 'who')
    .requiredOption('--role <role>', `one of ${Object.keys(ROLE).join(', ')}`)
    .addOption(byOption())
    .option('--json', 'print JSON')
    .action((options: SetRoleOptions) => print(options, (ctx) => setRole(ctx, options)));
  writes(admin.command('deactivate-user'), ['user deactivate', 'session end'])
    .description('take every right of a person away; orders are canceled, and money stays')
    .requiredOption('--email <address>', 'who')
    .addOption(byOption())
    .option('--json', 'print JSON')
    .action((options: WhoOptions) => print(options, (ctx) => deactivate(ctx, options)));
  writes(admin.command('reactivate-user'), ['user reactivate'])
    .description('give a deactivated person or bot everything back, except canceled orders')
    .requiredOption('--email <address>', 'who')
    .addOption(byOption())
    .option('--json', 'print JSON')
    .action((options: WhoOptions) => print(options, (ctx) => reactivate(ctx, options)));
}

interface PeopleOptions extends JsonOption {
  /** Nobody needs to be named: a deployment without any operator gets its first one here. */
  by?: string;
}
interface CreateUserOptions extends PeopleOptions {
  email: string;
  name: string;
  role: string;
  passwordFile?: string;
  botOf?: string;
}
interface CreateKeyOptions extends PeopleOptions {
  email: string;
  permissions: string;
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

async function makeUser(ctx: Context, options: CreateUserOptions): Promise<Result> {
  if (!/^[^\s@]+@[^\s@]+$/.test(options.email)) {
    throw new CommandError(`--email must be an address such as ava@example.com.`);
  }
  if ((await findUserByEmail(ctx.db, options.email)) !== undefined) {
    throw new CommandError(`There is already a user with the address ${options.email}.`);
  }
  const owner = options.botOf === undefined ? undefined : await requireUser(ctx, options.botOf);
  if (owner !== undefined) checkBotRole(owner, roleOf(options.role));
  const given = options.passwordFile === undefined ? undefined : readSecret(options.passwordFile);
  const password =
    given ?? (owner === undefined ? randomAlphanumeric(GENERATED_PASSWORD_LENGTH) : undefined);
  const { ctx: own } = await acting(ctx, options);
  const { user, chatKey } = await createPerson(own, {
    email: options.email,
    fullName: options.name,
    role: roleOf(options.role),
    ...(password === undefined ? {} : { password }),
    ...(owner === undefined ? {} : { botType: 1 as const, botOwnerId: owner.id }),
  });
  return {
    user_id: user.id,
    email: user.email,
    role: options.role,
    chat_api_key: chatKey,
    // A password that the operator gave is known to the operator.
    ...(given === undefined && password !== undefined ? { password } : {}),
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

async function makeTradingKey(ctx: Context, options: CreateKeyOptions): Promise<Result> {
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
  const { ctx: own } = await acting(ctx, options);
  const { keyId, secret, accountId } = await createTradingKey(own, {
    userId: user.id,
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

async function setRole(ctx: Context, options: SetRoleOptions): Promise<Result> {
  const user = await requireUser(ctx, options.email);
  // The operator of the deployment stands above its owners; the last of them still stays one.
  const role = roleOf(options.role);
  const { ctx: own, actor } = await acting(ctx, options);
  await changePerson(own, actor, user.id, { role });
  return { user_id: user.id, email: user.email, role: options.role };
}

async function deactivate(ctx: Context, options: WhoOptions): Promise<Result> {
  const user = await requireUser(ctx, options.email);
  const { ctx: own, actor } = await acting(ctx, options);
  await deactivatePerson(own, actor, user.id);
  return { user_id: user.id, email: user.email, status: 'deactivated' };
}

async function reactivate(ctx: Context, options: WhoOptions): Promise<Result> {
  const user = await requireUser(ctx, options.email);
  const { ctx: own, actor } = await acting(ctx, options);
  await reactivatePerson(own, actor, user.id);
  return { user_id: user.id, email: user.email, status: 'active' };
}

/**
 * Who acts, and a context whose transactions know it, for the audit log. The operator of the deployment stands
 * above its owners.
 */
async function acting(ctx: Context, { by }: PeopleOptions) {
  const via = describeTerminal();
  const operator = by === undefined ? undefined : await accessOperator(ctx.db, by, via);
  const { id = null, email = '' } = operator ?? {};
  const cause = createCause({ userId: id, email, via, from: '', requestId: '' });
  return { ctx: withCause(ctx, cause), actor: { id: id ?? 0, role: ROLE.owner, isOperator: true } };
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

/** The first line only: an editor's final newline is not part of a password. */
function readSecret(file: string): string {
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new CommandError(`--password-file cannot be read: ${(error as Error).message}.`);
  }
  const [password = ''] = text.split(/\r?\n/);
  if (password.length < 8) throw new CommandError('The password must have at least 8 characters.');
  return password;
}

async function print(
  options: PeopleOptions,
  work: (ctx: Context) => Promise<Result>,
): Promise<void> {
  const result = await asOperator(readEnvironment(), work);
  printFields(options, result);
  if (options.json !== true && SECRET_FIELDS.some((name) => name in result)) {
    console.log('\nKeep the secrets now: they are not shown again.');
  }
}

const SECRET_FIELDS = ['password', 'secret_key'] as const;
