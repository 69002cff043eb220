// What a client holds of one narrow: up to four spans, each without a gap. A span covers a range of ids, and every
// message of the narrow in this range is in it. So deleting its first message leaves no doubt about what it covers,
// and an empty topic is a span that covers everything.

export interface Span {
  /** The first id that it covers; 0 when nothing older exists. */
  readonly from: number;
  /** The last id that it covers; Infinity when it reaches the newest message and takes live ones. */
  readonly to: number;
  /** Ascending. */
  readonly ids: readonly number[];
  /** When it was last fetched or read, for choosing which one to drop. */
  readonly used: number;
}

export interface Spans {
  /** Ascending, never touching each other. */
  readonly list: readonly Span[];
  readonly fetching: number;
  /**
   * What events said while something was being fetched: whether the message is in the narrow. The answer may be older
   * than the event, so the event wins.
   */
  readonly meanwhile: ReadonlyMap<number, boolean>;
  readonly clock: number;
}

/** An answer of the server: what it covers, and what is in it. */
export interface Page {
  readonly from: number;
  readonly to: number;
  readonly ids: readonly number[];
}

const SPANS_MAX = 4;
export const IDS_MAX = 2_000;

export const NO_SPANS: Spans = { list: [], fetching: 0, meanwhile: new Map(), clock: 0 };

/**
 * What an answer covers: it holds all messages from the first to the last one, and around the anchor that was asked
 * for, even if the message of this id is gone.
 */
export function coverOf(answer: {
  ids: readonly number[];
  anchor: number;
  foundOldest: boolean;
  foundNewest: boolean;
}): Page {
  const ids = [...answer.ids].sort((a, b) => a - b);
  return {
    from: answer.foundOldest ? 0 : Math.min(ids[0] ?? answer.anchor, answer.anchor),
    to: answer.foundNewest ? Infinity : Math.max(ids.at(-1) ?? answer.anchor, answer.anchor),
    ids,
  };
}

export function beginFetch(spans: Spans): Spans {
  return { ...spans, fetching: spans.fetching + 1 };
}

/** Takes the answer in. Without a page the fetch failed, and nothing was learned. */
export function endFetch(spans: Spans, page?: Page): Spans {
  const fetching = Math.max(0, spans.fetching - 1);
  const clock = spans.clock + 1;
  const list = page === undefined ? spans.list : merge(spans.list, correct(page, spans), clock);
  return {
    list,
    fetching,
    clock,
    meanwhile: fetching === 0 ? NO_SPANS.meanwhile : spans.meanwhile,
  };
}

/** Forgets everything but this answer: after a cut whose events are lost, no span can be trusted. */
export function replaceAll(spans: Spans, page: Page): Spans {
  return endFetch({ ...spans, list: [] }, page);
}

/** A message is in the narrow now: it was sent, or moved in. */
export function addMessage(spans: Spans, id: number): Spans {
  const list = mapCovering(spans.list, id, (ids) => insert(ids, id));
  return note(spans, list, id, true);
}

/** A message is no longer in the narrow: it was deleted, or moved out. */
export function removeMessage(spans: Spans, id: number): Spans {
  const list = mapCovering(spans.list, id, (ids) => {
    const at = indexFrom(ids, id);
    return ids[at] === id ? ids.toSpliced(at, 1) : ids;
  });
  return note(spans, list, id, false);
}

export function spanAt(spans: Spans, id: number): Span | undefined {
  return spans.list.find(({ from, to }) => from <= id && id <= to);
}

export function newestSpan(spans: Spans): Span | undefined {
  return spans.list.find(({ to }) => to === Infinity);
}

/** Keeps at most `max` ids of the span that holds the anchor, half of them on each side if both sides have enough. */
export function trimAround(spans: Spans, anchor: number, max = IDS_MAX): Spans {
  const span = spanAt(spans, anchor);
  if (span === undefined || span.ids.length <= max) return spans;
  const middle = indexFrom(span.ids, anchor);
  const first = Math.min(Math.max(0, middle - Math.floor(max / 2)), span.ids.length - max);
  const ids = span.ids.slice(first, first + max);
  const cut: Span = {
    ...span,
    ids,
    from: first === 0 ? span.from : (ids[0] ?? span.from),
    to: first + max === span.ids.length ? span.to : (ids.at(-1) ?? span.to),
  };
  return { ...spans, list: spans.list.map((one) => (one === span ? cut : one)) };
}

/** The first index whose id is not below `id`. */
export function indexFrom(ids: readonly number[], id: number): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] ?? Infinity) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

function note(spans: Spans, list: readonly Span[], id: number, isIn: boolean): Spans {
  if (spans.fetching === 0) return list === spans.list ? spans : { ...spans, list };
  return { ...spans, list, meanwhile: new Map(spans.meanwhile).set(id, isIn) };
}

function mapCovering(
  list: readonly Span[],
  id: number,
  change: (ids: readonly number[]) => readonly number[],
): readonly Span[] {
  const at = list.findIndex(({ from, to }) => from <= id && id <= to);
  const span = list[at];
  if (span === undefined) return list;
  const ids = change(span.ids);
  return ids === span.ids ? list : list.with(at, { ...span, ids });
}

function insert(ids: readonly number[], id: number): readonly number[] {
  const at = indexFrom(ids, id);
  return ids[at] === id ? ids : ids.toSpliced(at, 0, id);
}

function correct(page: Page, { meanwhile }: Spans): Page {
  if (meanwhile.size === 0) return page;
  const ids = new Set(page.ids);
  for (const [id, isIn] of meanwhile) {
    if (!isIn) ids.delete(id);
    else if (page.from <= id && id <= page.to) ids.add(id);
  }
  return { ...page, ids: [...ids].sort((a, b) => a - b) };
}

function merge(list: readonly Span[], page: Page, used: number): readonly Span[] {
  const touching = list.filter(({ from, to }) => from <= page.to && page.from <= to);
  const ids = new Set(page.ids);
  for (const span of touching) for (const id of span.ids) ids.add(id);
  const merged: Span = {
    from: Math.min(page.from, ...touching.map(({ from }) => from)),
    to: Math.max(page.to, ...touching.map(({ to }) => to)),
    ids: [...ids].sort((a, b) => a - b),
    used,
  };
  const all = [...list.filter((span) => !touching.includes(span)), merged];
  while (all.length > SPANS_MAX) {
    const oldest = all.reduce((a, b) => (b.used < a.used ? b : a));
    all.splice(all.indexOf(oldest), 1);
  }
  return all.sort((a, b) => a.from - b.from);
}
