import type { Refusal } from '../../platform/http/refusal.ts';
import { badRequest } from './errors.ts';

/**
 * A refusal about an object as a whole, in the form that clients know: the message, and again under the field that it
 * is about, or `__all__` when it is about several.
 */
export const modelError = (field: string, message: string): Refusal =>
  badRequest(message, { errors: { [field]: [message] } });
