// Which market a channel is about. A channel that is named as a market, such as `btcusdt`, is that market's; nothing has
// to be set up, and other clients see an ordinary channel.

/** No more than a look at the name: whether the market exists, the server says. */
export const mayBeMarket = (channelName: string): boolean =>
  /^[a-z0-9]{4,20}$/u.test(channelName.toLowerCase());

export const symbolOf = (channelName: string): string => channelName.toLowerCase();

/** The market that a link of ours leads to; undefined for any other link. */
export function marketInLink(href: string, origin: string): string | undefined {
  if (!URL.canParse(href, origin)) return undefined;
  const url = new URL(href, origin);
  if (url.origin !== origin) return undefined;
  return /^\/trade\/([A-Za-z0-9]{4,20})$/u.exec(url.pathname)?.[1]?.toLowerCase();
}
