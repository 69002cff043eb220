// Whether the comparisons that an operator asked for have come. Pure.
import type { CustodyReport } from '../../../api/custody.ts';

/** The newest report of all, by its number. */
export const newestOf = (reports: readonly CustodyReport[]): bigint =>
  reports.reduce((high, { reportId }) => (BigInt(reportId) > high ? BigInt(reportId) : high), 0n);

/** The asked networks of which a coin has no report after that one. */
export const networksLeft = (
  asked: readonly string[],
  reports: readonly CustodyReport[],
  after: bigint,
): readonly string[] =>
  asked.filter((network) => {
    const own = reports.filter((report) => report.network === network);
    return own.length === 0 || own.some(({ reportId }) => BigInt(reportId) <= after);
  });
