// The private channels of one account: every event once and in order, across connections. `streamSeq` counts all events of
// the account, so a program that follows only some channels sees numbers with holes, and resumes after the last it saw.
// Every connection sends its events in order and from a number on that was delivered already; so whatever has a larger
// number than the last delivered one is next, from whichever connection it comes.
import { RialtoError } from '../errors.ts';
import { beginsWithSnapshot, type Channel, type PrivateChannel } from './channels.ts';
import type { Push } from './frames.ts';
import type { Link } from './link.ts';
import { ask } from './refusal.ts';
import type { StreamEvent, Subscription } from './subscription.ts';

const CURSOR_INVALID = '2011';
/** Channels whose snapshots carry the number of the last event. */
const NUMBERING: ReadonlySet<PrivateChannel> = new Set(['orders', 'balances']);
/** Followed for that number alone, if no consumer needs another one. */
const CARRIER: PrivateChannel = 'balances';
/** States that come anew on each connection; their pushes have no numbers of their own. */
const UNCOUNTED: ReadonlySet<PrivateChannel> = new Set(['account', 'wallet']);

export class PrivateStream {
  #consumerOf: (channel: string) => Subscription<Channel> | undefined;
  /** The last event that was delivered, or that a snapshot holds. */
  #seq: bigint | undefined;
  #numbered = Promise.withResolvers<void>();
  /** The newest connection that has sent something. */
  #newest = 0;

  constructor(consumerOf: (channel: string) => Subscription<Channel> | undefined) {
    this.#consumerOf = consumerOf;
  }

  /**
   * Follows the channels on a connection: from where the last one ended, or anew with a snapshot. With `isGuarded` it also
   * resumes without channels, because that is how the server hears that a lost connection is back.
   */
  async follow(
    link: Link,
    channels: readonly PrivateChannel[],
    { isGuarded }: { readonly isGuarded: boolean },
  ): Promise<void> {
    const known = channels.filter((name) => this.#canResume(name));
    const resumed = known.length === 0 && isGuarded && this.#seq !== undefined ? [CARRIER] : known;
    const isResumed = resumed.length === 0 || (await this.#resume(link, resumed));
    const fresh: PrivateChannel[] = channels.filter((name) => !isResumed || !known.includes(name));
    // A snapshot says where the stream stands; without one, there would be nothing to resume from.
    const hasNumber = this.#seq !== undefined || fresh.some((name) => NUMBERING.has(name));
    if (!hasNumber && (fresh.length > 0 || isGuarded)) fresh.push(CARRIER);
    if (fresh.length === 0) return;
    await ask(link, 'subscribe', { channels: fresh });
    for (const name of fresh) {
      if (!beginsWithSnapshot(name)) this.#consumerOf(name)?.awaitsSnapshot.delete(name);
    }
    // Before that, what is lost with the connection could not be asked for.
    if (this.#seq === undefined) await Promise.race([this.#numbered.promise, link.ended]);
  }

  take(push: Push, link: Link): void {
    const channel = push.channel as PrivateChannel;
    const consumer = this.#consumerOf(channel);
    const seq = BigInt(push.streamSeq ?? 0);
    const isOld = link.number < this.#newest;
    if (!isOld) this.#newest = link.number;
    const isNews = this.#seq === undefined || seq > this.#seq;
    if (push.type === 'snapshot' || UNCOUNTED.has(channel)) {
      // A state is told anew on every connection; that of the newest one counts.
      if (isOld) return;
      if (isNews) this.#seq = seq;
      this.#numbered.resolve();
      if (!UNCOUNTED.has(channel) && consumer?.awaitsSnapshot.has(channel) !== true) return;
    } else {
      if (!isNews) return;
      this.#seq = seq;
      if (consumer?.awaitsSnapshot.has(channel) === true) return;
    }
    consumer?.awaitsSnapshot.delete(channel);
    const { kind: _kind, ...event } = push;
    consumer?.deliver(event as unknown as StreamEvent<Channel>);
  }

  /** What is not counted comes anew by itself. */
  #canResume(channel: PrivateChannel): boolean {
    if (this.#seq === undefined || UNCOUNTED.has(channel)) return false;
    return this.#consumerOf(channel)?.awaitsSnapshot.has(channel) !== true;
  }

  /** False if too much has happened since: then the consumers have been told. */
  async #resume(link: Link, channels: readonly PrivateChannel[]): Promise<boolean> {
    try {
      await ask(link, 'resume', { fromSeq: String(this.#seq), channels });
      return true;
    } catch (error) {
      if (!(error instanceof RialtoError) || error.code !== CURSOR_INVALID) throw error;
    }
    this.#seq = undefined;
    this.#numbered = Promise.withResolvers<void>();
    for (const channel of channels) {
      const consumer = this.#consumerOf(channel);
      if (consumer === undefined) continue;
      consumer.awaitsSnapshot.add(channel);
      consumer.deliver({ channel, type: 'reset', reason: 'window' });
    }
    return false;
  }
}
