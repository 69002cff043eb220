// The trading API for the person who is signed in: the SDK with the cookies of the page.
import { Trading } from '@rialto/sdk';

type Send = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Calls go through `send`, which may add headers or look at answers. */
export const tradingThrough = (url: string, send: Send): Trading =>
  new Trading({ url, session: true, fetch: send });

/** `code` is for one act alone; the server reads it from a header. */
export const tradingWith = (url: string, code: string | undefined): Trading =>
  code === undefined
    ? new Trading({ url, session: true })
    : tradingThrough(url, (input, init) => {
        const headers = new Headers(init?.headers);
        headers.set('X-SVC-OTP', code);
        return fetch(input, { ...init, headers });
      });
