// The lines of a paragraph. Somebody who writes one line in Persian and the next in English means two directions.
import { directionOf, sideOf } from './direction.ts';
import type { Direction, Inline } from './nodes.ts';

export interface Line {
  readonly direction: Direction;
  readonly children: readonly Inline[];
}

/** The lines with their directions, if these differ; undefined if the whole paragraph has one. */
export function splitLines(nodes: readonly Inline[]): readonly Line[] | undefined {
  if (!nodes.some(({ kind }) => kind === 'break')) return undefined;
  const lines: Inline[][] = [[]];
  for (const node of nodes) {
    if (node.kind === 'break') lines.push([]);
    else lines.at(-1)?.push(node);
  }
  const split = lines.map((children) => ({ direction: directionOf(children), children }));
  const sides = new Set(split.flatMap(({ children }) => sideOf(children) ?? []));
  return sides.size > 1 ? split : undefined;
}
