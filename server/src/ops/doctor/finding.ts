// What the doctor finds, and how it is shown: always with a word, never by colour alone.
import type { Trouble } from '../trouble.ts';

export type FindingStatus = 'ok' | 'warning' | 'broken' | 'skipped';

export interface Finding {
  /** The checked item, in one or two words. */
  readonly check: string;
  readonly status: FindingStatus;
  readonly what: string;
  /** Why it matters and what to do; only where something is wrong. */
  readonly why?: string;
  readonly fix?: string;
}

export const ok = (check: string, what: string): Finding => ({ check, status: 'ok', what });
export const skipped = (check: string, what: string): Finding => ({
  check,
  status: 'skipped',
  what,
});
export const warning = (check: string, trouble: Trouble): Finding => ({
  check,
  status: 'warning',
  ...trouble,
});
export const broken = (check: string, trouble: Trouble): Finding => ({
  check,
  status: 'broken',
  ...trouble,
});

const SIGN: Readonly<Record<FindingStatus, string>> = {
  ok: '✓ ok     ',
  warning: '! warning',
  broken: '✗ broken ',
  skipped: '- skipped',
};
/** Below the sign and the check's name, so that all remedies are in one column. */
const CHECK_WIDTH = 14;
const INDENT = ' '.repeat(9 + 2 + CHECK_WIDTH);

export function renderFindings(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ check, status, what, why, fix }) => [
    `${SIGN[status]}  ${check.padEnd(CHECK_WIDTH)}${what}`,
    ...(why === undefined ? [] : [`${INDENT}Why it matters: ${why}`]),
    ...(fix === undefined ? [] : [`${INDENT}What to do: ${fix}`]),
  ]);
  const count = (status: FindingStatus) =>
    findings.filter((finding) => finding.status === status).length;
  const brokenCount = count('broken');
  const verdict =
    brokenCount > 0
      ? `${brokenCount} ${brokenCount === 1 ? 'thing is' : 'things are'} broken.`
      : 'Nothing is broken.';
  const warnings = count('warning');
  return [
    ...lines,
    '',
    warnings === 0 ? verdict : `${verdict} ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}.`,
  ].join('\n');
}
