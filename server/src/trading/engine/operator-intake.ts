// Puts operators' commands into the engine's queue: each only once until it is answered, and movements of money
// in their order.
import type { Poisons } from './poisons.ts';
import type { CommandIntake, IntakeQueue, Wave } from './queue.ts';
import { parseCommand } from './shapes.ts';
import type { WaitingCommand } from './operator-store.ts';

/** It made the core throw before. */
export class Poisonous extends Error {
  override name = 'Poisonous';
}

export interface OperatorIntakeOptions {
  readonly queue: IntakeQueue;
  readonly poisons: Poisons;
  onAnswered(): void;
}

export class OperatorIntake {
  readonly #options: OperatorIntakeOptions;
  /** In the queue or just answered. Kept when the engine's memory is rebuilt, like the queue. */
  readonly #underWay = new Set<number>();
  /** Answered since the last look began. That look may have read their rows as still waiting. */
  #answered: number[] = [];
  /** Movements that went to the queue together. */
  #wave: Wave = { isStopped: false, open: 0 };

  constructor(options: OperatorIntakeOptions) {
    this.#options = options;
  }

  /** Call it before the rows are read again: rows answered before that are no longer among them. */
  beginLook(): void {
    for (const id of this.#answered) this.#underWay.delete(id);
    this.#answered = [];
    if (this.#wave.isStopped && this.#wave.open === 0) this.#wave = { isStopped: false, open: 0 };
  }

  get hasAnswered(): boolean {
    return this.#answered.length > 0;
  }

  /** Whether a movement has to be looked up first; it and those behind it wait for that. */
  get isWaveStopped(): boolean {
    return this.#wave.isStopped;
  }

  isUnderWay(id: number): boolean {
    return this.#underWay.has(id);
  }

  /** False when there is no room for it now. */
  take(row: WaitingCommand): boolean {
    return this.#take(row, undefined);
  }

  takeMovement(row: WaitingCommand): boolean {
    return this.#take(row, this.#wave);
  }

  #take({ id, command: text, act }: WaitingCommand, wave: Wave | undefined): boolean {
    const { queue, poisons, onAnswered } = this.#options;
    const answer = () => {
      if (wave !== undefined) wave.open -= 1;
      this.#answered.push(id);
      onAnswered();
    };
    const command = parseCommand(text, 'row');
    const fault = poisons.find(command, 'row');
    if (fault !== undefined) throw new Poisonous(fault);
    this.#underWay.add(id);
    if (act === 'account resume' && command.type === 'suspend_account') {
      poisons.release(command.account);
    }
    if (wave !== undefined) wave.open += 1;
    const item: CommandIntake = {
      kind: 'command',
      command,
      // In JSON a line break is white space, but in the journal it ends a command.
      text: /[\n\r]/.test(text) ? JSON.stringify(JSON.parse(text)) : text,
      deadlineMs: 0,
      operatorId: id,
      ...(wave === undefined ? {} : { wave }),
      answer,
    };
    const isTaken = queue.pushUrgent(item);
    if (!isTaken) answer();
    return isTaken;
  }
}
