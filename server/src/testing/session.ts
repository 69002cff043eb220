// A browser that is signed in, for calls to the venue and to the chat. It is signed in without a password, which costs time.
import { openSession } from '../accounts/sessions/actions.ts';
import type { User } from '../accounts/user.ts';
import { findUser } from '../accounts/users/access.ts';
import type { TestServer } from './server.ts';
import { send, type TradingAnswer } from './trader.ts';

export interface SignedIn {
  /** The header that a browser sends. */
  readonly cookie: string;
  readonly csrfToken: string;
  /** Calls a path of the origin as our own pages do: parameters of a POST in a form, others in the query string. */
  ask(
    method: string,
    path: string,
    params?: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<TradingAnswer>;
}

/** `who` may be given by their number. */
export async function signIn(
  { ctx, origin }: Pick<TestServer, 'ctx' | 'origin'>,
  who: User | number,
): Promise<SignedIn> {
  const user = typeof who === 'number' ? await findUser(ctx.db, who) : who;
  if (user === undefined) throw new Error('Nobody can be signed in who does not exist.');
  const visitor = { address: '127.0.0.1', agent: 'test' };
  const proven = { methods: ['password'], isFresh: true } as const;
  const { token, csrfToken } = await openSession(ctx, user, visitor, proven);
  const cookie = `sessionid=${token}`;
  return {
    cookie,
    csrfToken,
    ask(method, path, params = {}, headers = {}) {
      const text = new URLSearchParams(params).toString();
      const sent = { cookie, 'x-csrftoken': csrfToken, ...headers };
      if (method !== 'POST') return send(`${origin}${path}?${text}`, { method, headers: sent });
      const body = new URLSearchParams(params);
      return send(`${origin}${path}`, { method, body, headers: sent });
    },
  };
}
