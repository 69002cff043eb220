/// <reference lib="esnext.disposable" preserve="true" />
// Live streams over one socket: channels as async iterators or callbacks, private events once each and in order, and
// orders with the same types as by REST. A cut, a restart or a planned close of the server is bridged here.
import { RialtoError } from '../errors.ts';
import { ServerClock } from '../trading/clock.ts';
import { isPrivate, type Channel, type PrivateChannel } from './channels.ts';
import { Dialer } from './dialer.ts';
import type { Closing, Push } from './frames.ts';
import { Link, LostAnswer, type LinkEnd } from './link.ts';
import { createLogin, type Login } from './login.ts';
import { toLinkOptions, type CancelOnDisconnect, type StreamsOptions } from './options.ts';
import { createOrders, endedBy, type StreamOrders } from './orders.ts';
import { PrivateStream } from './private.ts';
import { ask, isTransient } from './refusal.ts';
import { Subscription, type StreamEvent, type StreamHandler } from './subscription.ts';

/** The server takes 200 channels on a connection; smaller frames are refused with less. */
const CHANNELS_PER_FRAME = 50;
const RETRY_MS = 500;
/** A connection that is replaced may still answer what was asked on it. */
const RETIRE_WITHIN_MS = 3000;
const CLOSE_WITHIN_MS = 1000;
/** A notice reaches every client at once; they come back spread over this time. */
const SPREAD_MS = 300;
const KEY_REVOKED = 4002;

export class Streams {
  /** The order operations of the socket; types and rules as by REST. */
  readonly order: StreamOrders;
  #options: StreamsOptions;
  #clock: ServerClock;
  #login: Login | undefined;
  #dialer: Dialer;
  #subscriptions = new Set<Subscription<Channel>>();
  #private = new PrivateStream((channel) => this.#consumersOf(channel)[0]);
  /** The connection from which a public channel is read: the newest one that has it. */
  #readFrom = new Map<string, Link>();
  /** Channels that have to begin again with a snapshot. */
  #stale = new Set<string>();
  #settling = new WeakMap<Link, Promise<void>>();
  #cancelOnDisconnect: CancelOnDisconnect | undefined;
  #closed: Error | undefined;

