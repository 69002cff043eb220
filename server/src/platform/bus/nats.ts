// The bus of several processes, on NATS core. Durable streams are not used: what must survive is in
// PostgreSQL.
import {
  connect,
  errors,
  type NatsConnection,
  type Subscription as NatsSubscription,
} from '@nats-io/transport-node';
import { pause } from '../std/wait.ts';
import { BusTimeout, BusUnavailable, checkPayload, type Bus, type BusSubscription } from './bus.ts';

export interface NatsServerOptions {
  url: string;
  name: string;
  /** Put before every subject, so that several deployments, or tests, may share one server. */
  prefix: string;
  onError(error: unknown): void;
  onStatus(connected: boolean): void;
}

const RECONNECT_WAIT_MS = 250;
const CONNECTION = {
  reconnect: true,
  maxReconnectAttempts: -1,
  // A busy server that times out while we authenticate reports the same error as one that rejects our
  // credentials. After two such errors the library would give up for good.
  ignoreAuthErrorAbort: true,
  // Otherwise the library creates an error with a stack for every request, in case it fails.
  noAsyncTraces: true,
  reconnectTimeWait: RECONNECT_WAIT_MS,
  timeout: 2000,
  pingInterval: 5000,
  maxPingOut: 2,
} as const;

export function createNatsBus({ url, name, prefix, onError, onStatus }: NatsServerOptions): Bus {
  let connection: NatsConnection | undefined;
  let connected = false;
  const stopping = new AbortController();
  // Kept, so that a process may start before NATS and subscribe once NATS is up.
  const attachments = new Set<{ attach(to: NatsConnection): void }>();
  const full = (subject: string) => `${prefix}.${subject}`;

  function setConnected(value: boolean): void {
    if (connected === value) return;
    connected = value;
    onStatus(value);
  }

  async function connectFirst(): Promise<void> {
    const address = natsAddress(url);
    while (!stopping.signal.aborted) {
      try {
        const fresh = await connect({
          ...address,
          name,
          ...CONNECTION,
        });
        connection = fresh;
        setConnected(true);
        for (const attachment of attachments) attachment.attach(fresh);
        for await (const status of fresh.status()) {
          if (status.type === 'disconnect' || status.type === 'close') setConnected(false);
          if (status.type === 'reconnect') setConnected(true);
          if (status.type === 'error') onError(status.error);
        }
        // The library has given up. A process without its bus is useless, so we connect again.
        setConnected(false);
        await pause(RECONNECT_WAIT_MS, stopping.signal);
      } catch (error) {
        onError(error);
        await pause(RECONNECT_WAIT_MS, stopping.signal);
      }
    }
  }
  void connectFirst();

  function attached(open: (to: NatsConnection) => NatsSubscription): BusSubscription {
    let subscription: NatsSubscription | undefined;
    const attachment = {
      attach: (to: NatsConnection) => {
        subscription = open(to);
      },
    };
    attachments.add(attachment);
    if (connection !== undefined) attachment.attach(connection);
    return {
      unsubscribe: () => {
        attachments.delete(attachment);
        subscription?.unsubscribe();
      },
    };
  }

  return {
    publish(subject, payload) {
      checkPayload(subject, payload);
      // While disconnected the client library would buffer messages without bound; ours may be
      // lost.
      if (connected) connection?.publish(full(subject), payload);
    },
    subscribe: (subject, handler) =>
      attached((to) =>
        to.subscribe(full(subject), {
          callback: (error, message) => {
            if (error) return onError(error);
            try {
              handler(message.string());
            } catch (failure) {
              onError(failure);
            }
          },
        }),
      ),
    async request(subject, payload, timeoutMs) {
      checkPayload(subject, payload);
      if (!connected || connection === undefined) throw new BusUnavailable('NATS is out of reach.');
      try {
        const answer = await connection.request(full(subject), payload, { timeout: timeoutMs });
        return answer.string();
      } catch (error) {
        if (error instanceof errors.NoRespondersError || isNoResponders(error)) {
          throw new BusUnavailable(`Nobody serves ${subject}.`, { cause: error });
        }
        throw new BusTimeout(`A request to ${subject} got no answer in ${timeoutMs} ms.`, {
          cause: error,
        });
      }
    },
    serve: (subject, server) =>
      attached((to) =>
        to.subscribe(full(subject), {
          queue: 'servers',
          callback: (error, message) => {
            if (error) return onError(error);
            server(message.string()).then((answer) => message.respond(answer), onError);
          },
        }),
      ),
    isConnected: () => connected,
    async close() {
      stopping.abort();
      attachments.clear();
      if (connection === undefined || connection.isClosed()) return;
      if (connected) await connection.drain();
      else await connection.close();
    },
  };
}

function isNoResponders(error: unknown): boolean {
  return error instanceof errors.RequestError && error.isNoResponders();
}

/** The address and the credentials of a NATS URL, which the client library takes separately. */
export function natsAddress(url: string): {
  servers: string;
  user?: string;
  pass?: string;
  token?: string;
} {
  const parsed = new URL(url);
  const servers = `${parsed.protocol}//${parsed.host}`;
  const user = decodeURIComponent(parsed.username);
  const pass = decodeURIComponent(parsed.password);
  if (user === '') return { servers };
  // As NATS's own tools parse it: a name without a password is a token.
  return pass === '' ? { servers, token: user } : { servers, user, pass };
}
