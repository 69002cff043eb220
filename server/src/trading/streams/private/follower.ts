// One connection that follows the private channels of its account. Pushes leave in the order of their numbers, over
// all channels. While a snapshot or a replay is being read they are held back, so that nothing between it and the
// first update is lost or sent twice.
import type { TradingContext } from '../../context.ts';
import type { WalletEvent } from '../../custody/events.ts';
import type { Connection } from '../connection.ts';
import { printAccount } from './account-state.ts';
import type { AccountStream, Listener } from './account-stream.ts';
import type { PrivateFeed } from './feed.ts';
import type { NumberedPush } from './numbered.ts';
import { frame } from './print.ts';
import { readPushes } from './replay.ts';
import { readBase, type Base } from './snapshot.ts';
import { printWallet, printWalletEvent } from './wallet.ts';

export const PRIVATE_CHANNELS = ['orders', 'my_trades', 'balances', 'wallet', 'account'] as const;
/** Each push of these has a number of its own, and can be sent again. The others tell states. */
export const COUNTED = ['orders', 'my_trades', 'balances'] as const;
export type PrivateChannel = (typeof PRIVATE_CHANNELS)[number];

/** What the follower needs of its process. */
export interface FollowerServices {
  readonly ctx: TradingContext;
  readonly feed: PrivateFeed;
}

/** Pushes that wait for a snapshot or a replay; with more the connection is closed, and its client resumes. */
const HELD_MAX = 10_000;

export class Follower implements Listener {
  readonly #services: FollowerServices;
  readonly #connection: Connection;
  readonly #stream: AccountStream;
  readonly #live = new Set<PrivateChannel>();
  /** Channels that wait for their snapshot. */
  readonly #fresh = new Set<PrivateChannel>();
  #held: NumberedPush[] = [];
  /** How many tasks hold pushes back. */
  #holds = 0;
  #tasks: Promise<void> = Promise.resolve();
  #isGathering = false;
  #toldAccount = '';

  constructor(services: FollowerServices, connection: Connection, stream: AccountStream) {
    this.#services = services;
    this.#connection = connection;
    this.#stream = stream;
    stream.attach(this);
    connection.onClosed(() => this.end());
  }

  /** It gets nothing more. */
  end(): void {
    this.#stream.detach(this);
    this.#live.clear();
    this.#fresh.clear();
  }

  ready(): Promise<void> {
    return this.#stream.ready();
  }

  get seq(): number {
    return this.#stream.seq;
  }

  follows(channel: PrivateChannel): boolean {
    return this.#live.has(channel) || this.#fresh.has(channel);
  }

  /** The counted channels that it follows. */
  get counted(): PrivateChannel[] {
    return COUNTED.filter((name) => this.follows(name));
  }

