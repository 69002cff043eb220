// Watches the chains whose coins the venue takes, and credits deposits. Any number of processes may have this role. It is
// the only one that reaches nodes.
import { withPool, type Context } from '../platform/context.ts';
import { startWatcher } from '../trading/custody/watch/watcher.ts';

export const startCustodyRole = (process: Context): { stop(): Promise<void> } =>
  startWatcher(withPool(process, 'worker'));
