import { Type } from 'typebox';
import type { Tx } from '../../platform/db/transaction.ts';

/** What changed: sessions, second factors, keys, a freeze of withdrawals, or sign-in providers. */
const OPS = ['session', 'factor', 'key', 'freeze', 'identity'] as const;

export type SecurityOp = (typeof OPS)[number];

/**
 * Something about the security of one's own account has changed, and pages that show it read it again. Sent only to
 * clients that name the type.
 */
export const SECURITY_EVENTS = OPS.map((op) =>
  Type.Object(
    { type: Type.Literal('security'), op: Type.Literal(op) },
    { additionalProperties: false },
  ),
);

const securityChanged = (op: SecurityOp) => ({ type: 'security', op }) as const;

export const emitSecurity = (tx: Tx, userId: number, op: SecurityOp): void =>
  tx.emit(securityChanged(op), { users: [userId] });
