// `rialto admin sign-in`: shows how many sign-in attempts a name or an address has left, and resets them.
import { Command } from 'commander';
import ipaddr from 'ipaddr.js';
import { unbindAccount } from '../../../accounts/ldap/identity.ts';
import {
  clearAddress,
  clearName,
  countTriesLeft,
  describeName,
  type Clearer,
} from '../../../accounts/sign-in/operators.ts';
import type { Operator } from '../../../accounts/operators/operator.ts';
import { accessUser } from '../../../accounts/users/access.ts';
import type { Context } from '../../../platform/context.ts';
import { limitKeyOf } from '../../../platform/http/address.ts';
import { readEnvironment } from '../../environment.ts';
import { asOperator } from '../../operator.ts';
import { CommandError } from '../../trouble.ts';
import { asProven, byOption, writes, type ByOption } from './acting.ts';
import { printFields, type JsonOption } from './output.ts';

const NAME_CHARACTERS_MAX = 254;

interface WhatOptions extends JsonOption {
  email?: string;
  address?: string;
}
type ClearOptions = WhatOptions & ByOption;
type UnbindOptions = JsonOption & ByOption & { email: string };

export function signInCommand(): Command {
  const signIn = new Command('sign-in').description(
    'look at how often somebody may still try to sign in, and give tries back',
  );
  about(signIn.command('show'))
    .description('print what a name or an address has left; it changes nothing')
    .action((options: WhatOptions) => print(options, (ctx) => show(ctx, options)));
  about(writes(signIn.command('clear'), ['sign_in clear']))
    .description('give a name or an address all its tries back; known browsers stay known')
    .addOption(byOption())
    .action(async (options: ClearOptions) =>
      printFields(
        options,
        await asProven(options, 'support', (ctx, by) => clear(ctx, toClearer(by), options)),
      ),
    );
  writes(signIn.command('unbind'), ['sign_in unbind'])
    .description(
      "let an account be joined to the directory's entry with its address, whichever entry that is now",
    )
    .requiredOption('--email <address>', 'whose account')
    .addOption(byOption())
    .option('--json', 'print JSON')
    .action(async (options: UnbindOptions) =>
      printFields(
        options,
        await asProven(options, 'support', (ctx, by) => unbind(ctx, toClearer(by), options)),
      ),
    );
  return signIn;
}

async function unbind(ctx: Context, by: Clearer, { email }: UnbindOptions): Promise<Fields> {
  const user = await accessUser(ctx.db, email);
  const wasBound = await unbindAccount(ctx, by, user);
  return { email: user.email, status: wasBound ? 'unbound' : 'was not bound' };
}

const about = (command: Command): Command =>
  command
    .option('--email <address>', 'the name that people sign in with')
    .option('--address <address>', 'the network address that they come from')
    .option('--json', 'print JSON');

type Fields = Readonly<Record<string, string | number>>;

async function show(ctx: Context, options: WhatOptions): Promise<Fields> {
  const what = whatOf(options);
  if (what.kind === 'address') {
    return { address: what.text, tries_left: await countTriesLeft(ctx, what.text) };
  }
  const state = await describeName(ctx, what.text);
  return {
    email: what.text,
    tries_left: state.triesLeft,
    failures_in_a_row: state.failuresInARow,
    closed: state.isClosed ? 'yes' : 'no',
    known_browsers: state.knownDevices,
    known_addresses: state.knownAddresses.join(' '),
  };
}

async function clear(ctx: Context, by: Clearer, options: WhatOptions): Promise<Fields> {
  const what = whatOf(options);
  const count =
    what.kind === 'address'
      ? await clearAddress(ctx, by, what.text)
      : await clearName(ctx, by, what.text);
  return { [what.kind]: what.text, cleared: count };
}

const toClearer = ({ email, via }: Operator): Clearer => ({ operator: email, via });

type What = { readonly kind: 'email' | 'address'; readonly text: string };

function whatOf({ email, address }: WhatOptions): What {
  if ((email === undefined) === (address === undefined)) {
    throw new CommandError('Give either --email or --address.');
  }
  if (address !== undefined) {
    if (!ipaddr.isValid(address)) {
      throw new CommandError(`--address must be an address such as 203.0.113.7, not "${address}".`);
    }
    return { kind: 'address', text: limitKeyOf(ipaddr.process(address).toString()) };
  }
  const text = (email ?? '').trim();
  // Not only addresses: people of a directory also sign in with their name there.
  if (text === '' || text.length > NAME_CHARACTERS_MAX) {
    throw new CommandError(`--email must be what somebody signs in with, not "${text}".`);
  }
  return { kind: 'email', text };
}

async function print(options: JsonOption, work: (ctx: Context) => Promise<Fields>): Promise<void> {
  printFields(options, await asOperator(readEnvironment(), work));
}
