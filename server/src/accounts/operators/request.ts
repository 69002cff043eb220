// A request for a grant, and the digest of what its approver is shown.
import { createHash } from 'node:crypto';
import { canonicalJson } from '../audit/entry.ts';
import type { Grant } from './grants.ts';

/** How long a request waits for its approval. */
export const REQUEST_HOURS = 24;

export type RequestStatus = 'awaiting' | 'approved' | 'rejected' | 'expired';

export interface GrantRequest {
  readonly id: bigint;
  /** Who gets the grant. */
  readonly subjectId: number;
  readonly name: Grant;
  readonly reason: string;
  readonly requestedById: number;
  readonly status: RequestStatus;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** What an approver is shown of a request. Approving repeats the digest of it. */
export interface Shown {
  readonly act: string;
  readonly subject: string;
  readonly terms: Readonly<Record<string, unknown>>;
  readonly reason: string;
  readonly requestedBy: string;
}

/** SHA-256 over all that was shown, so that nobody approves anything else. */
export const digestOf = (requestId: string, shown: Shown): string =>
  createHash('sha256')
    .update(canonicalJson({ requestId, ...shown }))
    .digest('hex');
