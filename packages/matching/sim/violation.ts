// The core that a simulation runs, and the error it throws when it has found something.

import type * as coreModule from '../src/index.ts';

/** The core under test; a mutant is another copy of the same module. */
export type Core = typeof coreModule;

export class Violation extends Error {
  override name = 'Violation';
  /** Index of the command, from the first. */
  readonly index: number;
  constructor(message: string, index: number) {
    super(message);
    this.index = index;
  }
}
