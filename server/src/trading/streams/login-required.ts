import type { Refusal } from '../../platform/http/refusal.ts';
import { refuse } from '../http/errors.ts';

/** For operations and channels of one's own account. */
export const loginRequired = (why: string): Refusal =>
  refuse('LOGIN_REQUIRED', `${why} Send {"op":"login"} first, or connect with a session.`);
