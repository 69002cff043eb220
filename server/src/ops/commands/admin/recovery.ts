// `rialto admin recovery`: lets a person in who has lost the password and every factor. It takes two operators.
import { Command } from 'commander';
import {
  approve,
  askRecovery,
  cancelRecovery,
  listAllRecoveries,
} from '../../../accounts/recoveries/actions.ts';
import { readEnvironment } from '../../environment.ts';
import { asOperator } from '../../operator.ts';
import { CommandError } from '../../trouble.ts';
import { asProven, byOption, writes, type ByOption } from './acting.ts';
import { printFields, printRows, type JsonOption } from './output.ts';

type Options = JsonOption & ByOption;

export function recoveryCommand(): Command {
  const recovery = new Command('recovery').description(
    'let somebody in who has lost the password and every factor; it takes two operators and days',
  );
  recovery
    .command('list')
    .description('print recoveries, those under way first')
    .option('--json', 'print JSON')
    .action((options: JsonOption) => list(options));
  asking(recovery.command('ask'), 'recovery ask')
    .description('ask to recover an account, as the first operator; the person gets an email')
    .requiredOption('--email <address>', 'whose account')
    .requiredOption('--reason <text>', 'how you know who the person is; recorded')
    .action(async (options: Options & { email: string; reason: string }) =>
      printFields(
        options,
        await asProven(options, 'support', async (ctx, by) => ({
          id: String(await askRecovery(ctx, by, options.email, options.reason)),
          status: 'asked',
          next: 'another operator approves it: rialto admin recovery approve ID',
        })),
      ),
    );
  asking(recovery.command('approve <id>'), 'recovery approve')
    .description('approve it, as the second operator; then the waiting time runs')
    .action(async (id: string, options: Options) =>
      printFields(
        options,
        await asProven(options, 'support', async (ctx, by) => ({
          id,
          status: 'waiting',
          until: (await approve(ctx, by, idOf(id))).toISOString(),
        })),
      ),
    );
  asking(recovery.command('cancel <id>'), 'recovery cancel')
    .description('end a recovery that is under way')
    .action(async (id: string, options: Options) => {
      await asProven(options, 'support', (ctx, by) => cancelRecovery(ctx, by, idOf(id)));
      printFields(options, { id, status: 'canceled' });
    });
  return recovery;
}

const asking = (
  command: Command,
  act: 'recovery ask' | 'recovery approve' | 'recovery cancel',
): Command => writes(command, [act]).addOption(byOption()).option('--json', 'print JSON');

async function list(options: JsonOption): Promise<void> {
  const rows = await asOperator(readEnvironment(), listAllRecoveries);
  printRows(
    options,
    rows.map((one) => ({
      id: String(one.id),
      email: one.email,
      state: one.state,
      asked_by: one.askedBy,
      asked_at: one.askedAt.toISOString(),
      approved_by: one.approvedBy,
      usable_at: one.usableAt?.toISOString() ?? '',
      expires_at: one.expiresAt.toISOString(),
      reason: one.reason,
    })),
    'There is no recovery.',
  );
}

function idOf(text: string): bigint {
  if (!/^[1-9]\d{0,17}$/.test(text)) {
    throw new CommandError(`The id of a recovery is a number, not "${text}".`);
  }
  return BigInt(text);
}
