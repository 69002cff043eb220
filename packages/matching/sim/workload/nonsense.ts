import type { Command } from '../../src/command.ts';
import type { Hand } from './hand.ts';

/** Commands that are wrong as a whole. */
export function drawNonsense(hand: Hand): Command {
  const { r, time } = hand;
  const choices: Array<() => Command> = [
    () => ({
      type: 'list_coin',
      time,
      coin: r.pick(['UPPER', '', 'btc']),
      networks: [r.pick(['FOUR', hand.world.foreign])],
    }),
    () => ({ type: 'open_account', time, account: r.pick([0, -1, 1.5]), parent: 1 }),
    () => ({ type: 'cancel', time, account: hand.account() }),
    () => ({ type: 'cancel', time, account: hand.account(), clientOrderId: 'not permitted!' }),
    () => ({ type: 'amend', time, account: hand.account(), orderId: 1e15 + 1 }),
    () => ({ type: 'set_phase', time, symbol: hand.symbol(), phase: 'auction' }),
    () => ({
      type: 'settle_withdrawal',
      time,
      withdrawalId: 'never',
      checkpoint: hand.checkpoint(),
    }),
    () => {
      const live = [...hand.observed.live.values()][0];
      if (live === undefined) return { type: 'tick', time };
      return { type: 'amend', time, account: live.account, orderId: live.orderId };
    },
    () => {
      const from = hand.account();
      return {
        type: 'transfer',
        time,
        transferId: `self${hand.terms.serial++}`,
        from,
        to: from,
        coin: 'btc',
        amount: 1n,
      };
    },
    () => {
      const account = hand.account();
      const order = hand.terms.terms('limit', account);
      hand.terms.spoil(order, r.pick(hand.world.markets));
      return { type: 'place', time, account, order, checkpoint: hand.checkpoint() };
    },
  ];
  return r.pick(choices)();
}
