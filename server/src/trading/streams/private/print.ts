// Private pushes as clients get them. Orders, trades and balances look as in the answers of the private routes.
import { printBalance } from '../../batches/printing.ts';
import type { Push } from '../../batches/pushes.ts';
import { toOrder } from '../../orders/order.ts';
import { toMyTrade, toSide } from '../../orders/trade.ts';

export function printPush(seq: number, push: Push): string {
  return frame('update', seq, push, printData(push));
}

/** `data` is JSON text. A snapshot has the number of the last push that it includes. */
export const frame = (
  type: 'update' | 'snapshot',
  seq: number,
  { channel, timeMs, engineSeq }: Pick<Push, 'timeMs' | 'engineSeq'> & { readonly channel: string },
  data: string,
): string =>
  `{"channel":"${channel}","type":"${type}","time":"${timeMs}","streamSeq":"${seq}","engineSeq":"${engineSeq}","data":${data}}`;

function printData(push: Push): string {
  switch (push.channel) {
    case 'orders': {
      const { order, fill, pair } = push;
      const printed = toOrder(order, pair);
      if (fill === undefined) return JSON.stringify(printed);
      return JSON.stringify({ ...printed, lastFill: toMyTrade(toSide(fill, order), pair) });
    }
    case 'my_trades':
      return JSON.stringify(toMyTrade(toSide(push.own, push.order), push.pair));
    case 'balances':
      return JSON.stringify(push.balances.map((balance) => printBalance(balance, push.timeMs)));
  }
}
