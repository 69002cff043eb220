import type { Requested } from '../../api/administration.ts';

/** Requests for grants and commands of the engine have words of their own for how they ended. */
export function outcomeOf(status: string): Requested['status'] {
  switch (status) {
    case 'waiting':
    case 'refused':
    case 'awaiting_approval':
      return status;
    case 'withdrawn':
    case 'rejected':
      return 'withdrawn';
    default:
      return 'done';
  }
}
