// A small line of a day's prices. Only its shape counts: the figures are in the row beside it.

const WIDTH = 96;
const HEIGHT = 28;
const MARGIN = 2;
/** A line in whole steps of a thousandth of its height: no price becomes a float. */
const STEPS = 1000n;

/** As SVG; empty where there are too few prices for a line. */
export function renderSpark(closes: readonly bigint[]): string {
  const [first] = closes;
  const last = closes.at(-1);
  if (first === undefined || last === undefined || closes.length < 2) return '';
  const low = closes.reduce((a, b) => (b < a ? b : a));
  const high = closes.reduce((a, b) => (b > a ? b : a));
  const points = closes.map((close, index) => {
    const across = MARGIN + (index * (WIDTH - 2 * MARGIN)) / (closes.length - 1);
    const step = high === low ? STEPS / 2n : ((high - close) * STEPS) / (high - low);
    const down = MARGIN + (Number(step) * (HEIGHT - 2 * MARGIN)) / Number(STEPS);
    return `${across.toFixed(1)},${down.toFixed(1)}`;
  });
  return `<svg class="spark ${directionOf(first, last)}" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" aria-hidden="true"><polyline points="${points.join(' ')}"/></svg>`;
}

function directionOf(first: bigint, last: bigint): 'up' | 'down' | 'level' {
  if (first === last) return 'level';
  return last > first ? 'up' : 'down';
}
