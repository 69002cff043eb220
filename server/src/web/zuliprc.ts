/** The file that Zulip's libraries and terminal client read: who, with which key, and where. */
export const zuliprcOf = (given: {
  readonly email: string;
  readonly key: string;
  readonly origin: string;
}): string => `[api]\nemail=${given.email}\nkey=${given.key}\nsite=${given.origin}\n`;
