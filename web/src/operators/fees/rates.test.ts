import { expect, it } from 'vitest';
import { makerProblem, millionthsOf, takerProblem } from './rates.ts';

it.each([
  ['0.1', '1000'],
  ['-0.005', '-50'],
  ['0', '0'],
  ['0.0001', '1'],
])('%s percent are %s millionths', (percent, millionths) => {
  expect(millionthsOf(percent)).toBe(millionths);
});

it.each([
  ['', 'missing'],
  ['0.00001', 'decimals'],
  ['-0.1', 'range'],
  ['10.1', 'range'],
  ['10', undefined],
  ['0.20000', undefined],
])('a taker rate of %j: %j', (percent, problem) => {
  expect(takerProblem(percent)).toBe(problem);
});

it.each([
  ['-0.2', '0.1', 'rebate'],
  ['-0.1', '0.1', undefined],
  ['-0.1', '', 'rebate'],
  ['11', '0.1', 'range'],
  ['0.05', '0.1', undefined],
])('a maker rate of %j with a taker rate of %j: %j', (maker, taker, problem) => {
  expect(makerProblem(maker, taker)).toBe(problem);
});
