// Writes what was recorded, in the caller's transaction: full pages, the tail, the books of checkpoints.
import type pg from 'pg';
import { assert } from '../../platform/std/assert.ts';
import { cutPages, followStretch, packPage, packText, PAGE_EVENTS } from './pages.ts';
import type { Recorded } from './recording.ts';
import { clearTail, insertCheckpoint, insertPages, insertTail, listTail } from './store.ts';

export async function writeRecorded(db: pg.ClientBase, recorded: Recorded): Promise<void> {
  const { events, previousHash, books } = recorded;
  const [first] = events;
  if (first === undefined) return;
  const isPageFull = recorded.end.lastEvent >= nextPageEnd(first.event - 1);
  if (isPageFull) await writePages(db, recorded);
  else {
    const texts = events.map(({ text }) => text);
    await insertTail(db, { firstEvent: first.event, previousHash, texts });
  }
  for (const { event, text } of books) await insertCheckpoint(db, event, await packText(text));
}

/** The last event of the page that the event after this one belongs to. */
const nextPageEnd = (event: number): number => (Math.floor(event / PAGE_EVENTS) + 1) * PAGE_EVENTS;

async function writePages(db: pg.ClientBase, { events, previousHash }: Recorded): Promise<void> {
  const tail = await listTail(db);
  const known = tail.flatMap((stretch) => [...followStretch(stretch)]);
  const joint = known.at(-1)?.hash ?? previousHash;
  assert(joint === previousHash, 'the events of a turn follow from the tail of the log', {
    tail: known.length,
  });
  const { full, rest } = cutPages([...known, ...events], tail[0]?.previousHash ?? previousHash);
  await insertPages(db, await Promise.all(full.map(packPage)));
  if (tail.length > 0) await clearTail(db);
  if (rest !== undefined) await insertTail(db, rest);
}
