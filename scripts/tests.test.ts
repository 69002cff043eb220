import { expect, it } from 'vitest';
import { describeFlickers, replaceFiles, ROOT, type TestFile } from './tests.ts';

const file = (name: string, ...statuses: readonly string[]): TestFile => ({
  name: `${ROOT}${name}`,
  status: statuses.includes('failed') ? 'failed' : 'passed',
  assertionResults: statuses.map((status, index) => ({ fullName: `test ${index}`, status })),
});

it('a flaky test is named by file and title, and so is a flaky set-up', () => {
  const said = describeFlickers([
    file('a.test.ts', 'passed', 'failed'),
    { ...file('b.test.ts'), status: 'failed' },
  ]);
  expect(said.split('\n').slice(1)).toEqual(['  a.test.ts: test 1', '  b.test.ts: its set-up']);
});

it('later results of a file replace its earlier ones, and no others', () => {
  const [a, b] = [file('a.test.ts', 'failed'), file('b.test.ts', 'passed')];
  const again = file('a.test.ts', 'passed');
  expect(replaceFiles([a, b], [again])).toEqual([again, b]);
});
