// `rialto admin account` and `rialto admin fees`: settings of one trading account, and of all.
import { Command } from 'commander';
import { parseAmount } from '../../../trading/amount.ts';
import { defineFeeTier, setFamilyTier, unpinFamilyTier } from '../../../trading/fees/actions.ts';
import { accessAccount, describeAccount } from '../../../trading/operators/access.ts';
import { requestAct } from '../../../trading/operators/actions.ts';
import { cancelOrdersOf, resumeAccount, suspendAccount } from '../../../trading/operators/acts.ts';
import { readEnvironment } from '../../environment.ts';
import { asOperator } from '../../operator.ts';
import { CommandError } from '../../trouble.ts';
import {
  act,
  acting,
  asProven,
  byOption,
  wholeOf,
  writes,
  type ActOptions,
  type ByOption,
} from './acting.ts';
import { printFields, printRows, type JsonOption } from './output.ts';

const ACCOUNT = "the account's number, or the address of its owner";

export function accountCommand(): Command {
  const account = new Command('account').description('look at trading accounts and suspend them');
  acting(account.command('suspend').argument('<account>', ACCOUNT), 'account suspend')
    .description('refuse new orders, transfers and withdrawals of an account')
    .option('--keep-orders', 'leave its open orders in the books; else they are canceled')
    .requiredOption('--reason <text>', 'the reason; recorded in the audit log')
    .action((text: string, options: ActOptions & { keepOrders?: boolean; reason: string }) =>
      act(options, async (ctx, operator) => {
        const id = await accessAccount(ctx.db, text);
        const cancelOrders = options.keepOrders !== true;
        return requestAct(ctx, operator, suspendAccount(id, cancelOrders, options.reason));
      }),
    );
  acting(account.command('cancel-orders').argument('<account>', ACCOUNT), 'account cancel_orders')
    .description('cancel the open and waiting orders of an account; it may place new ones')
    .option('--symbol <symbol>', 'only in this market')
    .requiredOption('--reason <text>', 'the reason; recorded in the audit log')
    .action((text: string, options: ActOptions & { symbol?: string; reason: string }) =>
      act(options, async (ctx, operator) => {
        const id = await accessAccount(ctx.db, text);
        return requestAct(ctx, operator, cancelOrdersOf(id, options.symbol, options.reason));
      }),
    );
  acting(
    account.command('resume').alias('release').argument('<account>', ACCOUNT),
    'account resume',
  )
    .description('give a suspended account its rights back')
    .requiredOption('--reason <text>', 'the reason; recorded in the audit log')
    .action((text: string, options: ActOptions & { reason: string }) =>
      act(options, async (ctx, operator) => {
        const id = await accessAccount(ctx.db, text);
        return requestAct(ctx, operator, resumeAccount(id, options.reason));
      }),
    );
  account
    .command('show')
    .argument('<account>', ACCOUNT)
    .description('print an account and its balances, as they were last projected')
    .option('--json', 'print JSON')
    .action(async (text: string, options: JsonOption) => {
      const { balances, ...fields } = await asOperator(readEnvironment(), async (ctx) =>
        describeAccount(ctx.db, await accessAccount(ctx.db, text)),
      );
      if (options.json === true) {
        console.log(JSON.stringify({ ...fields, balances }));
        return;
      }
      printFields(options, fields);
      console.log('');
      printRows(options, balances, 'It has no money.');
    });
  return account;
}

interface TierOptions extends ActOptions {
  maker: string;
  taker: string;
  minVolume: string;
}

export function feesCommand(): Command {
  const fees = new Command('fees').description('define fee tiers and put accounts into them');
  acting(
    fees.command('define').argument('<tier>', 'from 0, in which every account starts'),
    'fees define',
  )
    .description('define the rates of a tier, or change them')
    .requiredOption('--maker <percent>', 'what a resting order pays; below zero a rebate')
    .requiredOption('--taker <percent>', 'what a taking order pays')
    .option('--min-volume <decimal>', '30-day volume from which it applies', '0')
    .action((tier: string, options: TierOptions) =>
      act(options, (ctx, operator) => {
        const minVolume30d = parseAmount(options.minVolume);
        if (minVolume30d === undefined) {
          throw new CommandError(
            `--min-volume must be a decimal number, not "${options.minVolume}".`,
          );
        }
        return defineFeeTier(ctx, operator, {
          tier: wholeOf('The tier', tier),
          makerMillionths: millionthsOf('--maker', options.maker),
          takerMillionths: millionthsOf('--taker', options.taker),
          minVolume30d,
        });
      }),
    );
  acting(
    fees.command('set-tier').argument('<account>', ACCOUNT).argument('<tier>'),
    'fees set_tier',
  )
    .description('put an account and its family into a tier, until the next fee day (00:00 UTC)')
    .action((text: string, tier: string, options: ActOptions) =>
      act(options, async (ctx, operator) =>
        setFamilyTier(ctx, operator, {
          account: await accessAccount(ctx.db, text),
          tier: wholeOf('The tier', tier),
          isPinned: false,
          reason: '',
        }),
      ),
    );
  acting(fees.command('pin').argument('<account>', ACCOUNT).argument('<tier>'), 'fees pin')
    .description('put an account and its family into a tier that fee days leave alone')
    .requiredOption('--reason <text>', 'the reason; recorded in the audit log')
    .action((text: string, tier: string, options: ActOptions & { reason: string }) =>
      act(options, async (ctx, operator) =>
        setFamilyTier(ctx, operator, {
          account: await accessAccount(ctx.db, text),
          tier: wholeOf('The tier', tier),
          isPinned: true,
          reason: options.reason,
        }),
      ),
    );
  writes(fees.command('unpin').argument('<account>', ACCOUNT), ['fees unpin'])
    .description('let the volume decide again, from the next fee day on')
    .requiredOption('--reason <text>', 'the reason; recorded in the audit log')
    .addOption(byOption())
    .option('--json', 'print JSON')
    .action(async (text: string, options: ByOption & JsonOption & { reason: string }) =>
      printFields(
        options,
        await asProven(options, 'markets', async (ctx) => {
          const id = await accessAccount(ctx.db, text);
          const { family, wasPinned } = await unpinFamilyTier(ctx, id, options.reason);
          return { account: String(family), status: wasPinned ? 'unpinned' : 'was not pinned' };
        }),
      ),
    );
  return fees;
}

const PERCENT = /^(-?)(\d{1,3})(?:\.(\d{1,4}))?$/;

/** Per cent with at most four decimals, which is exact in millionths. */
function millionthsOf(flag: string, text: string): number {
  const match = PERCENT.exec(text);
  if (match === null) {
    throw new CommandError(
      `${flag} must be per cent with at most four decimals, such as 0.15, not "${text}".`,
    );
  }
  const [, sign = '', whole = '', fraction = ''] = match;
  return Number(`${sign}${whole}${fraction.padEnd(4, '0')}`);
}
