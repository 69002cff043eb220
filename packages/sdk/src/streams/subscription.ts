/// <reference lib="esnext.disposable" preserve="true" />
// What one consumer asked for: its channels, and a bounded buffer between the socket and its loop.
import { createBuffer, type EventBuffer, type Notice } from './buffer.ts';
import { beginsWithSnapshot, type Channel, type ChannelData } from './channels.ts';

/** One push of a channel. */
interface ChannelPush<C extends Channel, T extends 'snapshot' | 'update'> {
  readonly channel: C;
  readonly type: T;
  /** Milliseconds since 1970, as all times of the venue. */
  readonly time: string;
  readonly data: ChannelData<C, T>;
  /** Of private channels: counted per account without gaps. */
  readonly streamSeq?: string;
  /** Of private channels: the event of the engine that caused it. */
  readonly engineSeq?: string;
}

/**
 * The stream could not be continued where it ended: what happened in between was not delivered. A snapshot follows where the
 * channel has one; history is read by REST.
 */
export interface StreamReset<C extends Channel> {
  readonly channel: C;
  readonly type: 'reset';
  /** `window`: away for longer than the server remembers. `slow`: this consumer fell behind. */
  readonly reason: 'window' | 'slow';
}

/** This consumer fell behind, and so many pushes of the channel were dropped here. */
export interface StreamGap<C extends Channel> {
  readonly channel: C;
  readonly type: 'gap';
  readonly dropped: number;
}

/** Distributes over the channels, so that `channel` tells the type of `data`. */
export type StreamEvent<C extends Channel> = C extends Channel
  ? ChannelPush<C, 'snapshot'> | ChannelPush<C, 'update'> | StreamReset<C> | StreamGap<C>
  : never;

export type StreamHandler<C extends Channel> = (event: StreamEvent<C>) => void;

interface Owner {
  /** Ends the subscription at the server too, if nobody else wants its channels. */
  release(subscription: Subscription<Channel>): void;
  /** The consumer lost pushes of the channel and needs a snapshot. */
  restart(channel: Channel): void;
}

/** An async iterator of its events, in the order in which they came. */
export class Subscription<C extends Channel> implements AsyncIterableIterator<StreamEvent<C>> {
  readonly channels: readonly C[];
  /** Resolves when the server has confirmed all channels; rejects when it refuses one. */
  readonly ready: Promise<void>;
  /** Channels whose next snapshot belongs to this consumer. @internal */
  readonly awaitsSnapshot = new Set<Channel>();
  #ready = Promise.withResolvers<void>();
  #owner: Owner;
  #handler: StreamHandler<C> | undefined;
  #buffer: EventBuffer<StreamEvent<Channel>>;
  /** Dropped here, and asked for again. */
  #restarting = new Set<Channel>();
  #takers: PromiseWithResolvers<IteratorResult<StreamEvent<C>, undefined>>[] = [];
  #end: { readonly error: Error | undefined } | undefined;

  constructor(
    owner: Owner,
    channels: readonly C[],
    max: number,
    handler: StreamHandler<C> | undefined,
  ) {
    this.#owner = owner;
    this.channels = channels;
    this.#buffer = createBuffer(max);
    this.#handler = handler;
    this.ready = this.#ready.promise;
    this.ready.catch(() => {});
    for (const channel of channels) this.awaitsSnapshot.add(channel);
  }

  /** Waiting for the consumer now. */
  get buffered(): number {
    return this.#buffer.size;
  }

  /** Pushes that were dropped because this consumer was slow. */
  get dropped(): number {
    return this.#buffer.dropped;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<StreamEvent<C>, undefined>> {
    const event = this.#buffer.shift();
    if (event !== undefined) return Promise.resolve({ done: false, value: toEvent<C>(event) });
    if (this.#end?.error !== undefined) return Promise.reject(this.#end.error);
    if (this.#end !== undefined) return Promise.resolve({ done: true, value: undefined });
    const taker = Promise.withResolvers<IteratorResult<StreamEvent<C>, undefined>>();
    this.#takers.push(taker);
    return taker.promise;
  }

  /** Also what leaving a `for await` loop does. */
  return(): Promise<IteratorResult<StreamEvent<C>, undefined>> {
    this.close();
    return Promise.resolve({ done: true, value: undefined });
  }

  /** Ends it. What waits in the buffer is dropped. */
  close(): void {
    this.#buffer.clear();
    this.finish(undefined);
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** @internal */
  confirm(): void {
    this.#ready.resolve();
  }

  /** Ends it, with an error that the consumer's loop will throw. @internal */
  finish(error: Error | undefined): void {
    if (this.#end !== undefined) return;
    this.#end = { error };
    this.#owner.release(this as unknown as Subscription<Channel>);
    if (error === undefined) this.#ready.resolve();
    else this.#ready.reject(error);
    for (const taker of this.#takers.splice(0)) {
      if (error === undefined) taker.resolve({ done: true, value: undefined });
      else taker.reject(error);
    }
  }

  /** Hands an event to the consumer, or keeps it until the consumer asks. @internal */
  deliver(event: StreamEvent<Channel>): void {
    if (this.#end !== undefined) return;
    // After a loss only the snapshot makes sense again.
    if (event.type === 'update' && this.#restarting.has(event.channel)) return;
    this.#restarting.delete(event.channel);
    if (this.#handler !== undefined) {
      try {
        this.#handler(event as StreamEvent<C>);
      } catch (error) {
        // A handler that fails must not stop the others; its own subscription ends, loudly.
        this.finish(error as Error);
        queueMicrotask(() => {
          throw error;
        });
      }
      return;
    }
    const taker = this.#takers.shift();
    if (taker !== undefined) {
      taker.resolve({ done: false, value: event as StreamEvent<C> });
      return;
    }
    const restart = this.#buffer.push(event) as Channel | undefined;
    if (restart === undefined) return;
    if (!beginsWithSnapshot(restart)) return;
    this.#restarting.add(restart);
    this.awaitsSnapshot.add(restart);
    this.#owner.restart(restart);
  }
}

function toEvent<C extends Channel>(event: StreamEvent<Channel> | Notice): StreamEvent<C> {
  if (event.type !== 'reset' || 'reason' in event) return event as StreamEvent<C>;
  return { channel: event.channel, type: 'reset', reason: 'slow' } as unknown as StreamEvent<C>;
}
