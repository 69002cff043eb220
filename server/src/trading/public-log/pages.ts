// How the log is cut into pages, packed and unpacked. Page n has the events from (n - 1) × PAGE_EVENTS + 1 to
// n × PAGE_EVENTS. A full page never changes.
import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';
import { chainHash } from '@rialto/public-log';
import type { StoredPage, Stretch } from './store.ts';

export const PAGE_EVENTS = 1000;
/** An event is a line of some 200 characters; a page that inflates to more than this was not written by us. */
const PAGE_BYTES_MAX = PAGE_EVENTS * 4096;

/** On a thread of its own, so that the process goes on meanwhile. */
const deflate = promisify(deflateRaw);

export const packText = (text: string): Promise<Buffer> => deflate(Buffer.from(text));

export const unpackText = (body: Buffer, bytesMax: number): string =>
  inflateRawSync(body, { maxOutputLength: bytesMax }).toString();

export const pageOf = (event: number): number => Math.ceil(event / PAGE_EVENTS);

export const unpackPage = ({ page, previousHash, body }: StoredPage): Stretch => ({
  firstEvent: (page - 1) * PAGE_EVENTS + 1,
  previousHash,
  texts: unpackText(body, PAGE_BYTES_MAX).split('\n'),
});

/** One event as it is published. */
export interface LoggedEvent {
  readonly event: number;
  readonly text: string;
  readonly hash: string;
}

/** The events of a stretch with their hashes. */
export function* followStretch({
  firstEvent,
  previousHash,
  texts,
}: Stretch): Generator<LoggedEvent, void> {
  let hash = previousHash;
  for (const [index, text] of texts.entries()) {
    hash = chainHash(hash, text);
    yield { event: firstEvent + index, text, hash };
  }
}

/** Cuts events into full pages and the rest. The first of them begins a page, after `previousHash`. */
export function cutPages(
  events: Iterable<LoggedEvent>,
  previousHash: string,
): { full: Stretch[]; rest: Stretch | undefined } {
  const full: Stretch[] = [];
  let open: { firstEvent: number; previousHash: string; texts: string[] } | undefined;
  let before = previousHash;
  for (const { event, text, hash } of events) {
    open ??= { firstEvent: event, previousHash: before, texts: [] };
    open.texts.push(text);
    before = hash;
    if (event % PAGE_EVENTS !== 0) continue;
    full.push(open);
    open = undefined;
  }
  return { full, rest: open };
}

export const packPage = async ({
  firstEvent,
  previousHash,
  texts,
}: Stretch): Promise<StoredPage> => ({
  page: pageOf(firstEvent),
  previousHash,
  body: await packText(texts.join('\n')),
});
