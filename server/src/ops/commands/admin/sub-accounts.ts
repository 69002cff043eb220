// `rialto admin sub-account`: the sub-accounts of a person.
import { Command } from 'commander';
import { accessPerson } from '../../../accounts/operators/access.ts';
import type { Context } from '../../../platform/context.ts';
import { describeFamily, accessMainAccount } from '../../../trading/sub-accounts/access.ts';
import { createSubAccount, parseLabel } from '../../../trading/sub-accounts/actions.ts';
import { readEnvironment } from '../../environment.ts';
import { asOperator } from '../../operator.ts';
import { asProven, byOption, writes, type ByOption } from './acting.ts';
import { printFields, printRows, type JsonOption, type OutputFields } from './output.ts';

export function subAccountCommand(): Command {
  const command = new Command('sub-account').description('open sub-accounts and list them');
  writes(command.command('create'), ['sub_account create'])
    .description('open a sub-account of a person; a label that is in use names the one that has it')
    .requiredOption('--email <address>', 'whose')
    .requiredOption('--label <text>', 'what its owner calls it')
    .addOption(byOption())
    .option('--json', 'print JSON')
    .action(async (options: CreateOptions) =>
      printFields(options, await asProven(options, 'support', (ctx) => create(ctx, options))),
    );
  command
    .command('list')
    .argument('<address>', 'whose')
    .description('list the accounts of a person, closed ones included')
    .option('--json', 'print JSON')
    .action(async (email: string, options: JsonOption) => {
      const rows = await asOperator(readEnvironment(), async (ctx) =>
        describeFamily(ctx.db, await accessPerson(ctx.db, email)),
      );
      printRows(options, rows, `${email} has no trading account.`);
    });
  return command;
}

interface CreateOptions extends JsonOption, ByOption {
  email: string;
  label: string;
}

async function create(ctx: Context, { email, label }: CreateOptions): Promise<OutputFields> {
  const person = await accessPerson(ctx.db, email);
  const id = await accessMainAccount(ctx.db, person);
  const head = { id, userId: person.id };
  const { account, isReplay } = await createSubAccount(ctx, head, parseLabel(label));
  return {
    account: String(account.id),
    parent: String(id),
    label: account.label,
    status: isReplay ? 'was there' : 'opened',
  };
}
