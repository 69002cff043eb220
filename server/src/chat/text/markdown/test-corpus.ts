// Loads the two corpora: texts with their HTML, and hostile texts that must never become dangerous or slow.
import { readFileSync } from 'node:fs';

export interface Case {
  readonly group: string;
  readonly input: string;
  readonly html: string;
}

export interface Hostile {
  readonly group: string;
  readonly input: string;
}

type StoredHostile = { readonly group: string } & (
  | { readonly input: string }
  | {
      readonly prefix: string;
      readonly unit: string;
      readonly count: number;
      readonly suffix: string;
    }
);

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`./corpus/${name}`, import.meta.url), 'utf8'));

export const readCases = (): readonly Case[] => read('cases.json') as Case[];

/** Long inputs are stored as a repeated unit. */
export const readHostile = (): readonly Hostile[] =>
  (read('hostile.json') as StoredHostile[]).map((stored) => ({
    group: stored.group,
    input:
      'input' in stored
        ? stored.input
        : stored.prefix + stored.unit.repeat(stored.count) + stored.suffix,
  }));
