// The bus of a single process. Handlers never run on the publisher's stack, as with a real network,
// so the order of events is the same here and on NATS.
import { BusTimeout, BusUnavailable, checkPayload, type Bus, type BusSubscription } from './bus.ts';
import { withDeadline } from '../std/wait.ts';

type Handler = (payload: string) => void;
type Server = (payload: string) => Promise<string>;

export function createInProcessBus(onHandlerError: (error: unknown) => void): Bus {
  const handlers = new Map<string, Set<{ handler: Handler }>>();
  const servers = new Map<string, { server: Server }[]>();
  let open = true;
  let turn = 0;

  return {
    publish(subject, payload) {
      checkPayload(subject, payload);
      if (!open) return;
      const targets = handlers.get(subject);
      if (targets === undefined) return;
      setImmediate(() => {
        for (const target of targets) {
          try {
            target.handler(payload);
          } catch (error) {
            onHandlerError(error);
          }
        }
      });
    },
    subscribe(subject, handler): BusSubscription {
      const entry = { handler };
      const set = handlers.get(subject) ?? new Set();
      handlers.set(subject, set.add(entry));
      return { unsubscribe: () => set.delete(entry) };
    },
    async request(subject, payload, timeoutMs) {
      checkPayload(subject, payload);
      const candidates = servers.get(subject) ?? [];
      turn += 1;
      const chosen = candidates[turn % Math.max(1, candidates.length)];
      if (!open || chosen === undefined) throw new BusUnavailable(`Nobody serves ${subject}.`);
      const answer = new Promise<string>((resolve, reject) => {
        setImmediate(() => void chosen.server(payload).then(resolve, reject));
      });
      // As over a network, a server that failed does not answer.
      const answered = answer.catch((error: unknown) => {
        onHandlerError(error);
        return new Promise<never>(() => {});
      });
      return withDeadline(answered, timeoutMs, `A request to ${subject}`).catch((error: Error) => {
        throw new BusTimeout(error.message);
      });
    },
    serve(subject, server): BusSubscription {
      const entry = { server };
      servers.set(subject, [...(servers.get(subject) ?? []), entry]);
      return {
        unsubscribe: () => {
          servers.set(
            subject,
            (servers.get(subject) ?? []).filter((other) => other !== entry),
          );
        },
      };
    },
    isConnected: () => open,
    close: async () => {
      open = false;
      handlers.clear();
      servers.clear();
    },
  };
}
