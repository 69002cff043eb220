// A model of the venue behind the socket, for tests of what a client does with it: one account, its numbered events, orders
// by client id, and a book channel. Connections can be cut at every frame, before or after the venue has acted on it.

type Listener = (event: never) => void;
type Frame = Record<string, unknown>;

export interface ModelOptions {
  /** Whether the connection is cut at this frame; the venue may have acted on it or not. */
  cutAt(point: 'before' | 'after' | 'push'): boolean;
  /** How many events can be resumed. */
  readonly window: number;
}

interface ModelEvent {
  readonly seq: number;
  readonly channel: 'orders' | 'my_trades' | 'balances';
  readonly data: unknown;
}

const COUNTED = ['orders', 'my_trades', 'balances'];

export class ModelVenue {
  readonly events: ModelEvent[] = [];
  readonly orders = new Map<string, { readonly orderId: string; readonly clientOrderId: string }>();
  readonly sockets = new Set<ModelSocket>();
  readonly options: ModelOptions;
  opened = 0;
  /** While true, nobody can connect. */
  isDown = false;

  constructor(options: ModelOptions) {
    this.options = options;
  }

  get seq(): number {
    return this.events.length;
  }

  /** For `new Streams({ WebSocket })`. */
  get WebSocket(): typeof WebSocket {
    const open = (url: string) => new ModelSocket(this, url);
    return function ModelWebSocket(url: string) {
      return open(url);
    } as unknown as typeof WebSocket;
  }

  /** Something happens to the account. */
  emit(channel: ModelEvent['channel'], data: unknown): void {
    const event = { seq: this.seq + 1, channel, data };
    this.events.push(event);
    for (const socket of new Set(this.sockets)) socket.tell(event);
  }

  /** An event of a public channel. */
  publish(channel: string, data: unknown): void {
    for (const socket of new Set(this.sockets)) {
      if (socket.channels.has(channel)) socket.push({ channel, type: 'update', time: '1', data });
    }
  }

  announceClose(): void {
    for (const socket of new Set(this.sockets))
      socket.push({ type: 'closing', reason: 'age', time: '1' });
  }

  act(socket: ModelSocket, { op, ...frame }: Frame): Frame {
    switch (op) {
      case 'login':
        socket.isSignedIn = true;
        return { result: { accountId: '1' } };
      case 'logout':
        socket.isSignedIn = false;
        return { result: {} };
      case 'subscribe':
        return this.#subscribe(socket, frame['channels'] as string[]);
      case 'unsubscribe':
        for (const name of frame['channels'] as string[]) socket.channels.delete(name);
        return { result: {} };
      case 'resume':
        return this.#resume(socket, Number(frame['fromSeq']), frame['channels'] as string[]);
      case 'order.create':
        return this.#place(frame['params'] as { clientOrderId: string });
      default:
        return { result: {} };
    }
  }

  #subscribe(socket: ModelSocket, channels: string[]): Frame {
    const wrong = channels.find((name) => name.endsWith(':nosuch'));
    if (wrong !== undefined) return refusal('4001', `There is no market in ${wrong}.`);
    const fresh = channels.filter((name) => !socket.channels.has(name));
    const snapshots = fresh.map((channel) => () => {
      socket.channels.add(channel);
      if (channel === 'my_trades') return;
      const data =
        channel === 'orders'
          ? [...this.orders.values()]
          : channel === 'balances'
            ? []
            : { at: this.opened };
      const numbers = COUNTED.includes(channel) ? { streamSeq: String(this.seq) } : {};
      socket.push({ channel, type: 'snapshot', time: '1', data, ...numbers });
    });
    return { result: { subscribed: channels }, after: () => snapshots.forEach((send) => send()) };
  }

  #resume(socket: ModelSocket, fromSeq: number, channels: string[]): Frame {
    if (this.seq - fromSeq > this.options.window) {
      return refusal('2011', 'Too old.', { streamSeq: String(this.seq) });
    }
    const missed = this.events.slice(fromSeq);
    return {
      result: { streamSeq: String(this.seq) },
      after: () => {
        for (const name of channels) socket.channels.add(name);
        for (const event of missed) socket.tell(event);
      },
    };
  }

  #place({ clientOrderId }: { clientOrderId: string }): Frame {
    const known = this.orders.get(clientOrderId);
    if (known !== undefined) return { result: known };
    const order = { orderId: String(this.orders.size + 1), clientOrderId };
    this.orders.set(clientOrderId, order);
    this.emit('orders', order);
    return { result: order };
  }
}

const refusal = (code: string, message: string, details: Frame = {}): Frame => ({
  error: { code, name: 'REFUSED', message, details },
});

class ModelSocket {
  readonly channels = new Set<string>();
  isSignedIn = false;
  #venue: ModelVenue;
  #listeners = new Map<string, Listener[]>();
  #isOpen = false;
  #isOver = false;
  /** Frames on their way to the client, in order. */
  #way: Promise<void> = Promise.resolve();

  constructor(venue: ModelVenue, _url: string) {
    this.#venue = venue;
    setImmediate(() => {
      if (this.#isOver) return;
      if (venue.isDown) return this.drop(1006);
      this.#isOpen = true;
      venue.opened += 1;
      venue.sockets.add(this);
      this.#emit('open', {});
    });
  }

  addEventListener(name: string, listener: Listener): void {
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), listener]);
  }

  send(text: string): void {
    if (!this.#isOpen) return;
    const { id, ...frame } = JSON.parse(text) as Frame;
    setImmediate(() => {
      if (!this.#isOpen) return;
      if (this.#venue.options.cutAt('before')) return this.drop(1006);
      const { after, ...answer } = this.#venue.act(this, frame);
      if (this.#venue.options.cutAt('after')) return this.drop(1006);
      const status = 'error' in answer ? 'false' : 'true';
      this.#deliver({ id, op: frame['op'], status, serverTime: String(Date.now()), ...answer });
      (after as (() => void) | undefined)?.();
    });
  }

  /** The client closes. */
  close(): void {
    this.drop(1000);
  }

  tell({ seq, channel, data }: ModelEvent): void {
    if (!this.channels.has(channel)) return;
    this.push({
      channel,
      type: 'update',
      time: '1',
      data,
      streamSeq: String(seq),
      engineSeq: String(seq),
    });
  }

  push(frame: Frame): void {
    if (!this.#isOpen) return;
    if (this.#venue.options.cutAt('push')) return this.drop(1006);
    this.#deliver(frame);
  }

  drop(code: number): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#isOpen = false;
    this.#venue.sockets.delete(this);
    setImmediate(() => this.#emit('close', { code, reason: '' }));
  }

  /** What was sent before a cut may still arrive, as on a network. */
  #deliver(frame: Frame): void {
    const data = JSON.stringify(frame);
    this.#way = this.#way.then(
      () => new Promise((resolve) => setImmediate(() => resolve(this.#emit('message', { data })))),
    );
  }

  #emit(name: string, event: unknown): void {
    for (const listener of this.#listeners.get(name) ?? []) listener(event as never);
  }
}
