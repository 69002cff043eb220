// `rialto fetch-log`: downloads a stretch of a venue's public log, in the form that `rialto verify-log` reads.
import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SignedHead } from '@rialto/public-log';
import { UnfitAnswer, getOutbound } from '../../platform/http/outbound.ts';
import { CommandError } from '../trouble.ts';

/** Events in one request, the most that the venue gives. */
const PAGE = 1000;
const PAGE_BYTES_MAX = 4 * 1024 * 1024;
const BOOK_BYTES_MAX = 256 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
/** A venue that is asked too often says so; after this many pauses it is given up. */
const PAUSES_MAX = 60;
const PAUSE_MS = 1_000;

export interface FetchLogOptions {
  readonly from?: string;
  readonly to?: string;
  readonly out: string;
}

interface Item {
  readonly text: string;
  readonly hash: string;
}

interface Page {
  readonly items: readonly Item[];
  readonly head: SignedHead | null;
}

interface Checkpoint extends Item {
  readonly seq: string;
  readonly book: string;
}

const isItem = (item: unknown): item is Item =>
  typeof (item as Item | null)?.text === 'string' && typeof (item as Item).hash === 'string';

/** The venue's public routes. */
class Venue {
  readonly #base: string;

  constructor(url: string) {
    if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) {
      throw new CommandError(
        `"${url}" is not the address of a venue, such as https://example.com.`,
      );
    }
    this.#base = `${url.replace(/\/$/, '').replace(/\/v1$/, '')}/v1/public/event_log`;
  }

  async #get(path: string, bytesMax: number): Promise<unknown> {
    for (let pauses = 0; ; pauses++) {
      try {
        const { body } = await getOutbound({
          url: `${this.#base}${path}`,
          headers: { accept: 'application/json' },
          timeoutMs: TIMEOUT_MS,
          bytesMax,
          accepts: (type) => type === 'application/json',
          // The caller of the command named the venue, so it may be one on this machine.
          mayBePrivate: () => true,
        });
        return (JSON.parse(body.toString()) as { result?: unknown }).result;
      } catch (error) {
        const isBusy = error instanceof UnfitAnswer && error.message.includes('status 429');
        if (!isBusy || pauses === PAUSES_MAX) {
          throw new CommandError(`${this.#base}${path} gave no log: ${(error as Error).message}`);
        }
        await sleep(PAUSE_MS);
      }
    }
  }

  async page(fromSeq: number, limit: number): Promise<Page> {
    const query = `?fromSeq=${fromSeq}&limit=${limit}`;
    const found = (await this.#get(query, PAGE_BYTES_MAX)) as Page | null;
    if (!Array.isArray(found?.items) || found.items.length > limit || !found.items.every(isItem)) {
      throw new CommandError(`${this.#base}${query} did not answer with events.`);
    }
    return found;
  }

  async checkpoint(beforeSeq: number): Promise<Checkpoint> {
    const found = await this.#get(`/checkpoint?beforeSeq=${beforeSeq}`, BOOK_BYTES_MAX);
    const { seq, book } = (found ?? {}) as Partial<Checkpoint>;
    if (typeof seq !== 'string' || typeof book !== 'string' || !isItem(found)) {
      throw new CommandError(`The log has no checkpoint at or before event ${beforeSeq}.`);
    }
    return found as Checkpoint;
  }

  /** The newest head, or the first that covers an event; undefined if none was signed. */
  async head(seq?: number): Promise<SignedHead | undefined> {
    const query = seq === undefined ? '/head' : `/head?seq=${seq}`;
    return ((await this.#get(query, PAGE_BYTES_MAX)) as SignedHead | null) ?? undefined;
  }
}

/** The lines of the file: what comes before, the events with the books of the first checkpoint, the heads. */
async function* linesOf(
  venue: Venue,
  from: number,
  to: number | undefined,
): AsyncGenerator<string> {
  const first = await venue.checkpoint(from);
  const start = Number(first.seq);
  if (start > 1) {
    const [before] = (await venue.page(start - 1, 1)).items;
    const hash = before?.hash ?? '';
    yield JSON.stringify({ previous: { seq: String(start - 1), hash } });
  }
  // The file ends with a signed head if there is one, so that all of it is signed.
  const last = await venue.head(to);
  const until = last === undefined ? (to ?? Infinity) : Number(last.seq);
  const heads = new Map<number, SignedHead>();
  if (last !== undefined) heads.set(until, last);
  for (let seq = start; seq <= until;) {
    const { items, head } = await venue.page(seq, Math.min(PAGE, until - seq + 1));
    if (head !== null) heads.set(Number(head.seq), head);
    for (const { text, hash } of items) {
      yield JSON.stringify({ text, hash });
      if (seq === start) yield JSON.stringify({ book: first.book });
      const signed = heads.get(seq);
      if (signed !== undefined) yield JSON.stringify({ head: signed });
      heads.delete(seq);
      seq += 1;
    }
    if (items.length === 0) break;
  }
}

function toSeq(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,14}$/.test(text)) {
    throw new CommandError(`${name} must be the number of an event, not "${text}".`);
  }
  return Number(text);
}

/** Writes the file, and gives the number of its lines. It appears under its name only when it is whole. */
export async function fetchLog(url: string, options: FetchLogOptions): Promise<number> {
  const from = toSeq('--from', options.from) ?? 1;
  const to = toSeq('--to', options.to);
  if (to !== undefined && to < from) throw new CommandError('--to must not be before --from.');
  const venue = new Venue(url);
  if (existsSync(options.out)) throw new CommandError(`${options.out} is there already.`);
  const part = `${options.out}.part`;
  let count = 0;
  async function* lines(): AsyncGenerator<string> {
    for await (const line of linesOf(venue, from, to)) {
      yield `${line}\n`;
      count += 1;
    }
  }
  try {
    // Open before anything else can fail: a file that is still being opened when it is removed would appear afterwards.
    const file = await open(part, 'w');
    await pipeline(lines, file.createWriteStream());
    await rename(part, options.out);
  } catch (error) {
    await rm(part, { force: true });
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new CommandError(`${options.out} cannot be written: ${(error as Error).message}`);
  }
  return count;
}
