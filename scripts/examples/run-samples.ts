// Runs samples one after the other in one process, because starting Node and loading the SDK for each takes longer than
// all of them. A line in: {"file", "env"}. A line out: {"printed"}, or {"error"} with what was thrown.
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { format, inspect } from 'node:util';

const own = { ...process.env };
let count = 0;

for await (const line of createInterface({ input: process.stdin })) {
  const { file, env } = JSON.parse(line) as { file: string; env: Record<string, string> };
  process.env = { ...own, ...env };
  let printed = '';
  console.log = (...values: unknown[]) => (printed += `${format(...values)}\n`);
  count += 1;
  let answer: object;
  try {
    // A module runs once; another question makes it another module.
    await import(`${pathToFileURL(file).href}?${count}`);
    answer = { printed };
  } catch (error) {
    answer = { error: inspect(error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
