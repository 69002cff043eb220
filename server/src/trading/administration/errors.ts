// Refusals of operators' acts, as the administration answers them. Accounts and the venue's own acts know them by name;
// here each name gets its code.
import { RequestProblem } from '../../accounts/trading-keys/problem.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { findError, refuse, type ErrorName, type OperatorErrorName } from '../http/errors.ts';

type Name = ErrorName | OperatorErrorName;

const NAMES: Readonly<Record<string, Name>> = {
  PERMISSION_DENIED: 'PERMISSION_DENIED',
  NOT_AN_OPERATOR: 'PERMISSION_DENIED',
  SECOND_FACTOR_REQUIRED: 'SECOND_FACTOR_REQUIRED',
  SESSION_INVALID: 'SESSION_INVALID',
  SAME_PERSON: 'SAME_PERSON',
  SECOND_OPERATOR_NEEDED: 'SAME_PERSON',
  NOT_AWAITING: 'NOT_AWAITING',
  NOT_AWAITING_APPROVAL: 'NOT_AWAITING',
  NO_SUCH_RECOVERY: 'NOT_AWAITING',
  COMMAND_FINAL: 'NOT_AWAITING',
  COMMAND_UNKNOWN: 'NOT_AWAITING',
  DIGEST_CHANGED: 'DIGEST_CHANGED',
  LAST_OPERATORS: 'LAST_OPERATORS',
  OPERATOR_UNKNOWN: 'PERSON_UNKNOWN',
  UNKNOWN_ACCOUNT: 'ACCOUNT_UNKNOWN',
  KEY_UNKNOWN: 'KEY_UNKNOWN',
  UNKNOWN_SYMBOL: 'UNKNOWN_SYMBOL',
  TERM_INVALID: 'PARAMETER_INVALID',
  REASON_MISSING: 'PARAMETER_MISSING',
};

/** The same error with a code of the catalogue. What is no refusal stays as it is. */
export function toCatalogue(error: unknown): unknown {
  if (error instanceof RequestProblem) return refuse(error.kind, error.message, error.details);
  if (!(error instanceof Refusal) || findError(error.code) !== undefined) return error;
  const { code, message, fields, headers, status } = error;
  const name = NAMES[code] ?? (status === 400 ? 'PARAMETER_INVALID' : 'ACT_REFUSED');
  if (name === 'ACT_REFUSED') return refuse(name, message, { refusal: code }, { ...headers });
  return refuse(name, message, { ...fields }, { ...headers });
}
