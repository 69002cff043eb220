// `rialto admin ledger`: moves money by hand, which takes two operators; and approves, retracts and lists waiting
// commands.
import { Command } from 'commander';
import type { OwnerRef } from '@rialto/matching';
import type { Context } from '../../../platform/context.ts';
import { randomHex } from '../../../platform/std/ids.ts';
import { bookCapital, simulateDeposit } from '../../../trading/custody/actions.ts';
import { accessAccount, listOpenCommands } from '../../../trading/operators/access.ts';
import { approveCommand, requestAct, withdrawCommand } from '../../../trading/operators/actions.ts';
import { adjustLedger } from '../../../trading/operators/acts.ts';
import { readEnvironment } from '../../environment.ts';
import { CommandError } from '../../trouble.ts';
import { asOperator } from '../../operator.ts';
import { act, acting, actOn, type ActOptions } from './acting.ts';
import { printRows, type JsonOption } from './output.ts';

const VENUE_OWNERS = ['adjustments', 'capital', 'fees', 'suspense'] as const;
const OWNER = `${VENUE_OWNERS.join(', ')}, an account's number or its owner's address`;
const PENDING_MAX = 200;

interface CreditOptions extends ActOptions {
  from: string;
  to: string;
  coin: string;
  amount: string;
  reason: string;
  id?: string;
}

export function ledgerCommand(): Command {
  const ledger = new Command('ledger').description('move money by hand');
  acting(ledger.command('credit'), 'ledger credit')
    .description('ask to move money from a funded account to another; a second operator must agree')
    .requiredOption('--to <account>', OWNER)
    .requiredOption('--coin <symbol>', 'which coin')
    .requiredOption('--amount <decimal>', 'how much, in whole coins')
    .requiredOption('--reason <text>', 'the reason; recorded in the audit log')
    .option('--from <account>', OWNER, 'adjustments')
    .option('--id <id>', 'makes the movement itself: the same id never moves money twice')
    .action((options: CreditOptions) =>
      act(options, async (ctx, operator) => {
        const { coin, amount, reason, id = `adj-${randomHex(8)}` } = options;
        const from = await ownerOf(ctx, options.from);
        const to = await ownerOf(ctx, options.to);
        const adjustment = adjustLedger({ id, from, to, coin, amount, reason });
        return requestAct(ctx, operator, adjustment);
      }),
    );
  acting(capitalOptions(ledger.command('contribute')), 'ledger contribute')
    .description(
      'book capital that came into custody from outside; a second operator must agree, having seen it there',
    )
    .action((options: CapitalOptions) =>
      act(options, (ctx, operator) => bookCapital(ctx, operator, 'in', toCapital(options))),
    );
  acting(capitalOptions(ledger.command('take-out')), 'ledger take_out')
    .description('book capital that left custody for its owners; a second operator must agree')
    .action((options: CapitalOptions) =>
      act(options, (ctx, operator) => bookCapital(ctx, operator, 'out', toCapital(options))),
    );
  acting(ledger.command('deposit'), 'ledger deposit')
    .description('deposit out of nothing, where money is simulated (MONEY=simulated)')
    .requiredOption('--to <account>', "adjustments, suspense, an account's number or its owner")
    .requiredOption('--coin <symbol>', 'which coin')
    .requiredOption('--amount <decimal>', 'how much, in whole coins')
    .action((options: ActOptions & { to: string; coin: string; amount: string }) =>
      act(options, async (ctx, operator) => {
        const to = await ownerOf(ctx, options.to);
        return simulateDeposit(ctx, operator, { to, coin: options.coin, amount: options.amount });
      }),
    );
  return ledger;
}

interface CapitalOptions extends ActOptions {
  coin: string;
  network: string;
  amount: string;
  reason: string;
  id?: string;
}

const capitalOptions = (command: Command): Command =>
  command
    .requiredOption('--coin <symbol>', 'which coin')
    .requiredOption('--network <name>', 'over which of its networks')
    .requiredOption('--amount <decimal>', 'how much, in whole coins')
    .requiredOption('--reason <text>', 'why, and where it can be seen; recorded in the audit log')
    .option(
      '--id <id>',
      'makes the movement itself, such as the id of the transaction: it is booked once',
    );

const toCapital = ({ id = `capital-${randomHex(8)}`, ...options }: CapitalOptions) => ({
  ...options,
  id,
});

async function ownerOf(ctx: Context, text: string): Promise<OwnerRef> {
  return VENUE_OWNERS.find((owner) => owner === text) ?? (await accessAccount(ctx.db, text));
}

export function approveCommandLine(): Command {
  return acting(new Command('approve').argument('<command>', 'its number'), 'approve')
    .description('agree to what another operator asked for')
    .action((text: string, options: ActOptions) =>
      actOn(options, text, (ctx, operator, id) => approveCommand(ctx, operator, id)),
    );
}

/** Its act keeps the name that earlier releases wrote into the log. */
export function retractCommandLine(): Command {
  return acting(new Command('retract').argument('<command>', 'its number'), 'withdraw')
    .description('take back a command that still waits; no coins move')
    .action((text: string, options: ActOptions) =>
      actOn(options, text, (ctx, operator, id) => withdrawCommand(ctx, operator, id)),
    );
}

/** The old name sounds like coins that leave the venue. */
export function withdrawCommandLine(): Command {
  return new Command('withdraw')
    .argument('[command...]')
    .allowUnknownOption()
    .helpOption(false)
    .action(([number = 'NUMBER']: string[]) => {
      throw new CommandError(
        '`rialto admin withdraw` is called `rialto admin retract` now: it takes back a command that still waits, and moves no coins. ' +
          `Nothing was done. Run: rialto admin retract ${/^\d{1,18}$/.test(number) ? number : 'NUMBER'} --by YOUR_ADDRESS`,
      );
    });
}

export function pendingCommandLine(): Command {
  return new Command('pending')
    .description('list commands that wait for an approval or for the engine')
    .option('--json', 'print JSON')
    .action(async (options: JsonOption) => {
      const open = await asOperator(readEnvironment(), (ctx) =>
        listOpenCommands(ctx.db, PENDING_MAX),
      );
      const rows = open.map((command) => ({
        command: Number(command.id),
        status: command.status,
        act: command.act,
        subject: command.subject,
        by: command.requestedBy,
        since: command.createdAt.toISOString(),
        'waits for': command.waitsFor,
        reason: command.reason,
      }));
      printRows(options, rows, 'Nothing waits.');
    });
}
