import type { Tx } from '../../platform/db/transaction.ts';

export async function insertSubmessage(
  tx: Tx,
  submessage: {
    readonly messageId: number;
    readonly senderId: number;
    readonly msgType: string;
    readonly content: string;
  },
): Promise<number> {
  const { id } = await tx
    .insertInto('submessages')
    .values({ ...submessage, messageId: BigInt(submessage.messageId) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
