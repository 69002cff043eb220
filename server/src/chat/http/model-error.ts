import type { Refusal } from '../../platform/http/refusal.ts';
import { badRequest } from './errors.ts';

/**
 * What is wrong with an object as a whole, in the form that clients know: the message, and again by the
 * field that it is about; `__all__` when it is about several together.
 */
export const modelError = (field: string, message: string): Refusal =>
  badRequest(message, { errors: { [field]: [message] } });