  take(push: NumberedPush): void {
    if (this.#holds === 0) {
      this.#send(push);
      return;
    }
    this.#held.push(push);
    if (this.#held.length > HELD_MAX) this.#connection.close('slow');
  }

  /** What came before the snapshot is in it. */
  takeWallet(event: WalletEvent): void {
    if (this.#live.has('wallet')) this.#sendState('wallet', 'update', printWalletEvent(event));
  }

  lose(): void {
    this.#connection.close('shutdown');
  }

  /** Begins to follow a channel, with a snapshot first where it has one. */
  join(channel: PrivateChannel): void {
    if (this.follows(channel)) return;
    this.#fresh.add(channel);
    if (this.#isGathering) return;
    // Channels of one request get their snapshots together.
    this.#isGathering = true;
    this.#run(async () => {
      this.#isGathering = false;
      await this.#snapshot();
    });
  }

  leave(channel: PrivateChannel): void {
    this.#live.delete(channel);
    this.#fresh.delete(channel);
  }

  /**
   * Reads what came after a number. Until `go` or `drop` is called, pushes are held back; `go` sends what was read,
   * and follows the channels from there.
   */
  async resume(
    afterSeq: number,
    channels: readonly PrivateChannel[],
  ): Promise<{ seq: number; count: number; go(): void; drop(): void }> {
    this.#holds += 1;
    const drop = () => this.#release();
    try {
      await this.#tasks;
      const pushes = await readPushes(this.#services.ctx, this.#stream, afterSeq);
      const wanted = pushes.filter(({ push }) => channels.includes(push.channel));
      // What came meanwhile is held; what was read ends before it.
      const lastSeq = pushes.at(-1)?.seq ?? afterSeq;
      const go = () => {
        for (const push of wanted) this.#connection.send(push.message);
        this.#held = this.#held.filter(({ seq }) => seq > lastSeq);
        for (const channel of channels) {
          this.#fresh.delete(channel);
          this.#live.add(channel);
        }
        drop();
        // Its state is not in the replay, because it is not counted.
        if (this.#live.has('account')) void this.tellAccount(true);
      };
      return { seq: lastSeq, count: wanted.length, go, drop };
    } catch (error) {
      drop();
      throw error;
    }
  }

  /** Sends the state of the account if it differs from what was told, or in any case. */
  async tellAccount(always: boolean): Promise<void> {
    const { identity } = this.#connection;
    if (identity === undefined || !this.#live.has('account')) return;
    const state = await printAccount(this.#services.ctx, identity);
    if (!this.#live.has('account') || (!always && state === this.#toldAccount)) return;
    this.#sendState('account', this.#toldAccount === '' || always ? 'snapshot' : 'update', state);
    this.#toldAccount = state;
  }

  #run(work: () => Promise<void>): void {
    this.#holds += 1;
    this.#tasks = this.#tasks.then(work).then(
      () => this.#release(),
      (error: unknown) => {
        this.#services.ctx.log.warn({ err: error }, 'A private stream could not begin.');
        this.#connection.close('fault');
      },
    );
  }

  #release(): void {
    this.#holds -= 1;
    if (this.#holds > 0) return;
    const held = this.#held;
    this.#held = [];
    for (const push of held) this.#send(push);
  }

  async #snapshot(): Promise<void> {
    await this.#stream.ready();
    const wanted = [...this.#fresh];
    const { ctx, feed } = this.#services;
    const base = await readBase(ctx, feed, this.#stream, wanted);
    // From here on without a pause: what is held up to now is either sent or in the snapshot.
    const held = this.#held;
    this.#held = [];
    for (const push of held) {
      if (wanted.includes(push.push.channel) && push.push.channel !== 'my_trades') base.apply(push);
      else if (this.follows(push.push.channel)) this.#connection.send(push.message);
    }
    for (const channel of wanted) {
      // It may have been left meanwhile.
      if (!this.#fresh.delete(channel)) continue;
      this.#live.add(channel);
      if (channel === 'wallet') this.#run(() => this.#tellWallet());
      const data = this.#printSnapshot(base, channel);
      if (data !== undefined) this.#sendState(channel, 'snapshot', data);
    }
    if (wanted.includes('account')) await this.tellAccount(true);
  }

  /** Read after the channel is live: what changes meanwhile is told before or after it, and perhaps twice. */
  async #tellWallet(): Promise<void> {
    const data = await printWallet(this.#services.ctx, BigInt(this.#stream.account));
    if (this.#live.has('wallet')) this.#sendState('wallet', 'snapshot', data);
  }

  #printSnapshot(base: Base, channel: PrivateChannel): string | undefined {
    if (channel === 'orders') return base.printOrders();
    return channel === 'balances' ? base.printBalances() : undefined;
  }

  #sendState(channel: PrivateChannel, type: 'snapshot' | 'update', data: string): void {
    const { ctx, feed } = this.#services;
    const timeMs = Math.floor(ctx.clock.now());
    const engineSeq = Math.max(feed.engineSeq(), this.#stream.baseEngineSeq);
    this.#connection.sendText(frame(type, this.seq, { channel, timeMs, engineSeq }, data));
  }

  #send({ push, message }: NumberedPush): void {
    if (!this.#live.has(push.channel)) return;
    this.#connection.send(message);
    this.#services.ctx.metrics.streamSent(1, message.text.length);
  }
}
