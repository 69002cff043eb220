// Which market a channel is about. A channel that is named as a market, such as `btcusdt`, is that market's; nothing has
// to be set up, and other clients see an ordinary channel.

/** No more than a look at the name: whether the market exists, the server says. */
export const mayBeMarket = (channelName: string): boolean =>
  /^[a-z0-9]{4,20}$/u.test(channelName.toLowerCase());

export const symbolOf = (channelName: string): string => channelName.toLowerCase();

export interface LinkedMarket {
  readonly symbol: string;
  /** The order that the link shows there. */
  readonly orderId: string | undefined;
}

/** The market that a link of ours leads to; undefined for any other link. */
export function marketInLink(href: string, origin: string): LinkedMarket | undefined {
  if (!URL.canParse(href, origin)) return undefined;
  const url = new URL(href, origin);
  if (url.origin !== origin) return undefined;
  const symbol = /^\/trade\/([A-Za-z0-9]{4,20})$/u.exec(url.pathname)?.[1]?.toLowerCase();
  if (symbol === undefined) return undefined;
  const order = url.searchParams.get('order') ?? '';
  return { symbol, orderId: isOrderId(order) ? order : undefined };
}

/** No more than its form: whose it is, the server says. */
export const isOrderId = (text: string): boolean => /^[1-9]\d{0,18}$/u.test(text);

export const orderHref = (symbol: string, orderId: string): string =>
  `/trade/${symbol}?order=${orderId}`;
