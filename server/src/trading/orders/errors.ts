// The errors that endpoints about orders may answer, from those of every command to those of a placement.
import type { ErrorName } from '../http/errors.ts';

export const ENGINE_ERRORS: readonly ErrorName[] = ['TIMEOUT'];
export const TERMS_ERRORS: readonly ErrorName[] = [
  ...ENGINE_ERRORS,
  'PARAMETER_CONFLICT',
  'MARKET_CLOSED',
  'PRICE_PRECISION',
  'VOLUME_PRECISION',
  'ORDER_TOO_SMALL',
  'POST_ONLY_WOULD_TAKE',
  'PRICE_OUT_OF_BAND',
  'ORDER_TOO_LARGE',
  'WOULD_TRIGGER_IMMEDIATELY',
  'INSUFFICIENT_FUNDS',
];
export const PLACE_ERRORS: readonly ErrorName[] = [
  ...TERMS_ERRORS,
  'NOT_SUPPORTED',
  'UNKNOWN_SYMBOL',
  'NO_LIQUIDITY',
  'TOO_MANY_OPEN_ORDERS',
  'FOK_NOT_FILLABLE',
  'NO_REFERENCE_PRICE',
];
export const CREATE_ERRORS: readonly ErrorName[] = [
  ...PLACE_ERRORS,
  'CLIENT_ORDER_ID_CONFLICT',
  'ORDER_QUOTA',
];
