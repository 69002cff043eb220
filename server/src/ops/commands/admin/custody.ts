// `rialto admin custody`: networks, payments and withdrawals of real coins. The chains are reached by the role custody alone:
// these commands write down what it does next.
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import type { ActName } from '../../../accounts/audit/acts.ts';
import type { Operator } from '../../../accounts/operators/operator.ts';
import type { Context } from '../../../platform/context.ts';
import { formatAmount } from '../../../trading/amount.ts';
import {
  pauseNetwork,
  rescanNetwork,
  resumeNetwork,
  sweepNetwork,
} from '../../../trading/custody/operators/networks.ts';
import {
  bumpPayment,
  listPaymentsUnderWay,
  resolvePayment,
  WAYS,
} from '../../../trading/custody/operators/payments.ts';
import { addSignature, readSignRequest } from '../../../trading/custody/operators/signatures.ts';
import { listTiers } from '../../../trading/custody/operators/tiers.ts';
import { formatFine } from '../../../trading/custody/reconciliation/difference.ts';
import { listNetworks } from '../../../trading/custody/watch/access.ts';
import {
  approveWithdrawal,
  listAwaiting,
  rejectWithdrawal,
  type AwaitingWithdrawal,
} from '../../../trading/custody/withdrawals/approvals.ts';
import { readEnvironment } from '../../environment.ts';
import { asOperator } from '../../operator.ts';
import { CommandError } from '../../trouble.ts';
import { asProven, byOption, wholeOf, writes, type ByOption } from './acting.ts';
import { addColdCommands } from './custody-cold.ts';
import { paymentIdOf, withdrawalIdOf } from './custody-ids.ts';
import { printFields, printRows, type JsonOption } from './output.ts';
import { addReserveCommands } from './custody-reserves.ts';

type Options = JsonOption & ByOption;
type Reasoned = Options & { readonly reason: string };

const REASON = ['--reason <text>', 'why; recorded in the audit log'] as const;
/** Of the file with a signature. */
const SIGNATURE_CHARACTERS_MAX = 1000;

export function custodyCommand(): Command {
  const custody = new Command('custody').description(
    'look after networks, withdrawals and payments of real coins',
  );
  addStatus(custody);
  addNetworkCommands(custody);
  addWithdrawalCommands(custody);
  addPaymentCommands(custody);
  addColdCommands(custody);
  addReserveCommands(custody);
  return custody;
}

const doing = (command: Command, act: ActName): Command =>
  writes(command, [act]).addOption(byOption()).option('--json', 'print JSON');

/** Runs it for an operator with the grant, and prints what came of it. */
const run = async (
  options: Options,
  work: (ctx: Context, by: Operator) => Promise<Record<string, string>>,
): Promise<void> => printFields(options, await asProven(options, 'treasury', work));

function addStatus(custody: Command): void {
  custody
    .command('status')
    .description(
      'print networks, hot wallets, withdrawals that wait for operators, and payments under way',
    )
    .option('--json', 'print JSON')
    .action(async (options: JsonOption) => {
      const { networks, tiers, awaiting, payments } = await asOperator(
        readEnvironment(),
        async (ctx) => ({
          networks: await listNetworks(ctx.db),
          tiers: await listTiers(ctx),
          awaiting: await listAwaiting(ctx),
          payments: await listPaymentsUnderWay(ctx),
        }),
      );
      const rows = [
        ...networks.map(({ network, status, reason, heldReason, scanned, tip, rescanFrom }) => ({
          what: `network ${network}`,
          state: status,
          reason: [reason, heldReason].filter((one) => one !== '').join(': '),
          details:
            `block ${scanned.height} of ${tip.height}` +
            (rescanFrom === null ? '' : `, reads again from ${rescanFrom}`),
        })),
        ...tiers.map(({ network, coin, hot, bounds, state }) => ({
          what: `hot wallet ${network} ${coin}`,
          state,
          reason: '',
          details:
            (hot === undefined ? 'not measured' : `has ${formatFine(hot.amount)}`) +
            (bounds === undefined
              ? ''
              : `, floor ${bounds.floor}, target ${bounds.target}, ceiling ${bounds.ceiling}`),
        })),
        ...awaiting.map(({ row, approvals }) => ({
          what: `withdrawal W${row.withdrawId}`,
          state: row.status,
          reason: row.statusReason,
          details: `${formatAmount(row.amount)} ${row.coin} to ${row.address}, ${approvals} of ${row.approvalsNeeded} approvals`,
        })),
        ...payments.map((payment) => ({
          what: `payment P${payment.paymentId}`,
          state: payment.state,
          reason: payment.reason,
          details: `${payment.kind} on ${payment.network}, ${payment.withdrawIds.length} withdrawals, ${payment.signatures} signatures, ${payment.txid ?? 'not signed'}`,
        })),
      ];
      printRows(options, rows, 'Custody has seen no network.');
    });
}