  constructor(options: StreamsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? new ServerClock();
    this.#login = createLogin(options, this.#clock);
    this.order = createOrders((signal) => this.#ready(signal), options);
    this.#dialer = new Dialer({
      open: () => this.#open(),
      onReady: (link, before) => this.#serve(link, before),
      isFatal: (error) => error instanceof RialtoError && !isTransient(error),
      onFatal: (error) => this.#fail(error),
      onWait: (error, waitMs) =>
        options.onEvent?.({ type: 'waiting', error: error as Error, waitMs }),
      firstWaitMs: options.firstWaitMs ?? 200,
      maxWaitMs: options.maxWaitMs ?? 15_000,
    });
  }

  get isConnected(): boolean {
    return this.#dialer.link !== undefined;
  }

  /** Waits until the socket is open, signed in and subscribed. Nothing else needs this call. */
  async connect(options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    await this.#ready(options.signal);
  }

  /** Follows one channel or several. Read it with `for await`, or give a handler. */
  subscribe<const C extends Channel>(
    channels: C | readonly C[],
    handler?: StreamHandler<C>,
  ): Subscription<C> {
    const list = [...new Set(typeof channels === 'string' ? [channels] : channels)];
    const max = this.#options.bufferMax ?? 1000;
    const owner = {
      release: (subscription: Subscription<Channel>) => this.#release(subscription),
      restart: (channel: Channel) => this.restart(channel),
    };
    const subscription = new Subscription<C>(owner, list, max, handler);
    if (this.#closed !== undefined) {
      subscription.finish(this.#closed);
      return subscription;
    }
    if (this.#login === undefined && list.some(isPrivate)) {
      subscription.finish(
        new Error(`${list.join(', ')}: private channels need { key, secret } or { ticket }.`),
      );
      return subscription;
    }
    const taken = list.find((name) => isPrivate(name) && this.#consumersOf(name).length > 0);
    if (taken !== undefined) {
      subscription.finish(
        new Error(`${taken} is followed already: use that subscription, or another Streams.`),
      );
      return subscription;
    }
    // Somebody else may follow the channel already; a newcomer begins with a snapshot all the same.
    for (const channel of list) {
      if (this.#consumersOf(channel).length > 0) this.#stale.add(channel);
    }
    this.#subscriptions.add(subscription as unknown as Subscription<Channel>);
    if (this.#dialer.link === undefined) this.#dialer.dial();
    else this.#settleSoon(this.#dialer.link);
    return subscription;
  }

  /** Begins a channel again with a snapshot, for all who follow it. */
  restart(channel: Channel): void {
    this.#stale.add(channel);
    if (this.#dialer.link !== undefined) this.#settleSoon(this.#dialer.link);
  }

  /**
   * Orders placed through this socket are canceled `graceMs` after it is lost, unless it comes back before. `close` ends in
   * order and cancels nothing.
   */
  async cancelOnDisconnect(setting: CancelOnDisconnect): Promise<void> {
    const link = await this.#ready();
    this.#cancelOnDisconnect = setting.isEnabled === false ? undefined : setting;
    try {
      await ask(link, 'cancel_on_disconnect', toMembers(setting));
      // To come back, the number of the last event has to be known.
      await this.#followOwn(link, []);
    } catch (error) {
      if (!(error instanceof LostAnswer)) throw error;
      // Every new connection begins with it.
      await this.#ready();
    }
  }

  /** Signs out in order and ends everything. Loops over subscriptions end. */
  async close(): Promise<void> {
    if (this.#closed !== undefined) return;
    this.#closed = new Error('The streams were closed by this program.');
    const { link } = this.#dialer;
    this.#dialer.stop(this.#closed);
    for (const subscription of this.#subscriptions) subscription.finish(undefined);
    if (link !== undefined) await this.#signOut(link, CLOSE_WITHIN_MS);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #ready(signal?: AbortSignal): Promise<Link> {
    if (this.#closed !== undefined) throw this.#closed;
    signal?.throwIfAborted();
    const ready = this.#dialer.ready();
    return signal === undefined ? ready : endedBy(ready, signal);
  }

  async #open(): Promise<Link> {
    const linkOptions = await toLinkOptions(this.#options);
    const link = new Link(linkOptions, {
      onPush: (push, from) => this.#take(push, from),
      onClosing: (notice, from) => this.#leave(notice, from),
      onEnd: (end, from) => this.#ended(end, from),
      clock: this.#clock,
    });
    try {
      await link.opened;
      await this.#login?.signIn(link);
      if (this.#cancelOnDisconnect !== undefined) {
        await ask(link, 'cancel_on_disconnect', toMembers(this.#cancelOnDisconnect));
        const follows = [...this.#subscriptions].some(({ channels }) => channels.some(isPrivate));
        if (!follows) await this.#followOwn(link, []);
      }
      await this.#settle(link);
      return link;
    } catch (error) {
      link.end();
      throw error;
    }
  }

  #serve(link: Link, before: Link | undefined): void {
    this.#options.onEvent?.({ type: 'connected' });
    // What was asked for while it was being made ready.
    this.#settleSoon(link);
    if (before !== undefined) void this.#retire(before);
  }

  /**
   * Lets a replaced connection answer what is under way, then ends it. Its guarded orders go over to the new connection when
   * it drops; without them it signs out.
   */
  async #retire(link: Link): Promise<void> {
    const deadline = performance.now() + RETIRE_WITHIN_MS;
    while (link.pending > 0 && !link.isEnded && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    if (this.#cancelOnDisconnect === undefined) await this.#signOut(link, CLOSE_WITHIN_MS);
    else link.end();
  }

  #followOwn(link: Link, channels: readonly PrivateChannel[]): Promise<void> {
    const isGuarded = this.#cancelOnDisconnect !== undefined;
    return this.#private.follow(link, channels, { isGuarded });
  }

  async #signOut(link: Link, withinMs: number): Promise<void> {
    if (this.#login !== undefined && !link.isEnded) {
      const late = setTimeout(() => link.end(), withinMs);
      await link.request('logout').catch(() => {});
      clearTimeout(late);
    }
    link.end();
  }

  #leave(notice: Closing, link: Link): void {
    if (link !== this.#dialer.link) return;
    this.#options.onEvent?.({ type: 'closing', reason: notice.reason });
    this.#dialer.dial(Math.random() * Math.min(SPREAD_MS, this.#options.maxWaitMs ?? SPREAD_MS));
  }

  #ended(end: LinkEnd, link: Link): void {
    for (const [channel, from] of this.#readFrom) {
      if (from !== link) continue;
      this.#readFrom.delete(channel);
      // A replacement that failed had taken the channel over; the present connection has to begin it again.
      if (this.#dialer.link !== undefined && this.#dialer.link !== link) this.#stale.add(channel);
    }
    if (this.#closed !== undefined) return;
    if (link !== this.#dialer.link) {
      if (this.#dialer.link !== undefined) this.#settleSoon(this.#dialer.link);
      return;
    }
    this.#options.onEvent?.({ type: 'disconnected', code: end.code, reason: end.reason });
    if (end.code === KEY_REVOKED) {
      this.#fail(new Error('The key was revoked or may no longer be used from here (4002).'));
    } else {
      this.#dialer.ended(link, end);
    }
  }

  #fail(error: Error): void {
    this.#closed ??= error;
    this.#dialer.stop(error);
    for (const subscription of this.#subscriptions) subscription.finish(error);
  }

  #release(subscription: Subscription<Channel>): void {
    if (!this.#subscriptions.delete(subscription)) return;
    if (this.#dialer.link !== undefined && this.#closed === undefined) {
      this.#settleSoon(this.#dialer.link);
    }
  }

  #consumersOf(channel: string): Subscription<Channel>[] {
    return [...this.#subscriptions].filter(({ channels }) =>
      (channels as readonly string[]).includes(channel),
    );
  }

  #take(push: Push, link: Link): void {
    if (isPrivate(push.channel)) {
      this.#private.take(push, link);
      return;
    }
    const from = this.#readFrom.get(push.channel);
    if (from !== link) {
      if (from !== undefined && from.number > link.number) return;
      this.#readFrom.set(push.channel, link);
    }
    const { kind: _kind, streamSeq: _seq, engineSeq: _engine, ...event } = push;
    for (const subscription of this.#consumersOf(push.channel)) {
      subscription.deliver(event as unknown as StreamEvent<Channel>);
    }
  }

  /** Makes the connection's channels those that are wanted, now or soon; errors of the connection show at its end. */
  #settleSoon(link: Link): void {
    const before = this.#settling.get(link) ?? Promise.resolve();
    const next = before
      .then(() => this.#settle(link))
      .catch((error: unknown) => {
        if (error instanceof LostAnswer || link.isEnded) return;
        setTimeout(() => this.#settleSoon(link), RETRY_MS);
      });
    this.#settling.set(link, next);
  }

  async #settle(link: Link): Promise<void> {
    while (!link.isEnded) {
      const wanted = new Set<string>([...this.#subscriptions].flatMap(({ channels }) => channels));
      const over = [...link.channels].filter((name) => !wanted.has(name) || this.#stale.has(name));
      if (over.length > 0) {
        for (const channel of over) this.#stale.delete(channel);
        await ask(link, 'unsubscribe', { channels: over });
        for (const channel of over) link.channels.delete(channel);
        continue;
      }
      const missing = [...wanted].filter((name) => !link.channels.has(name));
      for (const channel of missing) this.#stale.delete(channel);
      if (missing.length === 0) break;
      const own = missing.filter(isPrivate);
      await this.#add(link, own.length > 0 ? own : missing.slice(0, CHANNELS_PER_FRAME));
    }
    for (const subscription of this.#subscriptions) {
      if (subscription.channels.every((name) => link.channels.has(name))) subscription.confirm();
    }
  }

  /** A refusal refuses all channels of a frame, so the one that is wrong is looked for by halves. */
  async #add(link: Link, channels: readonly string[]): Promise<void> {
    try {
      if (channels.every(isPrivate)) await this.#followOwn(link, channels);
      else await ask(link, 'subscribe', { channels });
      for (const channel of channels) link.channels.add(channel);
    } catch (error) {
      if (!(error instanceof RialtoError) || isTransient(error)) throw error;
      if (channels.length > 1) {
        const half = channels.length >> 1;
        await this.#add(link, channels.slice(0, half));
        await this.#add(link, channels.slice(half));
        return;
      }
      for (const subscription of this.#consumersOf(channels[0] as string)) {
        subscription.finish(error);
      }
    }
  }
}

const toMembers = ({ isEnabled = true, graceMs }: CancelOnDisconnect) => ({
  enabled: isEnabled,
  graceMs: String(graceMs),
});
