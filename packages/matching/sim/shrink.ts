// Shortens a failing list of commands: drops halves, then quarters, down to single commands, as
// long as it still fails, within a time limit.

import type { Command } from '../src/command.ts';
import { findViolation } from './agreement.ts';
import type { Core, Violation } from './violation.ts';
import type { Beginning } from './twin/model.ts';

export interface Shrunk {
  commands: Command[];
  violation: Violation;
}

export function shrink(
  core: Core,
  commands: readonly Command[],
  beginning: Beginning,
  msMax: number,
): Shrunk | undefined {
  const deadline = performance.now() + msMax;
  const first = findViolation(core, commands, beginning);
  if (first === undefined) return undefined;
  let best = commands.slice(0, first.index + 1);
  let violation = first;
  for (
    let size = Math.ceil(best.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let at = 0; at < best.length;) {
      if (performance.now() > deadline) return { commands: best, violation };
      const candidate = [...best.slice(0, at), ...best.slice(at + size)];
      const found = findViolation(core, candidate, beginning);
      if (found === undefined) at += size;
      else {
        violation = found;
        best = candidate.slice(0, found.index + 1);
      }
    }
  }
  return { commands: best, violation };
}
