// Prints the figures of benchmarks and proofs for machines: one JSON object per line and figure.

export interface Figure {
  readonly figure: string;
  readonly goal: number;
  readonly met: boolean;
  readonly [extra: string]: unknown;
}

/** Writes every figure as one line of JSON on standard output. */
export function printFigures(figures: readonly Figure[]): void {
  for (const figure of figures) console.log(JSON.stringify(figure));
}

/** An aligned table, on standard error so that standard output stays for machines. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    console.error(cells.join('   '));
  }
}
