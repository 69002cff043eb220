// `rialto admin key` and `rialto admin session`: operators list and revoke people's keys and sessions.
import { Command } from 'commander';
import { replaceChatKeyIn } from '../../../accounts/chat-keys/actions.ts';
import { accessPerson } from '../../../accounts/operators/access.ts';
import { endSessionsIn } from '../../../accounts/sessions/actions.ts';
import { deleteTradingKey } from '../../../accounts/trading-keys/actions.ts';
import { PERMISSIONS } from '../../../accounts/trading-keys/key.ts';
import { findTradingKeyOwner, listKeys, listKeysOf } from '../../../accounts/trading-keys/store.ts';
import type { Context } from '../../../platform/context.ts';
import { DAY_MS } from '../../../platform/std/time.ts';
import { readEnvironment } from '../../environment.ts';
import { asOperator } from '../../operator.ts';
import { CommandError } from '../../trouble.ts';
import { asProven, byOption, noted, wholeOf, writes, type ByOption } from './acting.ts';
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
      print(options, (ctx) => revokeChatKey(ctx, options)),
    );
  return key;
}

export function sessionCommand(): Command {
  const session = new Command('session').description('end the sessions of browsers');
  writes(revoking(session.command('end')), ['session end'])
    .description('sign a person out everywhere; keys stay')
    .requiredOption('--email <address>', 'whom')
    .action((options: RevokeOptions & { email: string }) =>
      print(options, (ctx) => endSessions(ctx, options)),
    );
  return session;
}

const revoking = (command: Command): Command =>
  command
    .requiredOption('--reason <text>', 'the reason; recorded in the audit log')
    .addOption(byOption().makeOptionMandatory())
    .option('--json', 'print JSON');

async function print(
  options: RevokeOptions,
  work: (ctx: Context) => Promise<OutputFields>,
): Promise<void> {
  printFields(options, await asProven(options, work));
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
    return print(options, (ctx) => revokeTradingKey(ctx, keyId, reason));
  }
  const rows = await asProven(options, async (ctx) => {
    const owner = await accessPerson(ctx.db, email ?? '');
    const revoked: OutputFields[] = [];
    for (const one of await listKeysOf(ctx.db, owner.id, KEYS_MAX)) {
      revoked.push(await revokeTradingKey(ctx, one.keyId, reason));
    }
    return revoked;
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

async function revokeTradingKey(
  ctx: Context,
  keyId: string,
  reason: string,
): Promise<OutputFields> {
  const owner = await findTradingKeyOwner(ctx.db, keyId);
  if (owner === undefined) {
    throw new CommandError(
      `There is no trading key ${keyId}. \`rialto admin key list --email ADDRESS\` shows those of a person.`,
    );
  }
  const details = { owner: owner.email, account: String(owner.accountId), reason };
  // Every request loads its key, so from the commit on the key is refused everywhere.
  await deleteTradingKey(noted(ctx, 'trading_key revoke', keyId, details), keyId);
  return { key: keyId, owner: owner.email, status: 'revoked' };
}

async function revokeChatKey(
  ctx: Context,
  { email, reason }: { email: string; reason: string },
): Promise<OutputFields> {
  const person = await accessPerson(ctx.db, email);
  const noting = noted(ctx, 'chat_key revoke', person.email, { reason });
  // The new one is shown to nobody here: its owner asks for it.
  await noting.inTransaction((tx) => replaceChatKeyIn(ctx, tx, person));
  return { email: person.email, status: 'revoked' };
}

async function endSessions(
  ctx: Context,
  { email, reason }: { email: string; reason: string },
): Promise<OutputFields> {
  const person = await accessPerson(ctx.db, email);
  const ended = await ctx.inTransaction((tx) =>
    endSessionsIn(tx, person, `ended by an operator: ${reason}`),
  );
  return { email: person.email, status: 'signed out', sessions: ended };
}
