// Gives signed bytes to every node, again and again until they are in a block. The same bytes twice are one payment.
import type { Context } from '../../../platform/context.ts';
import type { Broadcast, ChainNode } from '../chains/chain.ts';
import type { OwnNetwork } from '../networks.ts';
import { changeMany } from '../withdrawals/change.ts';
import {
  listOutputs,
  listUnmined,
  lockPayment,
  noteBroadcast,
  updatePayment,
  type Attempt,
} from './store.ts';

const AT_ONCE_MAX = 50;
/** A node may have dropped what waits in its pool. */
const AGAIN_AFTER_MS = 60_000;

export async function sendPayments(
  ctx: Context,
  {
    own,
    nodes,
    againMs = AGAIN_AFTER_MS,
  }: { readonly own: OwnNetwork; readonly nodes: readonly ChainNode[]; readonly againMs?: number },
): Promise<void> {
  const before = new Date(ctx.clock.now() - againMs);
  for (const attempt of await listUnmined(ctx.db, own.network, { before, limit: AT_ONCE_MAX })) {
    const answers = await Promise.allSettled(
      nodes.map((node) => node.broadcast(attempt.raw ?? '')),
    );
    await note(ctx, own.network, attempt, answers);
  }
}

/** One node that has it is enough: it tells the others. */
async function note(
  ctx: Context,
  network: string,
  attempt: Attempt,
  answers: readonly PromiseSettledResult<Broadcast>[],
): Promise<void> {
  const said = answers.map((one): Broadcast | { kind: 'unknown'; message: string } =>
    one.status === 'fulfilled' ? one.value : { kind: 'unknown', message: String(one.reason) },
  );
  const best =
    said.find(({ kind }) => kind === 'accepted') ??
    said.find(({ kind }) => kind === 'unknown') ??
    said[0];
  if (best === undefined) return;
  const { paymentId } = attempt;
  const outputs = await listOutputs(ctx.db, paymentId);
  const ids = attempt.purpose === 'void' ? [] : outputs.map(({ withdrawId }) => withdrawId);
  await ctx.inTransaction(async (tx) => {
    const payment = await lockPayment(tx, paymentId);
    const at = new Date(ctx.clock.now());
    const error = best.kind === 'accepted' ? '' : best.message;
    await noteBroadcast(tx, attempt, { at, error });
    if (payment?.state !== 'broadcasting' && payment?.state !== 'confirming') return;
    if (best.kind === 'accepted' && payment.state === 'broadcasting') {
      await updatePayment(tx, paymentId, { state: 'confirming', reason: '' }, at);
      await changeMany(tx, ids, { status: 'confirming', statusReason: '' }, at);
    }
    if (best.kind === 'accepted' || best.kind === 'unknown') return;
    // The bytes stay: they are sent again, and what a block has is noted by the watcher, whatever nodes say.
    await updatePayment(
      tx,
      paymentId,
      { reason: `${best.kind}: ${best.message}`.slice(0, 300) },
      at,
    );
    ctx.log.error(
      { network, payment: `P${paymentId}`, txid: attempt.txid, said: best.message },
      'Nodes do not take a payment. It is sent again each minute; look at it.',
    );
  });
}
