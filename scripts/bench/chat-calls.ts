// Chat API calls for benchmarks, with as little as possible between the socket and the measurement.
import { Agent, request as httpRequest } from 'node:http';
import { createUser } from '../../server/src/accounts/users/actions.ts';
import { ROLE } from '../../server/src/accounts/roles.ts';
import type { User } from '../../server/src/accounts/user.ts';
import type { Context } from '../../server/src/platform/context.ts';

export interface Caller {
  readonly origin: string;
  readonly basic: string;
}

export interface Registered {
  readonly queue_id: string;
  readonly last_event_id: number;
}

export async function createPerson(
  ctx: Context,
  name: string,
): Promise<{ user: User; basic: string }> {
  const { user, chatKey } = await createUser(ctx, {
    email: `${name}@example.com`,
    fullName: name,
    role: ROLE.member,
  });
  return { user, basic: `Basic ${Buffer.from(`${user.email}:${chatKey}`).toString('base64')}` };
}

/** A queue for events of one type, without any state of the organization. */
export const registerFor = (caller: Caller, eventType: string): Promise<Registered> =>
  call(
    caller,
    'POST',
    `/register?event_types=${encodeURIComponent(JSON.stringify([eventType]))}&fetch_event_types=${encodeURIComponent('[]')}`,
  );

/** Polls until it is stopped, or until the first failure. */
export async function keepPolling(
  caller: Caller,
  { queue_id: id, last_event_id: from }: Registered,
  signal: AbortSignal,
  onEvents: (count: number) => void = () => {},
): Promise<void> {
  let last = from;
  while (!signal.aborted) {
    try {
      const { events } = await call<{ events: { id: number }[] }>(
        caller,
        'GET',
        `/events?queue_id=${id}&last_event_id=${last}`,
        { signal },
      );
      last = events.at(-1)?.id ?? last;
      onEvents(events.length);
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

/** One call; returns the parsed answer, or throws with the text of a refusal. */
export async function call<T>(
  caller: Caller,
  method: string,
  path: string,
  options: { readonly signal?: AbortSignal; readonly form?: Record<string, string> } = {},
): Promise<T> {
  const text = await callForText(caller, method, path, options);
  const body = JSON.parse(text) as { result: string };
  if (body.result !== 'success') throw new Error(text);
  return body as T;
}

/** One call; returns the raw answer. */
export function callForText(
  { origin, basic }: Caller,
  method: string,
  path: string,
  { signal, form }: { readonly signal?: AbortSignal; readonly form?: Record<string, string> } = {},
): Promise<string> {
  const body = form && new URLSearchParams(form).toString();
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      `${origin}/api/v1${path}`,
      {
        method,
        agent,
        headers: {
          authorization: basic,
          ...(body !== undefined && {
            'content-type': 'application/x-www-form-urlencoded',
            'content-length': Buffer.byteLength(body),
          }),
        },
        ...(signal && { signal }),
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve(text));
        response.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
