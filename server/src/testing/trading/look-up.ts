// Lets drawn commands look up their ids as a real caller does.
import type { Command } from '@rialto/matching';

/** Ids that commands bring along, each unique for ever in its scope. */
function idsOf(command: Command): string[] {
  switch (command.type) {
    case 'place':
    case 'place_batch': {
      const orders = command.type === 'place' ? [command.order] : command.orders;
      return orders.flatMap(({ clientOrderId: id = '' }) =>
        id === '' ? [] : [`o ${command.account} ${id}`],
      );
    }
    case 'credit_deposit':
      return [`d ${command.network} ${command.depositId}`];
    case 'request_withdrawal':
      return [`w ${command.withdrawalId}`];
    case 'transfer':
      return [`t ${command.transferId}`];
    case 'adjust':
      return [`a ${command.adjustmentId}`];
    case 'reverse_deposit':
      return [`r ${command.network} ${command.depositId} ${command.part}`];
    case 'book_chain_cost':
      return [`x ${command.costId}`];
    default:
      return [];
  }
}

/** The workload invents checkpoints; a real caller finds every id that was used before. */
export function lookUp(command: Command, used: Set<string>): Command {
  const ids = idsOf(command);
  if (ids.length === 0) return command;
  const checkpoint = ids.some((id) => used.has(id)) ? 0 : Number.MAX_SAFE_INTEGER;
  for (const id of ids) used.add(id);
  return { ...command, checkpoint } as Command;
}
