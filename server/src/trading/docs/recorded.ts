// Answers that were recorded from the demo (`npm run record-examples`); the document shows them as examples.
import { readFileSync } from 'node:fs';
import { findInstalled } from '../../platform/std/installed.ts';

type Calls = Readonly<Record<string, { readonly answer: unknown }>>;

const readCalls = (): Calls => {
  const file = findInstalled('contracts/examples/trading.json');
  if (file === undefined) return {};
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly calls: Calls }).calls;
};

let calls: Calls | undefined;

/** By the name of the route; a few have none, for a stated reason. */
export const findRecordedAnswer = (name: string): unknown => (calls ??= readCalls())[name]?.answer;
