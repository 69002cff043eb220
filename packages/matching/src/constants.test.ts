import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as scratchCells from './core/scratch.ts';
import * as names from './names.ts';
import * as record from './record.ts';
import * as wide from './wide.ts';

/** What nearly every command runs through. */
const HOT: readonly string[] = (
  'book finished finished-entry own-orders tables client-key state core/cancel core/check core/execute core/finish ' +
  'core/place core/recall core/settle core/step core/walk'
).split(' ');
const NUMBERS: Readonly<Record<string, unknown>> = {
  ...names,
  ...record,
  ...wide,
  ...scratchCells,
};
const IMPORTS = /^import \{([^}]*)\} from '[./a-z-]*(?:names|record|wide|scratch)\.ts';$/gm;

describe('constants of the hot path', () => {
  // An imported number is read from its module and checked at every use; see decision 0114.
  it.each(HOT)('are local in %s', (name) => {
    const source = readFileSync(new URL(`${name}.ts`, import.meta.url), 'utf8');
    const imported = [...source.matchAll(IMPORTS)].flatMap(([, list = '']) =>
      list.split(',').map((one) => one.trim()),
    );
    expect(imported.filter((one) => typeof NUMBERS[one] === 'number')).toEqual([]);
  });
});
