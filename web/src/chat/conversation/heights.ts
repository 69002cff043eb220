// Heights of rows by their key and the width of the list, so that a conversation which was open before is laid out
// exactly before anything is measured.

const WIDTHS_MAX = 4;
const ROWS_MAX = 8_000;

export class Heights {
  readonly #byWidth = new Map<number, Map<string, number>>();
  /** The width of the list now; 0 until there is one. */
  width = 0;

  get(key: string): number | undefined {
    return this.#byWidth.get(this.width)?.get(key);
  }

  set(key: string, height: number): void {
    const { width } = this;
    if (width === 0) return;
    const rows = this.#byWidth.get(width) ?? new Map<string, number>();
    // Deleting and setting makes it the newest, so the first ones are those to drop.
    this.#byWidth.delete(width);
    this.#byWidth.set(width, rows);
    dropFirst(this.#byWidth, WIDTHS_MAX);
    rows.delete(key);
    rows.set(key, height);
    dropFirst(rows, ROWS_MAX);
  }
}

function dropFirst<K, V>(map: Map<K, V>, max: number): void {
  for (const key of map.keys()) {
    if (map.size <= max) return;
    map.delete(key);
  }
}
