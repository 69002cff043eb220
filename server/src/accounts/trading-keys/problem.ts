/**
 * Why a signed request is refused. The kinds are the names that the trading API publishes; its own
 * error table gives them their codes.
 */
export type ProblemKind =
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'PARAMETER_INVALID'
  | 'PARAMETER_RANGE'
  | 'PARAMETER_DUPLICATE'
  | 'JSON_INVALID'
  | 'NUMBER_NOT_STRING'
  | 'PARAMETER_PLACE'
  | 'API_KEY_MISSING'
  | 'API_KEY_INVALID'
  | 'ADDRESS_NOT_ALLOWED'
  | 'SIGNATURE_INVALID'
  | 'TIMESTAMP_INVALID'
  | 'TIMESTAMP_OUTSIDE_WINDOW'
  | 'REPLAYED';

export class RequestProblem extends Error {
  override name = 'RequestProblem';
  readonly kind: ProblemKind;
  readonly details: Readonly<Record<string, string>>;

  constructor(kind: ProblemKind, message: string, details: Record<string, string> = {}) {
    super(message);
    this.kind = kind;
    this.details = details;
  }
}
