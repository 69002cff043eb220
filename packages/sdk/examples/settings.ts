// The settings of the examples, from the environment. `npm run demo` prints the lines to paste.

/** The origin of the server, such as `http://127.0.0.1:8080`. */
export const url = setting('RIALTO', 'http://127.0.0.1:8080');
export const symbol = setting('SYMBOL', 'btcusdt');

/** A chat key: `email:key`. */
export function chatUser(): { readonly email: string; readonly apiKey: string } {
  const [email = '', apiKey = ''] = setting('CHAT_USER').split(':');
  return { email, apiKey };
}

/** A trading key. */
export const tradingKey = (): { readonly key: string; readonly secret: string } => ({
  key: setting('TRADING_KEY'),
  secret: setting('TRADING_SECRET'),
});

export function setting(name: string, otherwise?: string): string {
  const value = process.env[name] ?? otherwise;
  if (value !== undefined && value !== '') return value;
  throw new Error(`Set ${name}: npm run demo prints it, as a line that begins with "export".`);
}

/** Aborted by Ctrl-C, so that an example can leave in order. */
export function untilInterrupted(): AbortSignal {
  const ending = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => ending.abort());
  return ending.signal;
}
