// Makes the publications that operators ask for. Any number of processes may do so: one takes each.
import type { Context } from '../../../platform/context.ts';
import { rarely } from '../../../platform/observe/rarely.ts';
import { pause } from '../../../platform/std/wait.ts';
import { publishAsked } from './publish.ts';

const LOOK_EVERY_MS = 1000;
const COMPLAIN_EVERY_MS = 60_000;
const STOP_WITHIN_MS = 3000;

export function startPublisher(
  ctx: Context,
  { everyMs = LOOK_EVERY_MS }: { readonly everyMs?: number } = {},
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const complain = rarely(COMPLAIN_EVERY_MS);
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await publishAsked(ctx).catch((error: unknown) =>
        complain((keptBack) =>
          ctx.log.error({ err: error, keptBack }, 'A publication of the reserves failed.'),
        ),
      );
      await pause(everyMs, stopping.signal);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await Promise.race([running, pause(STOP_WITHIN_MS)]);
    },
  };
}
