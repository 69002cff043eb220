// Sends a signed message of requests to the leading engine, and returns the answers. When the engine is replaced,
// requests without an answer fail with an unknown outcome.
import { BusUnavailable, type Bus } from '../../platform/bus/bus.ts';
import { doorSubject, EngineFailure } from './door.ts';
import { followLeader, type Leader, type LeaderOptions } from './leader.ts';
import type { EngineSender } from './sender.ts';

/** How long answers that a replaced engine sent before may still arrive. */
const GRACE_MS = 250;

export interface ExchangeOptions extends Omit<LeaderOptions, 'onNew'> {
  readonly sender: EngineSender;
  /** How long to wait for an answer; then its outcome is unknown. */
  readonly answerMs: number;
}

export class Exchange {
  readonly leader: Leader;
  readonly #bus: Bus;
  readonly #shard: number;
  readonly #sender: EngineSender;
  readonly #answerMs: number;
  /** One function for each request that the present engine has not answered: it gives up waiting. */
  #unanswered = new Set<() => void>();

  constructor({ sender, answerMs, ...options }: ExchangeOptions) {
    this.#bus = options.bus;
    this.#shard = options.shard;
    this.#sender = sender;
    this.#answerMs = answerMs;
    this.leader = followLeader({ ...options, onNew: () => this.#giveUp() });
  }

  /** One answer for each line, in their order. */
  async ask(lines: readonly string[]): Promise<string[]> {
    const { leader } = this;
    if (leader.epoch() === 0) await leader.look();
    const asked = leader.epoch();
    if (asked === 0) throw new BusUnavailable('No engine has taken over yet.');
    try {
      return await this.#askOnce(asked, lines);
    } catch (error) {
      // No engine got it. Perhaps there is a new leader that this process does not know yet.
      if (!(error instanceof BusUnavailable)) throw error;
      await leader.look();
      if (leader.epoch() === asked) throw error;
      return this.#askOnce(leader.epoch(), lines);
    }
  }

  async #askOnce(epoch: number, lines: readonly string[]): Promise<string[]> {
    const { payload, open } = this.#sender.seal(epoch, lines);
    return open(await this.#request(epoch, payload));
  }

  #request(epoch: number, payload: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const ofEngine = this.#unanswered;
      const giveUp = () =>
        reject(new EngineFailure('unknown', 'The engine was replaced before it answered.'));
      ofEngine.add(giveUp);
      this.#bus
        .request(doorSubject(this.#shard, epoch), payload, this.#answerMs)
        .finally(() => ofEngine.delete(giveUp))
        .then(resolve, reject);
    });
  }

  #giveUp(): void {
    const lost = this.#unanswered;
    this.#unanswered = new Set();
    if (lost.size === 0) return;
    setTimeout(() => {
      for (const giveUp of lost) giveUp();
    }, GRACE_MS);
  }
}
