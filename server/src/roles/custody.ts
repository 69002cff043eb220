// Watches the chains whose coins the venue takes, credits deposits, and moves withdrawals on. Any number of processes may
// have this role. It is the only one that reaches nodes.
import { withPool, type Context } from '../platform/context.ts';
import { ownNetworks } from '../trading/custody/networks.ts';
import { startPayer } from '../trading/custody/payments/payer.ts';
import { startReconciler } from '../trading/custody/reconciliation/worker.ts';
import { startPublisher } from '../trading/custody/reserves/worker.ts';
import { startScreening } from '../trading/custody/screening/worker.ts';
import { startWatcher } from '../trading/custody/watch/watcher.ts';
import { startWithdrawals } from '../trading/custody/withdrawals/worker.ts';

export function startCustodyRole(process: Context): { stop(): Promise<void> } {
  const ctx = withPool(process, 'worker');
  const running = [startWatcher(ctx)];
  if (ownNetworks(ctx.config).size > 0) {
    running.push(startWithdrawals(ctx), startPayer(ctx), startScreening(ctx));
    running.push(startReconciler(ctx), startPublisher(ctx));
  }
  return {
    async stop() {
      await Promise.all(running.map((one) => one.stop()));
    },
  };
}
