// `rialto admin key` and `rialto admin session`: what somebody gets in with, looked at and taken away by operators.
import { Command } from 'commander';
import { replaceChatKeyIn } from '../../../accounts/chat-keys/actions.ts';
import { accessPerson } from '../../../accounts/operators/access.ts';
import { endSessionsIn } from '../../../accounts/sessions/actions.ts';
import { deleteTradingKey } from '../../../accounts/trading-keys/actions.ts';
import { findKeyOwner, listKeysOf } from '../../../accounts/trading-keys/store.ts';
import type { Context } from '../../../platform/context.ts';
import { readEnvironment } from '../../environment.ts';
import { asOperator } from '../../operator.ts';
import { CommandError } from '../../trouble.ts';
import { asProven, byOption, noted, writes, type ByOption } from './acting.ts';
import { printFields, printRows, type Fields, type JsonOption } from './output.ts';

const KEYS_MAX = 1000;

type RevokeOptions = JsonOption & ByOption & { reason: string };

export function keyCommand(): Command {
  const key = new Command('key').description("look at people's keys and take them away");
  key
    .command('list')
    .description("list the trading keys of a person's account; secrets are never shown")
    .requiredOption('--email <address>', 'whose')
    .option('--json', 'print JSON')
    .action(list);
  writes(revoking(key.command('revoke')), ['trading_key revoke', 'trading_key delete'])
    .argument('<key>', 'such as svc_key_2b7e151628aed2a6')
    .description('take a trading key away for good; orders that it placed stay')
    .action((keyId: string, options: RevokeOptions) =>
      print(options, (ctx) => revokeTradingKey(ctx, keyId, options.reason)),
    );
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
    .requiredOption('--reason <text>', 'why; it is written down')
    .addOption(byOption().makeOptionMandatory())
    .option('--json', 'print JSON');

async function print(
  options: RevokeOptions,
  work: (ctx: Context) => Promise<Fields>,
): Promise<void> {
  printFields(options, await asProven(options, work));
}

async function list(options: JsonOption & { email: string }): Promise<void> {
  const keys = await asOperator(readEnvironment(), async (ctx) =>
    listKeysOf(ctx.db, (await accessPerson(ctx.db, options.email)).id, KEYS_MAX),
  );
  const rows = keys.map((key) => ({
    key: key.keyId,
    label: key.label,
    account: String(key.accountId),
    permissions: key.permissions.join(','),
    addresses: key.ipAllowlist.join(','),
    usable: key.isEnabled,
    made: key.createdAt.toISOString(),
    expires: key.expiresAt?.toISOString() ?? '',
    'last used': key.lastUsedAt?.toISOString() ?? '',
  }));
  printRows(options, rows, `${options.email} has no trading key.`);
}

async function revokeTradingKey(ctx: Context, keyId: string, reason: string): Promise<Fields> {
  const owner = await findKeyOwner(ctx.db, keyId);
  if (owner === undefined) {
    throw new CommandError(
      `There is no trading key ${keyId}. \`rialto admin key list --email ADDRESS\` shows those of a person.`,
    );
  }
  const details = { owner: owner.email, account: String(owner.accountId), reason };
  // Every request reads its key anew, so from the commit on the key is refused everywhere.
  await deleteTradingKey(noted(ctx, 'trading_key revoke', keyId, details), keyId);
  return { key: keyId, owner: owner.email, status: 'revoked' };
}

async function revokeChatKey(
  ctx: Context,
  { email, reason }: { email: string; reason: string },
): Promise<Fields> {
  const person = await accessPerson(ctx.db, email);
  const noting = noted(ctx, 'chat_key revoke', person.email, { reason });
  // Nobody is shown the new one: its owner asks for it.
  await noting.inTransaction((tx) => replaceChatKeyIn(ctx, tx, person));
  return { email: person.email, status: 'revoked' };
}

async function endSessions(
  ctx: Context,
  { email, reason }: { email: string; reason: string },
): Promise<Fields> {
  const person = await accessPerson(ctx.db, email);
  const ended = await ctx.inTransaction((tx) =>
    endSessionsIn(tx, person, `ended by an operator: ${reason}`),
  );
  return { email: person.email, status: 'signed out', sessions: ended };
}
