// The output of `rialto admin`: columns for people, JSON for programs.

export interface JsonOption {
  json?: boolean;
}

export type Cell = string | number | boolean | null;
export type OutputFields = Readonly<Record<string, Cell>>;

const NAME_WIDTH_MIN = 14;

export function printFields({ json }: JsonOption, fields: OutputFields): void {
  if (json === true) {
    console.log(JSON.stringify(fields));
    return;
  }
  const names = Object.keys(fields);
  const width = Math.max(NAME_WIDTH_MIN, ...names.map((name) => name.length + 1));
  for (const [name, value] of Object.entries(fields)) {
    console.log(`${name.padEnd(width)}${value ?? ''}`);
  }
}

/** Rows of equal fields; `none` is printed when there are none. */
export function printRows({ json }: JsonOption, rows: readonly OutputFields[], none: string): void {
  if (json === true) {
    console.log(JSON.stringify(rows));
    return;
  }
  const [first] = rows;
  if (first === undefined) {
    console.log(none);
    return;
  }
  const names = Object.keys(first);
  const cells = rows.map((row) => names.map((name) => String(row[name] ?? '')));
  const widths = names.map((name, column) =>
    Math.max(name.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  console.log([names, ...cells].map(line).join('\n'));
}
