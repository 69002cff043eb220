import type { Refusal } from '../../platform/http/refusal.ts';
import { badRequest } from './errors.ts';

/**
 * A validation error of an object, in the form that clients know: the message, and the same under the name of its
 * field; `__all__` when it concerns several fields.
 */
export const modelError = (field: string, message: string): Refusal =>
  badRequest(message, { errors: { [field]: [message] } });
