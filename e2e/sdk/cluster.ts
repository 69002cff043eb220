// A deployment for proofs with the SDK: two api nodes behind a balancer, and the rest in one process.
import { startDeployment, type TestDeployment } from '../../server/src/testing/deployment.ts';
import { examplePerson } from '../../server/src/testing/example.ts';
import { liveVenue, type LiveVenue } from '../../server/src/testing/live-venue.ts';
import { startRialtoProcess, type RialtoProcess } from '../../server/src/testing/rialto-process.ts';
import { startBalancer, type Balancer } from '../balancer.ts';

/** Three processes one after the other, on a machine that is busy with other tests. */
export const START_WITHIN_MS = 300_000;

/** A person of the venue with the keys of both APIs. */
export interface Member {
  readonly trading: { readonly key: string; readonly secret: string };
  readonly chat: { readonly email: string; readonly apiKey: string };
}

export interface SdkCluster {
  readonly balancer: Balancer;
  readonly apis: readonly RialtoProcess[];
  /** Every process. */
  readonly all: readonly RialtoProcess[];
  /** The api node that has the most connections through the balancer. */
  findServing(): RialtoProcess;
  join(): Promise<Member>;
  close(): Promise<void>;
}

export async function startSdkCluster(settings: Record<string, string> = {}): Promise<SdkCluster> {
  const deployment = await startDeployment({
    MONEY: 'simulated',
    HEARTBEAT_SECONDS: '5',
    ...settings,
  });
  const all: RialtoProcess[] = [];
  let balancer: Balancer | undefined;
  const close = async () => {
    await balancer?.close();
    for (const one of all) one.kill('SIGKILL');
    await Promise.all(all.map((one) => one.stop()));
    await deployment.close();
  };
  const start = async (roles: string) => {
    const started = await startRialtoProcess(roles, deployment.environment);
    all.push(started);
    return started;
  };
  try {
    await start('engine,relay,worker');
    const apis = [await start('api'), await start('api')];
    const balancing = await startBalancer(apis.map(({ port }) => port));
    balancer = balancing;
    const terms = { btcusdt: { maxOpenOrders: 1_000_000 } };
    const venue = await liveVenue(deployment, { terms, phase: 'continuous' });
    return {
      balancer: balancing,
      apis,
      all,
      findServing: () =>
        apis.reduce((a, b) => (balancing.countOf(b.port) > balancing.countOf(a.port) ? b : a)),
      join: () => join(deployment, venue),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function join({ ctx }: TestDeployment, venue: LiveVenue): Promise<Member> {
  const person = await examplePerson(ctx);
  const trader = await venue.trader(undefined, { userId: person.id });
  return {
    trading: { key: trader.keyId, secret: trader.secret },
    chat: { email: person.email, apiKey: person.chatKey },
  };
}
