// Logs for tests: from drawn venues, and from events written by hand.
import { generateKeyPairSync } from 'node:crypto';
import { apply, createState } from '@rialto/matching';
import { mix64 } from '../../matching/sim/random.ts';
import { Workload } from '../../matching/sim/workload.ts';
import { bookHash, bookText } from './books.ts';
import { Chain } from './chain.ts';
import type { PublicEvent } from './events.ts';
import { signHead } from './heads.ts';
import { readKeyRing, toSigningKey } from './keys.ts';
import { readQueues } from './read-queues.ts';
import { Recorder } from './recorder.ts';

export const venue = generateKeyPairSync('ed25519');
export const venueKeys = readKeyRing(JSON.stringify([toSigningKey(venue.publicKey)]));

/** Writes the file form of a log, line by line. */
export class LogWriter {
  readonly lines: string[] = [];
  readonly chain: Chain;

  constructor(chain: Chain = new Chain()) {
    this.chain = chain;
    if (chain.seq > 0n) {
      const previous = { seq: String(chain.seq), hash: chain.hash };
      this.lines.push(JSON.stringify({ previous }));
    }
  }

  event(event: PublicEvent): void {
    const { text, hash } = this.chain.append(event);
    this.lines.push(JSON.stringify({ text, hash }));
  }

  book(text: string): void {
    this.lines.push(JSON.stringify({ book: text }));
  }

  head(time: string): void {
    const { seq, hash } = this.chain;
    const head = signHead({ seq: String(seq), hash, time }, venue.privateKey);
    this.lines.push(JSON.stringify({ head }));
  }
}

/** The log of a venue drawn from a seed: a checkpoint and a head every so many commands. */
export function drawLog(seed: bigint, commands: number, checkpointEvery = 500): string[] {
  const workload = new Workload(mix64(seed));
  const state = createState({ ...workload.world.beginning, capacity: 64 });
  const recorder = new Recorder(readQueues(state));
  const writer = new LogWriter();
  for (let i = 0; i < commands; i++) {
    if (i % checkpointEvery === 0) {
      const time = String(Math.max(state.time, 1));
      const engineSeq = String(state.engineSeq);
      const hash = bookHash(recorder.books);
      writer.event({ time, type: 'checkpoint', engineSeq, bookHash: hash });
      writer.book(bookText(recorder.books));
      writer.head(time);
    }
    const outcome = apply(state, workload.next());
    workload.observe(outcome);
    for (const step of outcome.steps) for (const event of recorder.take(step)) writer.event(event);
  }
  return writer.lines;
}

/** Chains the events of a log anew, as a venue would that cheats and does not want to be caught. */
export function rechain(lines: readonly string[]): string[] {
  const writer = new LogWriter();
  for (const line of lines) {
    const { text, book, head } = JSON.parse(line) as {
      text?: string;
      book?: string;
      head?: { time: string };
    };
    if (text !== undefined) {
      const { seq: _seq, ...event } = JSON.parse(text) as PublicEvent & { seq: string };
      writer.event(event);
    } else if (book !== undefined) writer.book(book);
    else if (head !== undefined) writer.head(head.time);
  }
  return writer.lines;
}
