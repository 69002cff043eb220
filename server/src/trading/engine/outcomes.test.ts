import { isDeepStrictEqual } from 'node:util';
import type { Outcome } from '@rialto/matching';
import { expect, it } from 'vitest';
import { Workload } from '../../../../packages/matching/sim/workload.ts';
import { decodeCommand, encodeCommand } from './command.ts';
import { Machine } from './machine.ts';
import { openOutcome, unpackOutcomes } from './outcomes.ts';
import { firstConfig } from './recover.ts';

const COMMANDS = 4000;

interface Answered {
  readonly text: string;
  readonly whole: Outcome;
}

/** The answers of an engine to commands of every kind, each also decoded whole. */
function drawAnswers(seed: bigint): Answered[] {
  const workload = new Workload(seed);
  const machine = Machine.empty(firstConfig(0));
  return Array.from({ length: COMMANDS }, () => {
    const draft = machine.begin();
    const { time, ...command } = workload.next();
    const line = encodeCommand(command);
    const text = `{${machine.apply(draft, decodeCommand(line, time), line)}}`;
    if (draft.lines.length > 0) machine.seal(draft);
    const whole = unpackOutcomes(text)[0];
    if (whole === undefined) throw new Error('a command has an outcome');
    workload.observe(whole);
    return { text, whole };
  });
}

it('an answer has the same result and steps whether it is opened quickly or decoded whole', () => {
  const answers = drawAnswers(11n);
  const kinds = new Set<string>();
  for (const { text, whole } of answers) {
    const opened = openOutcome(text);
    kinds.add(whole.result.kind);
    // Compared one by one: a difference of thousands of answers would take minutes to print.
    if (!isDeepStrictEqual(opened.result, whole.result))
      expect(opened.result).toEqual(whole.result);
    if (!isDeepStrictEqual(opened.steps, whole.steps)) expect(opened.steps).toEqual(whole.steps);
  }
  for (const kind of ['placed', 'rejected', 'batch', 'canceled', 'amended', 'listed', 'replaced']) {
    expect(kinds).toContain(kind);
  }
});

it('an outcome stays as it was when the next answers are opened', () => {
  const answers = drawAnswers(12n).slice(-500);
  const opened = answers.map(({ text }) => openOutcome(text));
  const changed = answers.filter(
    ({ whole }, index) => !isDeepStrictEqual(opened[index]?.result, whole.result),
  );
  expect(changed).toHaveLength(0);
});

it('an answer that another release writes otherwise is understood too', () => {
  const placed = drawAnswers(13n).find(({ whole }) => whole.result.kind === 'placed');
  if (placed === undefined) throw new Error('no order was placed');
  const { tape, names, notes, fromNote } = JSON.parse(placed.text) as Record<string, unknown>;
  const others = [
    { names, tape, notes, fromNote },
    { tape, more: 'a new member', names, notes, fromNote },
    { tape, names, fromNote, notes },
    { tape, names, notes, fromNote, more: ',"notes":[]' },
  ];
  for (const other of others) {
    expect(openOutcome(JSON.stringify(other)).result).toEqual(placed.whole.result);
  }
  expect(() => openOutcome('{}')).toThrow();
  expect(() => openOutcome('{"tape":"","names":{},"notes":[],"fromNote":0}')).toThrow();
});
