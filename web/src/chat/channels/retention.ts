// For how long messages are kept.

/** Null: as the organization has it; -1: for ever; undefined: something that is no number of days. */
export type Retention = number | null | undefined;

export const FOR_EVER = -1;
const DAYS_MAX = 36_500;

/** Whole days that the server takes; undefined for everything else. */
export const daysFrom = (text: string): number | undefined =>
  /^[1-9]\d{0,4}$/.test(text) && Number(text) <= DAYS_MAX ? Number(text) : undefined;

/** As the API takes it. */
export const retentionText = (value: number | null): number | string =>
  value === null ? 'realm_default' : value === FOR_EVER ? 'unlimited' : value;

/** The days that count, where the organization's are `byDefault`. */
const countedDays = (value: number | null, byDefault: number): number => {
  const days = value ?? byDefault;
  return days === FOR_EVER ? Number.POSITIVE_INFINITY : days;
};

/** Whether messages that are kept now would be deleted. */
export const isShortening = (
  before: number | null,
  after: number | null,
  byDefault: number,
): boolean => countedDays(after, byDefault) < countedDays(before, byDefault);
