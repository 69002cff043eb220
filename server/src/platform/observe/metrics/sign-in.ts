// Sign-ins of people and signatures of programs, right and wrong ones.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export interface SignInMetrics {
  /** An attempt with a password, by lane (known place or stranger); the lanes are a fixed list. */
  signedIn(lane: string, outcome: 'succeeded' | 'failed'): void;
  /** A proof that was shown to sign in: a password, a code, a passkey, a provider. The methods are a fixed list. */
  signInProven(method: string, outcome: 'succeeded' | 'failed'): void;
  /** How long a password waited until it was checked: few are checked at once. */
  passwordWaited(seconds: number): void;
  /** An attempt to sign in that was refused because too many came before it. */
  signInThrottled(lane: string): void;
  /** A person came back from a provider; providers are configured, outcomes are a fixed list. */
  cameFromProvider(provider: string, outcome: string): void;
  /** A session was asked to prove itself again, and got an answer. */
  steppedUp(outcome: 'proved' | 'wrong'): void;
  /** Wrong signatures of the key with the most of them, within the last minute. */
  signatureFailures(worst: number): void;
  /** A signed request that came a second time. */
  replayRefused(): void;
  /** Somebody tried too often and is blocked for a while. */
  lockedOut(): void;
  /** Enrolled operators, and how many of them are locked after too many wrong secrets. */
  operatorsSeen(enrolled: number, lockedOut: number): void;
}

export function createSignInMetrics(registry: Registry): SignInMetrics {
  const registers = [registry];
  const signIns = new Counter({
    name: 'rialto_sign_ins_total',
    help: 'Passwords that were tried, by the kind of place and by what came of it.',
    labelNames: ['lane', 'outcome'],
    registers,
  });
  const proofs = new Counter({
    name: 'rialto_identity_sign_ins_total',
    help: 'Proofs that were shown to sign in, by method and by what came of it.',
    labelNames: ['method', 'outcome'],
    registers,
  });
  const waits = new Histogram({
    name: 'rialto_identity_hash_wait_seconds',
    help: 'How long passwords waited until they were checked.',
    buckets: [0.001, 0.01, 0.1, 0.5, 1, 2, 5, 10],
    registers,
  });
  const throttled = new Counter({
    name: 'rialto_identity_throttled_total',
    help: 'Attempts to sign in that were refused because there were too many.',
    labelNames: ['lane'],
    registers,
  });
  const fromProviders = new Counter({
    name: 'rialto_identity_oidc_total',
    help: 'People who came back from a provider to sign in, by what came of it.',
    labelNames: ['provider', 'outcome'],
    registers,
  });
  const stepUps = new Counter({
    name: 'rialto_identity_step_ups_total',
    help: 'Answers of sessions that were asked to prove themselves again.',
    labelNames: ['outcome'],
    registers,
  });
  const worstKey = new Gauge({
    name: 'rialto_signature_failures_worst_key',
    help: 'Wrong signatures of the key that had most of them within the last minute, in this process.',
    registers,
  });
  const replays = new Counter({
    name: 'rialto_replays_refused_total',
    help: 'Signed requests that came a second time.',
    registers,
  });
  const lockOuts = new Counter({
    name: 'rialto_lockouts_total',
    help: 'Attempts to sign in that were not looked at, because there were too many wrong ones before.',
    registers,
  });
  const enrolled = new Gauge({
    name: 'rialto_operators',
    help: 'Operators who are enrolled. Below two, the host of the deployment can make another one of anybody.',
    registers,
  });
  const operatorsOut = new Gauge({
    name: 'rialto_operators_locked_out',
    help: 'Operators for whom too many wrong secrets were given lately.',
    registers,
  });
  return {
    signedIn: (lane, outcome) => signIns.inc({ lane, outcome }),
    signInProven: (method, outcome) => proofs.inc({ method, outcome }),
    passwordWaited: (seconds) => waits.observe(seconds),
    signInThrottled: (lane) => throttled.inc({ lane }),
    cameFromProvider: (provider, outcome) => fromProviders.inc({ provider, outcome }),
    steppedUp: (outcome) => stepUps.inc({ outcome }),
    signatureFailures: (worst) => worstKey.set(worst),
    replayRefused: () => replays.inc(),
    lockedOut: () => lockOuts.inc(),
    operatorsSeen: (count, lockedOut) => {
      enrolled.set(count);
      operatorsOut.set(lockedOut);
    },
  };
}
