// `rialto admin key` and `rialto admin session`: operators list and revoke people's keys and sessions.
import { Command } from 'commander';
import { accessPerson } from '../../../accounts/operators/access.ts';
import {
  endSessionsOf,
  revokeChatKeyOf,
  revokeTradingKey,
} from '../../../accounts/operators/people.ts';
import { PERMISSIONS } from '../../../accounts/trading-keys/key.ts';
import { listKeys, listKeysOf } from '../../../accounts/trading-keys/store.ts';
import type { Context } from '../../../platform/context.ts';
import { DAY_MS } from '../../../platform/std/time.ts';
import { readEnvironment } from '../../environment.ts';
import { asOperator } from '../../operator.ts';
import { CommandError } from '../../trouble.ts';
import { asProven, byOption, wholeOf, writes, type ByOption } from './acting.ts';
import { printFields, printRows, type OutputFields, type JsonOption } from './output.ts';

const KEYS_MAX = 1000;

type RevokeOptions = JsonOption & ByOption & { reason: string };

export function keyCommand(): Command {
  const key = new Command('key')
    .alias('keys')
    .description("look at people's keys and take them away");
  key
    .command('list')
    .description('list the trading keys of everybody, or of one person; secrets are never shown')
    .option('--email <address>', 'whose')
    .option('--permission <name>', `only those that may do this: ${PERMISSIONS.join(', ')}`)
    .option('--unused-days <n>', 'only those that were not used for so many days')
    .option('--json', 'print JSON')
    .action(list);
  writes(revoking(key.command('revoke')), ['trading_key revoke', 'trading_key delete'])
    .argument('[key]', 'such as svc_key_2b7e151628aed2a6')
    .description('take a trading key away for good; orders that it placed stay')
    .option('--email <address>', 'instead of one key: all keys of this person')
    .action(revoke);
  writes(revoking(key.command('revoke-chat')), ['chat_key revoke', 'chat_key regenerate'])
    .description(
      'make the chat key of a person or a bot worthless; its owner gets a new one by signing in',
    )
    .requiredOption('--email <address>', 'whose')
    .action((options: RevokeOptions & { email: string }) =>
      print(options, async (ctx) => ({
        ...(await revokeChatKeyOf(ctx, options)),
        status: 'revoked',
      })),
    );
  return key;
}

export function sessionCommand(): Command {
  const session = new Command('session').description('end the sessions of browsers');
  writes(revoking(session.command('end')), ['session end'])
    .description('sign a person out everywhere; keys stay')
    .requiredOption('--email <address>', 'whom')
    .action((options: RevokeOptions & { email: string }) =>
      print(options, async (ctx) => {
        const { email, sessions } = await endSessionsOf(ctx, options);
        return { email, status: 'signed out', sessions };
      }),
    );
  return session;
}

const revoking = (command: Command): Command =>
  command
    .requiredOption('--reason <text>', 'the reason; recorded in the audit log')
    .addOption(byOption())
    .option('--json', 'print JSON');

async function print(
  options: RevokeOptions,
  work: (ctx: Context) => Promise<OutputFields>,
): Promise<void> {
  printFields(options, await asProven(options, 'support', work));
}

async function revoke(
  keyId: string | undefined,
  options: RevokeOptions & { email?: string },
): Promise<void> {
  const { email, reason } = options;
  if ((keyId === undefined) === (email === undefined)) {
    throw new CommandError('Give either the key to revoke, or --email to revoke all of a person.');
  }
  if (keyId !== undefined) {
    return print(options, (ctx) => revoked(ctx, keyId, reason));
  }
  const rows = await asProven(options, 'support', async (ctx) => {
    const owner = await accessPerson(ctx.db, email ?? '');
    const all: OutputFields[] = [];
    for (const one of await listKeysOf(ctx.db, owner.id, KEYS_MAX)) {
      all.push(await revoked(ctx, one.keyId, reason));
    }
    return all;
  });
  printRows(options, rows, `${email ?? ''} has no trading key.`);
}

interface ListOptions extends JsonOption {
  email?: string;
  permission?: string;
  unusedDays?: string;
}

async function list(options: ListOptions): Promise<void> {
  const { email, permission } = options;
  if (permission !== undefined && !PERMISSIONS.some((known) => known === permission)) {
    throw new CommandError(`--permission must be one of ${PERMISSIONS.join(', ')}.`);
  }
  const unusedDays =
    options.unusedDays === undefined ? 0 : wholeOf('--unused-days', options.unusedDays);
  const keys = await asOperator(readEnvironment(), async (ctx) =>
    email === undefined
      ? listKeys(ctx.db, { limit: KEYS_MAX })
      : listKeysOf(ctx.db, (await accessPerson(ctx.db, email)).id, KEYS_MAX),
  );
  const quietSinceMs = Date.now() - unusedDays * DAY_MS;
  const asked = keys.filter(
    (key) =>
      (permission === undefined || key.permissions.includes(permission)) &&
      (unusedDays === 0 || (key.lastUsedAt ?? key.createdAt).getTime() < quietSinceMs),
  );
  const rows = asked.map((key) => ({
    key: key.keyId,
    owner: key.owner,
    label: key.label,
    account: String(key.accountId),
    permissions: key.permissions.join(','),
    addresses: key.ipAllowlist.join(','),
    usable: key.isUsable,
    made: key.createdAt.toISOString(),
    expires: key.expiresAt?.toISOString() ?? '',
    'last used': key.lastUsedAt?.toISOString() ?? '',
  }));
  const none = 'There is no such trading key.';
  printRows(options, rows, email === undefined ? none : `${email} has no such trading key.`);
  if (keys.length === KEYS_MAX) {
    console.error(`There may be more than ${KEYS_MAX} keys: look at one person's with --email.`);
  }
}

const revoked = async (ctx: Context, keyId: string, reason: string): Promise<OutputFields> => ({
  ...(await revokeTradingKey(ctx, { keyId, reason })),
  status: 'revoked',
});
