// Commands in transit: as an api node or an operator writes them, before the engine gives them a
// time. As text they are JSON; the few amounts in them are decimal texts of units of 10^-18.
import { CORE_VERSION, type Command, type OrderTerms } from '@rialto/matching';
import { randomHex } from '../../platform/std/ids.ts';

type WithoutTime<C> = C extends Command ? Omit<C, 'time'> : never;

/** A command without a time: the engine gives it one. */
export type NewCommand = WithoutTime<Command>;

/**
 * Commands that may come over the bus. All others reach the engine only as rows of
 * operator_commands.
 */
const CLIENT_COMMANDS = [
  'place',
  'place_batch',
  'place_list',
  'replace',
  'amend',
  'cancel',
  'cancel_batch',
  'cancel_all',
  'cancel_all_after',
  'test',
] as const satisfies readonly Command['type'][];
export type ClientCommand = Extract<NewCommand, { type: (typeof CLIENT_COMMANDS)[number] }>;

export const isForClients = (command: NewCommand): command is ClientCommand =>
  (CLIENT_COMMANDS as readonly string[]).includes(command.type);

export function encodeCommand(command: NewCommand): string {
  // Looking at every member costs five times the encoding itself, and almost no order has a total.
  return holdsAmount(command) ? JSON.stringify(command, bigintToText) : JSON.stringify(command);
}

function holdsAmount(command: NewCommand): boolean {
  switch (command.type) {
    case 'place':
    case 'test':
    case 'replace':
      return command.order.total !== undefined;
    case 'cancel':
    case 'cancel_batch':
    case 'cancel_all':
    case 'amend':
      return false;
    default:
      return true;
  }
}

function bigintToText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

/** Moves a journal to the rules of this release; the key is random, and the journal keeps it. */
export const upgradeText = (): string =>
  encodeCommand({ type: 'upgrade', version: CORE_VERSION, hashKey: randomHex(16) });

/**
 * Parses a command of the journal, or one whose shape was checked (`shapes.ts`), and gives it its
 * time.
 */
export function decodeCommand(text: string, time: number): Command {
  return reviveCommand(JSON.parse(text) as Command, time);
}

/** Gives a command parsed from JSON its amounts and its time. */
export function reviveCommand(command: Command, time: number): Command {
  command.time = time;
  switch (command.type) {
    case 'place':
    case 'test':
    case 'replace':
      reviveTotal(command.order);
      break;
    case 'place_batch':
      command.orders.forEach(reviveTotal);
      break;
    case 'place_list':
      if ('entry' in command.list) reviveTotal(command.list.entry);
      break;
    case 'request_withdrawal':
      command.fee = units(command.fee);
      command.amount = units(command.amount);
      break;
    case 'credit_deposit':
    case 'transfer':
    case 'adjust':
    case 'contribute_capital':
    case 'withdraw_capital':
    case 'reverse_deposit':
    case 'book_chain_cost':
      command.amount = units(command.amount);
      break;
    case 'create_market':
    case 'configure_market':
      command.config.minimumQuoteSize = units(command.config.minimumQuoteSize);
      command.config.maxMarketOrderBid = units(command.config.maxMarketOrderBid);
      break;
    default:
  }
  return command;
}

/** Has the type it will become: until here it is a text. */
const units = (text: bigint | string): bigint => BigInt(text);

function reviveTotal(order: OrderTerms): void {
  if (order.total !== undefined) order.total = units(order.total);
}
