// One role of `demo --cluster` in its own process. It differs from `rialto serve` in three points:
// it tells its parent where it listens, it ends when its parent is gone for any reason, and one of
// the roles runs the demo's traders.
import { explain } from '../../server/src/ops/trouble.ts';
import { startTradingProcess, TRADES, type TradingProcess } from './trade/process.ts';

let running: TradingProcess | undefined;
let isStopping = false;

function end(error?: Error): void {
  if (error !== undefined) console.error(error);
  const exitCode = error === undefined ? 0 : 1;
  // Before it runs there is nothing to stop; a second request means stop at once.
  if (running === undefined || isStopping) process.exit(exitCode);
  isStopping = true;
  running.stop().then(
    () => process.exit(exitCode),
    () => process.exit(1),
  );
}

process.once('disconnect', () => end());
process.on('SIGTERM', () => end());
// Ctrl-C reaches every process of the terminal, but the parent stops its roles in order.
process.on('SIGINT', () => {});

try {
  running = await startTradingProcess(process.env, end, process.env[TRADES] === 'yes');
  process.send?.({ origin: running.origin });
} catch (error) {
  console.error(explain(error));
  process.exit(1);
}
