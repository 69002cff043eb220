// A browser without a window: it keeps cookies, follows no redirects, and submits forms as they are.
import type { TestServer } from './server.ts';

export interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

export interface Browser {
  readonly cookies: Map<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<Page>;
  /** Submits a form as it is, without fields that a page would add. */
  post(path: string, form: Record<string, string>, headers?: Record<string, string>): Promise<Page>;
  /** Opens the sign-in form, fills it in and sends it. */
  signIn(username: string, password: string, more?: Record<string, string>): Promise<Page>;
  /** Calls the API under /json, with the token that our own pages' scripts send. */
  call(method: string, path: string, form?: Record<string, string>): Promise<Page>;
}

export function openBrowser({ origin }: Pick<TestServer, 'origin'>): Browser {
  const cookies = new Map<string, string>();

  async function send(path: string, init: RequestInit): Promise<Page> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(cookie !== '' && { cookie }), ...(init.headers as object) };
    const answer = await fetch(`${origin}${path}`, { redirect: 'manual', ...init, headers });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';', 1);
      const mark = pair.indexOf('=');
      if (/Max-Age=0\b/.test(line)) cookies.delete(pair.slice(0, mark));
      else cookies.set(pair.slice(0, mark), pair.slice(mark + 1));
    }
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: parse(text) };
  }

  const get = (path: string, headers: Record<string, string> = {}) => send(path, { headers });
  const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
    send(path, { method: 'POST', body: new URLSearchParams(form), headers });

  return {
    cookies,
    get,
    post,
    async signIn(username, password, more = {}) {
      const { text } = await get('/login/');
      return post('/accounts/login/', { ...hiddenFields(text), username, password, ...more });
    },
    call(method, path, form = {}) {
      const token = cookies.get('csrftoken') ?? '';
      if (method === 'GET') return get(`/json${path}?${new URLSearchParams(form).toString()}`);
      const body = new URLSearchParams(form);
      return send(`/json${path}`, { method, body, headers: { 'x-csrftoken': token } });
    },
  };
}

/** The hidden fields of a form. */
export const hiddenFields = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  );

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