function addNetworkCommands(custody: Command): void {
  doing(custody.command('pause <network>'), 'custody pause')
    .description('credit and begin nothing on a network until `resume`')
    .requiredOption(...REASON)
    .action((network: string, options: Reasoned) =>
      run(options, async (ctx, by) => {
        await pauseNetwork(ctx, by, network, options.reason);
        return { network, state: 'paused' };
      }),
    );
  doing(custody.command('resume <network>'), 'custody resume')
    .description('end a pause of operators; what the watcher finds wrong still pauses it')
    .option(...REASON)
    .action((network: string, options: Options & Partial<Reasoned>) =>
      run(options, async (ctx, by) => {
        await resumeNetwork(ctx, by, network, options.reason);
        return { network, state: 'resumed' };
      }),
    );
  doing(custody.command('rescan <network>'), 'custody rescan')
    .description(
      'read blocks again, for transfers that were not recorded; nothing is credited twice',
    )
    .requiredOption('--from <height>', 'the first block')
    .option(
      '--addresses <count>',
      'after the loss of a database: look also at so many further addresses of the key, which belong to no account',
      '0',
    )
    .action((network: string, options: Options & { readonly from: string; addresses: string }) =>
      run(options, async (ctx, by) => {
        const from = wholeOf('--from', options.from);
        const addresses = wholeOf('--addresses', options.addresses);
        await rescanNetwork(ctx, by, network, { from, addresses });
        return { network, state: `reads again from ${from}`, addresses: String(addresses) };
      }),
    );
  doing(custody.command('sweep <network>'), 'custody sweep')
    .description(
      'fetch everything from deposit addresses into the hot wallet, however little (EVM)',
    )
    .action((network: string, options: Options) =>
      run(options, async (ctx, by) => {
        await sweepNetwork(ctx, by, network);
        return { network, state: 'asked' };
      }),
    );
}

const fieldsOf = ({ row, approvals }: AwaitingWithdrawal) => ({
  withdrawal: `W${row.withdrawId}`,
  state: row.status,
  approvals: `${approvals} of ${row.approvalsNeeded}`,
});

function addWithdrawalCommands(custody: Command): void {
  doing(custody.command('approve <withdrawal>'), 'withdrawal approve')
    .description('approve a withdrawal; it leaves with the last approval that it needs')
    .action((text: string, options: Options) =>
      run(options, async (ctx, by) =>
        fieldsOf(await approveWithdrawal(ctx, by, withdrawalIdOf(text))),
      ),
    );
  doing(custody.command('reject <withdrawal>'), 'withdrawal reject')
    .description('give a withdrawal that is not signed yet back to its account')
    .requiredOption(...REASON)
    .action((text: string, options: Reasoned) =>
      run(options, async (ctx, by) =>
        fieldsOf(await rejectWithdrawal(ctx, by, withdrawalIdOf(text), options.reason)),
      ),
    );
}

function addPaymentCommands(custody: Command): void {
  doing(custody.command('bump <payment>'), 'custody bump')
    .description('pay a higher fee for a payment now, within the limits of the network')
    .action((text: string, options: Options) =>
      run(options, async (ctx, by) => {
        await bumpPayment(ctx, by, paymentIdOf(text));
        return { payment: text, state: 'asked' };
      }),
    );
  doing(custody.command('resolve <payment>'), 'custody resolve')
    .description(
      'end a payment that does not go on. retry: ask the signer again. void: spend what it would spend for nobody, and give the amounts back. drop: the same where nothing was signed. void and drop take two operators',
    )
    .requiredOption('--way <way>', WAYS.join(', '))
    .requiredOption(...REASON)
    .action((text: string, options: Reasoned & { readonly way: string }) =>
      run(options, async (ctx, by) => {
        const way = WAYS.find((one) => one === options.way);
        if (way === undefined) {
          throw new CommandError(`--way is one of ${WAYS.join(', ')}, not "${options.way}".`);
        }
        const { isDone } = await resolvePayment(ctx, by, paymentIdOf(text), way, options.reason);
        const state = isDone ? 'decided' : 'another operator must run the same command';
        return { payment: text, way, state };
      }),
    );
  custody
    .command('request <payment>')
    .description('print what operators sign with `rialto signer approve`, on machines of their own')
    .action(async (text: string) => {
      const id = paymentIdOf(text);
      console.log(await asOperator(readEnvironment(), (ctx) => readSignRequest(ctx, id)));
    });
  doing(custody.command('sign <payment>'), 'custody sign')
    .description('bring a signature that `rialto signer approve` printed')
    .requiredOption('--signature <file>', 'what it printed')
    .action((text: string, options: Options & { readonly signature: string }) =>
      run(options, async (ctx, by) => {
        const count = await addSignature(
          ctx,
          by,
          paymentIdOf(text),
          readSignature(options.signature),
        );
        return { payment: text, signatures: String(count) };
      }),
    );
}

function readSignature(file: string): { key: string; signature: string } {
  const text = readFileSync(file, 'utf8').slice(0, SIGNATURE_CHARACTERS_MAX);
  try {
    const { key, signature } = JSON.parse(text) as Record<string, unknown>;
    if (typeof key === 'string' && typeof signature === 'string') return { key, signature };
  } catch {
    // What follows says it.
  }
  throw new CommandError(`${file} is not what \`rialto signer approve\` prints.`);
}
