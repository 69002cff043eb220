import { expect, it } from 'vitest';
import { gatherRuns } from './runs.ts';

const run = (rate: number, ratio: number) => [
  { figure: 'send', ours: rate, ratio, unit: 'messages/s', goal: 0.6, met: ratio >= 0.6 },
];

it('several runs show the median of each number with the smallest and the largest, and how many met the goal', () => {
  expect(gatherRuns([run(700, 0.5), run(900, 0.7), run(800, 0.6)])).toEqual([
    ['figure', 'met', 'median (smallest to largest)'],
    ['send', '2 of 3', 'ours 800 (700 to 900), ratio 0.6 (0.5 to 0.7)'],
  ]);
});

it('a figure that only one run has is shown from that run', () => {
  const other = { figure: 'other', value: 1, goal: 2, met: true };
  expect(gatherRuns([run(1, 1), [other]]).at(-1)).toEqual(['other', '1 of 1', 'value 1 (1 to 1)']);
});
