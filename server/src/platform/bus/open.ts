// The bus of a process: on NATS and signed, or within the process when it is the only one.
import type { Config, Role } from '../config/schema.ts';
import type { Log } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import { rarely } from '../observe/rarely.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { Bus } from './bus.ts';
import { createInProcessBus } from './in-process.ts';
import { createNatsBus } from './nats.ts';
import { signBus } from './signed.ts';

const COMPLAIN_EVERY_MS = 5000;

export interface OpenBusOptions {
  readonly config: Config;
  readonly roles: readonly Role[];
  /** Distinguishes deployments that share one NATS. */
  readonly installation: string;
  readonly secrets: Secrets;
  readonly log: Log;
  readonly metrics: Metrics;
}

export function openBus(options: OpenBusOptions): Bus {
  const { config, roles, installation, secrets, log, metrics } = options;
  const onError = (error: unknown) => log.warn({ err: error }, 'The bus reported an error.');
  if (config.NATS_URL === '') return createInProcessBus(onError);
  const complain = rarely(COMPLAIN_EVERY_MS);
  const onForged = (subject: string) => {
    metrics.busForged();
    complain((keptBack) =>
      log.error(
        { subject, keptBack },
        'A message of the bus does not bear our signature and is not believed. Have all processes the same MASTER_KEY? Otherwise somebody else speaks on the bus.',
      ),
    );
  };
  const nats = createNatsBus({
    url: config.NATS_URL,
    name: `rialto ${roles.join(',')}`,
    prefix: `rialto.${installation}`,
    onError,
    onStatus: (connected) => log.info({ connected }, 'NATS'),
  });
  return signBus(nats, secrets.keys('messages of the bus'), onForged);
}
