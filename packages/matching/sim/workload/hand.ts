// What every part of the workload draws with: the venue as it was observed, and the moments, owners and names of commands.

import type { Command, Side } from '../../src/command.ts';
import { moneyKey, Observed } from '../observed.ts';
import type { Random } from '../random.ts';
import { TermsDrawer } from '../terms.ts';
import type { Operation, World } from '../world.ts';

/** Draws another command of a kind. */
export type Draw = (op: Operation) => Command;

const START_MS = 1_760_000_000_000;

/** The one hand that all parts draw with, so that a seed gives the same commands however they are divided into files. */
export class Hand {
  readonly r: Random;
  readonly world: World;
  readonly observed: Observed;
  readonly terms: TermsDrawer;
  /** Commands that come before anything else is drawn. */
  readonly pending: Command[] = [];
  /** The latest movements of money. */
  readonly money: Command[] = [];
  #now = START_MS;

  constructor(r: Random, world: World) {
    this.r = r;
    this.world = world;
    this.observed = new Observed(world);
    this.terms = new TermsDrawer(r, this.observed);
    this.terms.time = this.#now;
  }

  get time(): number {
    return this.#now;
  }

  set time(time: number) {
    this.#now = time;
    this.terms.time = time;
  }

  checkpoint(): number {
    return this.r.chance(0.9) ? this.observed.seq : this.r.below(this.observed.seq + 1);
  }

  /**
   * A caller that repeats a command has not seen its first attempt in the projection, or it would
   * not ask. So the projection it looked at ends before that attempt.
   */
  blindCheckpoint(key: string): number {
    const seq = this.observed.honoured.get(key);
    if (seq === undefined) return this.checkpoint();
    return this.r.chance(0.8) ? seq - 1 : this.r.below(seq);
  }

  /** The empty key is of a command without a name, which nobody repeats. */
  checkpointOf(key: string): number {
    return key === '' ? this.checkpoint() : this.blindCheckpoint(key);
  }

  account(): number {
    const { accounts } = this.world;
    return this.r.chance(0.002) ? 5 : this.r.pick(accounts);
  }

  symbol(): string {
    return this.r.chance(0.01) ? 'nosuch' : this.r.pick(this.world.markets).config.symbol;
  }

  side(): Side {
    return this.r.chance(0.5) ? 'buy' : 'sell';
  }

  ref(order: { orderId: number; clientOrderId: string }): {
    orderId?: number;
    clientOrderId?: string;
  } {
    return order.clientOrderId !== '' && this.r.chance(0.5)
      ? { clientOrderId: order.clientOrderId }
      : { orderId: order.orderId };
  }

  /** Two stories of a deposit may draw the same part, and then the second one is a repetition. */
  unseen<C extends Command & { checkpoint: number }>(command: C): C {
    const key = moneyKey(command);
    return this.observed.honoured.has(key)
      ? { ...command, checkpoint: this.blindCheckpoint(key) }
      : command;
  }

  moved(command: Command): Command {
    this.money.push(command);
    if (this.money.length > 60) this.money.shift();
    return command;
  }
}
