// Answers reads from the machine's memory, as text. Reads are queued among the commands, so a read
// is answered only once its state is on disk. They run on the matching thread, so each is bounded:
// a list is paged, and the cells of orders and levels are copied for the reader to decode.
import {
  findList,
  findMarketView,
  findOrder,
  listBalances,
  listMarkets,
  rememberedFrom,
  Tape,
  writeDepth,
  writeOpenOrders,
  type MarketConfig,
  type MarketView,
  type State,
} from '@rialto/matching';
import { PackedCells } from './cells.ts';
import { READ_PAGES, type ReadName, type ReadQueries } from './door.ts';
import type { Machine } from './machine.ts';
import { NameWriter } from './names.ts';
import { writeMembers } from './outcomes.ts';
import { stringifyTagged } from './tagged-json.ts';

type Answers = { [K in ReadName]: (machine: Machine, query: ReadQueries[K]) => string };

const ANSWERS: Answers = {
  order: ({ state }, { account, ...ref }) =>
    stringifyTagged(findOrder(state, account, ref) ?? null),
  list: ({ state }, { account, orderListId }) =>
    // The core finds a list by any of its orders; here it has only its own name.
    stringifyTagged(
      findList(state, account, { orderId: orderListId })?.filter(
        (leg) => leg.orderListId === orderListId,
      ) ?? [],
    ),
  open: ({ state }, query) => openText(state, query),
  balances: ({ state }, { account, from }) =>
    stringifyTagged(listBalances(state, account, toPlace(from), READ_PAGES.balances)),
  markets: ({ state }, query) => marketsText(state, query),
  depth: ({ state }, { symbol, limit }) => depthText(state, symbol, limit),
  sweep: ({ sweeps }, { account, sweepId, after }) =>
    JSON.stringify(sweeps.read(account, sweepId, after) ?? null),
  head: ({ state, seq }) =>
    JSON.stringify({ seq, engineSeq: state.engineSeq, rememberedFrom: rememberedFrom(state) }),
};

/** The query has the shape that goes with the name (`shapes.ts`). */
export function answerRead(machine: Machine, name: ReadName, query: object): string {
  const answer = ANSWERS[name] as (machine: Machine, query: object) => string;
  return answer(machine, query);
}

const toPlace = (from: unknown): number =>
  typeof from === 'number' && Number.isSafeInteger(from) && from > 0 ? from : 0;

// Reused, beside those of the batch in progress.
const tape = new Tape();
const packed = new PackedCells();
const names = new WeakMap<State, NameWriter>();

function namesOf(state: State): NameWriter {
  let writer = names.get(state);
  if (writer === undefined) names.set(state, (writer = new NameWriter(state)));
  return writer;
}

function openText(state: State, { account, ...page }: ReadQueries['open']): string {
  tape.clear();
  const limit = Math.min(page.limit, READ_PAGES.open);
  writeOpenOrders(state, account, { ...page, limit }, tape);
  packed.length = 0;
  packed.pack(tape.u32, 0, tape.length);
  const stretch = { fromCell: 0, untilCell: tape.length, fromNote: 0, untilNote: 0 };
  const list = namesOf(state).write(tape, 0, tape.length);
  return `{${writeMembers(packed.toText(), list, tape, stretch)}}`;
}

/** A configuration object is replaced when it changes, so its text can be cached. */
const configs = new WeakMap<MarketConfig, string>();

function configText(config: MarketConfig): string {
  let text = configs.get(config);
  if (text === undefined) configs.set(config, (text = stringifyTagged(config)));
  return text;
}

function marketsText(state: State, { symbol, from }: ReadQueries['markets']): string {
  if (symbol === undefined) {
    return `[${listMarkets(state, toPlace(from), READ_PAGES.markets).map(marketText).join(',')}]`;
  }
  const market = findMarketView(state, symbol);
  return market === undefined ? '[]' : `[${marketText(market)}]`;
}

const marketText = ({ config, ...rest }: MarketView): string =>
  `{"config":${configText(config)},${JSON.stringify(rest).slice(1)}`;

/** Two cells a level, of two sides. */
const levels = new Float64Array(READ_PAGES.depth * 4);
const levelWords = new Uint32Array(levels.buffer);

function depthText(state: State, symbol: string, limit: number): string {
  const depth = writeDepth(state, symbol, Math.min(limit, READ_PAGES.depth), levels);
  if (depth === undefined) return 'null';
  packed.length = 0;
  packed.pack(levelWords, 0, (depth.bids + depth.asks) * 2);
  return `{"updateId":${depth.updateId},"bids":${depth.bids},"cells":"${packed.toText()}"}`;
}
