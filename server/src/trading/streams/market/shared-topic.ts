// A public channel: the same messages for all who follow it, each printed and framed once.
//
// Writing to thousands of sockets takes milliseconds, and costs nearly the same for one message as for several. So what
// is published while a topic writes, or rests as long as it wrote, goes out together: a busy topic takes half of the
// process at most, and is late by two such rounds at most, instead of ever later.
import type { Metrics } from '../../../platform/observe/metrics.ts';
import type { Clock } from '../../../platform/std/clock.ts';
import type { Connection } from '../connection.ts';
import { joinMessages, Message } from '../message.ts';
import type { Topic } from '../connection.ts';

const REST_MS_MAX = 100;
/** So many wait for no rest. */
const GATHERED_MAX = 256;

export interface TopicOptions {
  readonly name: string;
  readonly pattern: string;
  readonly metrics: Metrics;
  readonly clock: Clock;
}

export abstract class SharedTopic implements Topic {
  readonly name: string;
  readonly pattern: string;
  /** Whether a later state makes an earlier message needless: who falls behind skips to it. */
  protected readonly skips: boolean = true;
  /** The venue's time. */
  protected readonly clock: Clock;
  readonly #metrics: Metrics;
  readonly #followers = new Set<Connection>();
  /** Those who have missed something. */
  readonly #behind = new Set<Connection>();
  #snapshot: Message | undefined;
  #wasFollowed = true;
  #isRetired = false;
  /** Published, and in the next snapshot, but not yet written. */
  #gathered: { readonly message: Message; readonly changedMs: number | undefined }[] = [];
  /** By `performance.now`. */
  #restsUntilMs = 0;

  constructor({ name, pattern, metrics, clock }: TopicOptions) {
    this.clock = clock;
    this.name = name;
    this.pattern = pattern;
    this.#metrics = metrics;
  }

  get isFollowed(): boolean {
    return this.#followers.size > 0;
  }

  get isRetired(): boolean {
    return this.#isRetired;
  }

  /** Called now and then: a topic that nobody followed since the last call ends, and another takes its place. */
  retire(): boolean {
    this.#isRetired = !this.#wasFollowed && !this.isFollowed;
    this.#wasFollowed = this.isFollowed;
    return this.#isRetired;
  }

  /** Called before the first follower's snapshot: nothing was kept up while there was none. */
  protected abstract begin(): void;
  /** The state that all followers have, as the text of a push; undefined if there is nothing yet. */
  protected abstract printSnapshot(): string | undefined;

  join(connection: Connection): void {
    if (!this.isFollowed) {
      this.#snapshot = undefined;
      this.begin();
    }
    // The snapshot holds what was gathered.
    this.#write();
    this.#followers.add(connection);
    this.#wasFollowed = true;
    // Snapshots are long: who does not read gets none, however often they join.
    if (connection.isBehind) this.#behind.add(connection);
    else this.#sendSnapshot(connection);
  }

  leave(connection: Connection): void {
    this.#followers.delete(connection);
    this.#behind.delete(connection);
  }

  catchUp(connection: Connection): void {
    if (!this.#behind.has(connection)) return;
    this.#write();
    this.#behind.delete(connection);
    this.#sendSnapshot(connection);
  }

  #sendSnapshot(connection: Connection): void {
    if (this.#snapshot === undefined) {
      const text = this.printSnapshot();
      if (text === undefined) return;
      this.#snapshot = new Message(text);
    }
    connection.send(this.#snapshot);
    this.#metrics.streamSent(1, this.#snapshot.text.length);
  }

  /** Sends an update to all, soon, which the next snapshot contains. */
  protected publish(text: string, changedMs?: number): void {
    this.#snapshot = undefined;
    if (this.#gathered.push({ message: new Message(text), changedMs }) > 1) {
      if (this.#gathered.length >= GATHERED_MAX) this.#write();
      return;
    }
    const restMs = this.#restsUntilMs - performance.now();
    if (restMs > 0) setTimeout(() => this.#write(), restMs);
    else setImmediate(() => this.#write());
  }

  #write(): void {
    const gathered = this.#gathered;
    if (gathered.length === 0) return;
    this.#gathered = [];
    const startedMs = performance.now();
    const frames = joinMessages(gathered.map(({ message }) => message));
    let count = 0;
    for (const connection of this.#followers) {
      if (this.skips && (connection.isBehind || this.#behind.has(connection))) {
        this.#behind.add(connection);
        continue;
      }
      connection.send(frames);
      count += 1;
    }
    const endedMs = performance.now();
    this.#restsUntilMs = endedMs + Math.min(endedMs - startedMs, REST_MS_MAX);
    for (const { message, changedMs } of gathered) {
      this.#metrics.streamSent(count, message.text.length);
      if (changedMs !== undefined) this.#metrics.streamLag((this.clock.now() - changedMs) / 1000);
    }
  }

  /** Sends everybody the whole state. */
  protected publishSnapshot(): void {
    this.#write();
    this.#snapshot = undefined;
    for (const connection of this.#followers) {
      if (connection.isBehind) this.#behind.add(connection);
      else this.#sendSnapshot(connection);
    }
  }
}

/** The text of a push; `data` is JSON already. */
export const pushText = (
  channel: string,
  type: 'snapshot' | 'update',
  timeMs: number,
  data: string,
): string =>
  `{"channel":"${channel}","type":"${type}","time":"${Math.floor(timeMs)}","data":${data}}`;
