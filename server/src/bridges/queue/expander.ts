// The venue's events in the queues of the chat: who may see which account, and what each batch means to them.
import type { Context } from '../../platform/context.ts';
import { TRADING_BATCH, type LoggedEvent } from '../../platform/events/event.ts';
import type { Expander } from '../../platform/realtime/expander.ts';
import { Batch, type OpenBatch } from '../../trading/batches/batch.ts';
import { SeenAccounts } from './accounts.ts';
import { TRADING_EVENTS } from './events.ts';
import { Expansion } from './expand.ts';
import { describeTrading } from './state.ts';

const NOTHING: ReadonlySet<string> = new Set();

export function createTradingExpander({ db }: Pick<Context, 'db'>, openBatch: OpenBatch): Expander {
  const accounts = new SeenAccounts(db);
  /** Of rows that are being delivered. A row that is read from the log for one queue is not worth keeping. */
  const expansions = new WeakMap<LoggedEvent, Expansion>();

  return {
    source: TRADING_BATCH,
    yields: new Set(TRADING_EVENTS.map(({ properties }) => properties.type.const)),
    describe: describeTrading,
    enter: (userId) => accounts.enter(userId),
    leave: (userId) => accounts.leave(userId),
    clear: () => accounts.clear(),
    apply: (event) => accounts.apply(event),
    concerned(row) {
      const batch = openBatch(row);
      const expansion = new Expansion(batch);
      expansions.set(row, expansion);
      return expansion.isPublic ? 'everybody' : accounts.viewersOf(batch.accounts);
    },
    expand(row, { userId, eventTypes }) {
      const expansion = expansions.get(row) ?? new Expansion(new Batch(row));
      return expansion.textsFor(eventTypes ?? NOTHING, accounts.of(userId));
    },
  };
}
