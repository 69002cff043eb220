// The reader's side of reads.ts: asks for a list page by page, and decodes the answers. A list
// longer than a page is consistent per page: an entry that existed all the time is in it once.
import { readOpenOrders, type Depth, type Level } from '@rialto/matching';
import { unpackCells } from './cells.ts';
import { READ_PAGES, type ReadName, type Reads } from './door.ts';
import { openTape } from './outcomes.ts';
import { parseTagged } from './tagged-json.ts';

/** Asks the engine once, and returns the text of its answer. */
type Ask = (name: ReadName, query: object) => Promise<string>;

type Readers = {
  [K in ReadName]: (ask: Ask, query: Reads[K]['query']) => Promise<Reads[K]['answer']>;
};

const READERS: Readers = {
  order: async (ask, query) => parseTagged(await ask('order', query)) as Reads['order']['answer'],
  list: async (ask, query) => parseTagged(await ask('list', query)) as Reads['list']['answer'],
  head: async (ask, query) => parseTagged(await ask('head', query)) as Reads['head']['answer'],
  sweep: async (ask, query) => JSON.parse(await ask('sweep', query)) as Reads['sweep']['answer'],
  depth: async (ask, query) => toDepth(await ask('depth', query)),
  async open(ask, { limit, ...query }) {
    const orders: Reads['open']['answer'] = [];
    for (;;) {
      const wanted = Math.min(limit - orders.length, READ_PAGES.open);
      const after = orders.at(-1)?.orderId ?? query.after;
      const text = await ask('open', { ...query, after, limit: wanted });
      const { tape, names } = openTape(text);
      const page = readOpenOrders(names, tape);
      orders.push(...page);
      if (page.length < wanted || orders.length >= limit) return orders;
    }
  },
  balances: (ask, query) => readFrom(ask, 'balances', query),
  markets: (ask, query) => readFrom(ask, 'markets', query),
};

export const readEngine = <K extends ReadName>(
  ask: Ask,
  name: K,
  query: Reads[K]['query'],
): Promise<Reads[K]['answer']> => READERS[name](ask, query);

/** For lists that grow only at the end. */
async function readFrom<K extends 'balances' | 'markets'>(
  ask: Ask,
  name: K,
  query: Reads[K]['query'],
): Promise<Reads[K]['answer']> {
  const all: unknown[] = [];
  for (;;) {
    const page = parseTagged(await ask(name, { ...query, from: all.length })) as unknown[];
    all.push(...page);
    if (page.length < READ_PAGES[name]) return all as Reads[K]['answer'];
  }
}

function toDepth(text: string): Depth | null {
  const answer = JSON.parse(text) as { updateId: number; bids: number; cells: string } | null;
  if (answer === null) return null;
  const cells = new Float64Array(unpackCells(Buffer.from(answer.cells, 'base64')).buffer);
  const levels: Level[] = [];
  for (let i = 0; i < cells.length; i += 2) {
    levels.push({ priceTicks: cells[i] as number, lots: cells[i + 1] as number });
  }
  const { updateId, bids } = answer;
  return { updateId, bids: levels.slice(0, bids), asks: levels.slice(bids) };
}
