// Answers reads from the machine's memory. They take their place among the commands, so what they show is
// answered only once it is on disk.
import { findDepth, findOrder, listBalances, listMarkets, listOpenOrders } from '@rialto/matching';
import type { ReadName, Reads } from './door.ts';
import type { Machine } from './machine.ts';

type Answers = {
  [K in ReadName]: (machine: Machine, query: Reads[K]['query']) => Reads[K]['answer'];
};

const ANSWERS: Answers = {
  order: ({ state }, { account, ...ref }) => findOrder(state, account, ref) ?? null,
  open: ({ state }, { account, symbol, limit }) =>
    listOpenOrders(state, account, symbol).slice(0, limit),
  balances: ({ state }, { account }) => listBalances(state, account),
  markets: ({ state }) => listMarkets(state),
  depth: ({ state }, { symbol, limit }) => findDepth(state, symbol, limit) ?? null,
  sweep: ({ sweeps }, { account, sweepId, after }) => sweeps.read(account, sweepId, after) ?? null,
  head: ({ state, seq }) => ({ seq, engineSeq: state.engineSeq }),
};

/** The query has the shape that goes with the name (`shapes.ts`). */
export function answerRead(machine: Machine, name: ReadName, query: object): unknown {
  const answer = ANSWERS[name] as (machine: Machine, query: object) => unknown;
  return answer(machine, query);
}
