// The time that is looked at: some of the usual spans, or days that somebody names.

export const SPANS = ['any', 'day', 'week', 'month', 'days'] as const;
export type Span = (typeof SPANS)[number];

const DAY_SECONDS = 86_400;
const LENGTHS: Readonly<Partial<Record<Span, number>>> = {
  day: DAY_SECONDS,
  week: 7 * DAY_SECONDS,
  month: 30 * DAY_SECONDS,
};

export interface Period {
  readonly since?: number;
  readonly until?: number;
}

/**
 * Bounds as the API takes them. The days are those of a date field ("2026-11-16") and both belong to it; undefined if
 * they are the wrong way round.
 */
export function periodOf(
  span: Span,
  nowMs: number,
  first: string,
  last: string,
): Period | undefined {
  const length = LENGTHS[span];
  if (length !== undefined) return { since: Math.floor(nowMs / 1000) - length };
  if (span === 'any') return {};
  const since = startOf(first);
  const until = startOf(last, 1);
  if (since !== undefined && until !== undefined && since >= until) return undefined;
  return { ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
}

/** The first second of a day in the reader's zone, some days later. */
function startOf(day: string, daysLater = 0): number | undefined {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? [];
  if (year === undefined) return undefined;
  const at = new Date(Number(year), Number(month) - 1, Number(date) + daysLater).getTime();
  return Number.isNaN(at) || at < 0 ? undefined : Math.floor(at / 1000);
}
