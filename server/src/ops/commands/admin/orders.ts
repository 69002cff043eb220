// `rialto admin order`: looks up an order of any account.
import { Command } from 'commander';
import type { Context } from '../../../platform/context.ts';
import { accessAccount } from '../../../trading/operators/access.ts';
import { describeOrder, type OrderKey } from '../../../trading/operators/order-lookup.ts';
import { readEnvironment } from '../../environment.ts';
import { asOperator } from '../../operator.ts';
import { CommandError } from '../../trouble.ts';
import { printFields, printRows, type JsonOption } from './output.ts';

interface ShowOptions extends JsonOption {
  account?: string;
  clientId?: string;
}

const ORDER_ID = /^[1-9][0-9]{0,15}$/;

export function orderCommand(): Command {
  const order = new Command('order').description('look at orders');
  order
    .command('show')
    .argument('[order]', 'its number; else give --account and --client-id')
    .description('print an order with its owner and its fills, as they were last projected')
    .option('--account <account>', "the account's number, or the address of its owner")
    .option('--client-id <id>', 'the id that the account gave it')
    .option('--json', 'print JSON')
    .action(async (id: string | undefined, options: ShowOptions) => {
      const found = await asOperator(readEnvironment(), async (ctx) =>
        describeOrder(ctx, await keyOf(ctx, id, options)),
      );
      if (options.json === true) {
        console.log(JSON.stringify(found));
        return;
      }
      const { order: fields, fills, journalSeq, ...rest } = found;
      printFields(options, { ...rest, ...readable(fields), journalSeq });
      console.log('');
      printRows(
        options,
        fills.map(({ tradeId, time, price, volume, total, fee, feeCurrency, isMaker }) => ({
          tradeId,
          time: isoTime(time),
          price,
          volume,
          total,
          fee: `${fee} ${feeCurrency}`,
          role: isMaker ? 'maker' : 'taker',
        })),
        'It has not traded.',
      );
    });
  return order;
}

async function keyOf(
  ctx: Context,
  id: string | undefined,
  { account, clientId }: ShowOptions,
): Promise<OrderKey> {
  if (id !== undefined && account === undefined && clientId === undefined) {
    if (ORDER_ID.test(id)) return { orderId: BigInt(id) };
    throw new CommandError(
      `"${id}" is no number of an order. For the id that an account gave it: --account and --client-id.`,
    );
  }
  if (id === undefined && account !== undefined && clientId !== undefined) {
    return { accountId: BigInt(await accessAccount(ctx.db, account)), clientOrderId: clientId };
  }
  throw new CommandError('Name the order by its number, or by --account and --client-id together.');
}

const TIMES = ['createdAt', 'updatedAt', 'lastTradeAt', 'triggeredAt', 'expireTime'] as const;

/** Without empty fields, and with readable times. */
function readable(order: Readonly<Record<string, string | boolean>>) {
  const isTime = (name: string) => TIMES.some((time) => time === name);
  return Object.fromEntries(
    Object.entries(order)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => [name, isTime(name) ? isoTime(String(value)) : value]),
  );
}

const isoTime = (ms: string): string => new Date(Number(ms)).toISOString();
