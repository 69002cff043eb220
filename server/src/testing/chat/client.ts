// A chat client for tests: sends requests the way real clients do, and returns the whole answer.
import type { Person } from '../example.ts';
import type { TestServer } from '../server.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

export type FormInput = Readonly<Record<string, unknown>>;

export interface ChatClient {
  get(path: string, params?: FormInput): Promise<Answer>;
  post(path: string, params?: FormInput): Promise<Answer>;
  patch(path: string, params?: FormInput): Promise<Answer>;
  delete(path: string, params?: FormInput): Promise<Answer>;
  raw(path: string, init: RequestInit): Promise<Answer>;
}

/** Strings are sent as they are, everything else as JSON; undefined values are left out. */
export const encodeForm = (params: FormInput): URLSearchParams =>
  new URLSearchParams(
    Object.entries(params)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]): [string, string] => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
  );

export function chatClient(
  { chatUrl }: Pick<TestServer, 'chatUrl'>,
  credentials?: Pick<Person, 'basic'>,
): ChatClient {
  const authorization: Record<string, string> =
    credentials === undefined ? {} : { authorization: credentials.basic };

  async function raw(path: string, init: RequestInit): Promise<Answer> {
    const headers = { ...authorization, ...(init.headers as Record<string, string> | undefined) };
    const response = await fetch(`${chatUrl}${path}`, { redirect: 'manual', ...init, headers });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parse(text) };
  }

  const withBody =
    (method: string) =>
    (path: string, params: FormInput = {}) =>
      raw(path, { method, body: encodeForm(params) });

  return {
    raw,
    get(path, params = {}) {
      const query = encodeForm(params).toString();
      return raw(query === '' ? path : `${path}?${query}`, {});
    },
    post: withBody('POST'),
    patch: withBody('PATCH'),
    delete: withBody('DELETE'),
  };
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
