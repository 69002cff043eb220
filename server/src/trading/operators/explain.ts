// Explains the core's answer to an operator in words.
import { REJECTIONS, SIMULATED_NETWORK, type Rejection } from '@rialto/matching';
import { formatAmount } from '../amount.ts';
import type { CommandRow } from './command-row.ts';

/** Amounts come back from the table as decimal texts of units. */
const units = (value: unknown): string => formatAmount(BigInt(String(value)));

export function explainRejection({ code, details }: Rejection): string {
  const of = (name: string): string => String(details[name]);
  switch (REJECTIONS[code]) {
    case 'PARAMETER_RANGE':
      return `The engine allows no such ${of('parameter')}: it is out of range.`;
    case 'PARAMETER_CONFLICT':
      return 'symbol' === of('parameter')
        ? 'There is such a market already, or its symbol is not base and quote put together.'
        : `The engine refuses ${of('parameter')}: it conflicts with what is there.`;
    case 'NOT_SUPPORTED':
      return `The engine does not support that ${of('parameter')} yet.`;
    case 'UNKNOWN_SYMBOL':
      return `No market has the symbol "${of('symbol')}".`;
    case 'UNKNOWN_COIN':
      return `No coin has the symbol "${of('coin')}"; add it first with \`rialto admin coin add\`.`;
    case 'UNKNOWN_NETWORK':
      return `The coin is not on the network ${of('network')}.`;
    case 'MARKET_CLOSED':
      if (details['sweeping'] === true) {
        return `The orders of ${of('symbol')} are being canceled; ask again when that is over.`;
      }
      return `The market ${of('symbol')} is ${of('phase')}, for good.`;
    case 'INSUFFICIENT_FUNDS':
      return (
        `The source has ${units(details['available'])} ${of('coin')}, and ${units(details['required'])} were asked for. ` +
        'Money is only ever moved, never made: fund the source first.'
      );
    case 'DEPOSIT_NOT_ACTIVE':
    case 'WITHDRAW_NOT_ACTIVE':
      return details['money'] === 'real'
        ? `This venue has real money: nothing comes in or goes out over the network ${of('network')}.`
        : `This venue has simulated money, which is only on the network ${SIMULATED_NETWORK}, not on ${of('network')}.`;
    case 'WITHDRAW_FINAL':
      return details['status'] === 'unknown'
        ? `There is no withdrawal ${of('withdrawalId')}.`
        : `The withdrawal ${of('withdrawalId')} is ${of('status')}, for good.`;
    case 'CLIENT_ID_CONFLICT':
      return `The id ${of('id')} was already used for a movement with other terms.`;
    case 'SUB_ACCOUNT_UNKNOWN':
      return `The engine knows no account ${of('account')}.`;
    default:
      return `The engine refused: ${REJECTIONS[code]} (${code}), ${JSON.stringify(details)}.`;
  }
}

function describeDone(result: CommandRow['result']): string {
  // Written by releases that had no other status for it.
  if (result?.kind === 'lookup_again') {
    return 'It was never carried out: the engine had forgotten its id. Ask for it again.';
  }
  if (result?.kind === 'moved' && result.replay) {
    return 'This movement had been made before; nothing moved now.';
  }
  if (result?.kind === 'canceled_all') {
    const done = `Done. Canceled orders: ${result.orderIds.length}.`;
    // Many orders end in steps; the answer contains the first step.
    return result.sweepId > 0 ? `${done} The rest follows within seconds.` : done;
  }
  return 'Done.';
}

/** One sentence about the status of a command. */
export function describeCommand(command: CommandRow): string {
  switch (command.status) {
    case 'done':
      return describeDone(command.result);
    case 'refused':
      return command.result?.kind === 'rejected'
        ? explainRejection(command.result.rejection)
        : 'The engine refused it.';
    case 'withdrawn':
      return 'It was retracted.';
    case 'awaiting_approval':
      return `A second operator must agree: rialto admin approve ${command.id} --by THEIR_ADDRESS`;
    case 'waiting':
      if (command.waitsFor === 'projection') {
        return (
          'The engine waits for the projections, which alone remember whether this was done before: see that ' +
          `a worker runs (rialto doctor); retract it with: rialto admin retract ${command.id} --by YOUR_ADDRESS`
        );
      }
      return (
        'No engine has taken it yet. It stays waiting and is carried out as soon as one runs ' +
        `(rialto serve); retract it with: rialto admin retract ${command.id} --by YOUR_ADDRESS`
      );
  }
}
