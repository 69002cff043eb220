// How arrow keys move through the cells of the book. Pure but for the elements it is given.

const STEPS: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-5, 0],
  PageDown: [5, 0],
};

/** The cell that a key leads to; undefined for another key, or at the edge. */
export function cellAfter(
  grid: HTMLElement,
  from: HTMLElement,
  key: string,
  isMirrored: boolean,
): HTMLElement | undefined {
  const rows = [...grid.querySelectorAll<HTMLElement>('[data-row]:not([hidden])')].map((row) => [
    ...row.querySelectorAll<HTMLElement>('[data-cell]'),
  ]);
  const row = rows.findIndex((cells) => cells.includes(from));
  const column = rows[row]?.indexOf(from) ?? 0;
  if (key === 'Home') return rows[0]?.[column];
  if (key === 'End') return rows.at(-1)?.[column];
  const [down, across] = STEPS[key] ?? [0, 0];
  if (row < 0 || (down === 0 && across === 0)) return undefined;
  const nextRow = Math.min(rows.length - 1, Math.max(0, row + down));
  return rows[nextRow]?.[column + (isMirrored ? -across : across)];
}
