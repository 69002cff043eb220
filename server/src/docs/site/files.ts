// Reads what the site is made of.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findInstalled } from '../../platform/std/installed.ts';
import type { SourceInput } from './page.ts';

/** The folder that has `docs` and `contracts`. */
export function findRoot(): string {
  const docs = findInstalled('docs');
  if (docs === undefined) throw new Error('The texts of the documentation are not installed.');
  return dirname(docs);
}

export function readFrom(root: string): Pick<SourceInput, 'readFile' | 'listFiles'> {
  return {
    readFile: (path) => readFileSync(join(root, path), 'utf8'),
    listFiles: (folder) =>
      globSync(`${folder}/**/*`, { cwd: root })
        .filter((path) => /\.\w+$/.test(path))
        .sort(),
  };
}
