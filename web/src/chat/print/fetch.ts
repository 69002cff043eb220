// What a print of a conversation has: the newest messages, up to a number that paper can bear.
import type { Store } from '../../state/store.ts';
import { toApiNarrow } from '../narrow/narrow.ts';
import type { Narrow } from '../narrow/terms.ts';

export const PRINTED_MAX = 1000;

export interface Printed {
  /** Ascending. */
  readonly ids: readonly number[];
  /** Why older messages are missing; undefined if none are. */
  readonly leftOut: 'older' | 'unloaded' | undefined;
}

export async function fetchPrinted(store: Store, narrow: Narrow): Promise<Printed> {
  const { messages, found_oldest: isAll } = await store.client.chat.getMessages({
    anchor: 'newest',
    num_before: PRINTED_MAX,
    num_after: 0,
    narrow: toApiNarrow(narrow),
    allow_empty_topic_name: true,
  });
  const ids = store.addMessages(messages).toSorted((a, b) => a - b);
  return { ids: ids.slice(-PRINTED_MAX), leftOut: isAll ? undefined : 'older' };
}

/** For the browser's own command, which does not wait: what is loaded already. */
export function loadedOf(
  span: { readonly ids: readonly number[]; readonly from: number; readonly to: number } | undefined,
): Printed | undefined {
  if (span === undefined || span.ids.length === 0) return undefined;
  const ids = span.ids.slice(-PRINTED_MAX);
  const isAll = span.from === 0 && span.to === Infinity && ids.length === span.ids.length;
  return { ids, leftOut: isAll ? undefined : 'unloaded' };
}
