// Which exception of the library stands for which error of the venue.
import {
  AccountSuspended,
  ArgumentsRequired,
  AuthenticationError,
  BadRequest,
  BadSymbol,
  DDoSProtection,
  DuplicateOrderId,
  ExchangeError,
  ExchangeNotAvailable,
  InsufficientFunds,
  InvalidAddress,
  InvalidNonce,
  InvalidOrder,
  MarketClosed,
  NotSupported,
  OnMaintenance,
  OperationRejected,
  OrderImmediatelyFillable,
  OrderNotFillable,
  OrderNotFound,
  PermissionDenied,
  RateLimitExceeded,
  RequestTimeout,
} from 'ccxt';

const BY_EXCEPTION = [
  [ExchangeError, ['1000']],
  [ExchangeNotAvailable, ['1001']],
  [OnMaintenance, ['1002']],
  [RequestTimeout, ['1003']],
  // A path that this venue does not serve is a feature that it does not have.
  [NotSupported, ['1004', '2010']],
  [ArgumentsRequired, ['2001']],
  [BadRequest, ['1005', '1006', '1007', '1008']],
  [BadRequest, ['2002', '2003', '2004', '2005', '2006', '2007', '2008', '2009', '2011']],
  [BadRequest, ['4005', '4006', '7001', '7003']],
  [AuthenticationError, ['3001', '3002', '3004', '3012', '3014']],
  [PermissionDenied, ['3003', '3008', '3009', '3010', '3013', '5008', '5009']],
  [InvalidNonce, ['3005', '3006', '3007']],
  [AccountSuspended, ['3011']],
  [BadSymbol, ['4001', '4002', '4003']],
  [MarketClosed, ['4004']],
  [InvalidOrder, ['4007', '4009', '4010', '4013', '4015', '4016', '4018', '4019']],
  [OrderImmediatelyFillable, ['4008']],
  [OrderNotFound, ['4011']],
  [DuplicateOrderId, ['4012', '5011']],
  [OrderNotFillable, ['4014', '4017']],
  [InsufficientFunds, ['5001']],
  [InvalidAddress, ['5002', '5003']],
  [
    OperationRejected,
    [
      '5004',
      '5005',
      '5006',
      '5007',
      '5010',
      '5012',
      '5013',
      '5014',
      '6005',
      '7002',
      '7004',
      '7005',
    ],
  ],
  [RateLimitExceeded, ['6001', '6003', '6004']],
  [DDoSProtection, ['6002']],
] as const;

/** By code, as the library wants them in `exceptions.exact`. */
export const EXCEPTIONS: Readonly<Record<string, typeof ExchangeError>> = Object.fromEntries(
  BY_EXCEPTION.flatMap(([exception, codes]) => codes.map((code) => [code, exception])),
);

/** An error of the venue as it stands in answers by HTTP, in batches and on the socket. */
export interface VenueError {
  readonly code: string;
  readonly name: string;
  readonly message: string;
  readonly details?: unknown;
}

/** The exception, with everything that the venue said. */
export function toException(id: string, error: VenueError): Error {
  const { code, name, message, details = {} } = error;
  const Exception = EXCEPTIONS[code] ?? ExchangeError;
  const text = `${id} ${code} ${name}: ${message} ${JSON.stringify(details)}`;
  return Object.assign(new Exception(text), { details });
}

/** How long the venue asks to wait before the same request; undefined for any other error. */
export function retryAfterMs(error: unknown): number | undefined {
  if (!(error instanceof RateLimitExceeded)) return undefined;
  const { details } = error as { details?: { retryAfterMs?: string } };
  return details?.retryAfterMs === undefined ? undefined : Number(details.retryAfterMs);
}
