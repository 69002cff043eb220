// What a chat key may do of what its owner may. A key never gives more than its owner has.

/** `admin` also stands for a second factor, so it is for people only and does not last. */
export type KeyRight = 'read' | 'write' | 'admin';

export interface KeyScope {
  readonly can: readonly KeyRight[];
  /** Null for all channels of its owner. */
  readonly channelIds: readonly number[] | null;
  readonly direct: boolean;
}

/** Whether it leaves out some of its owner's conversations. */
export const isLimited = ({ channelIds, direct }: KeyScope): boolean =>
  channelIds !== null || !direct;

/** The conversations of a limited key, as a queue keeps them; undefined for a key that is not limited. */
export interface Reach {
  readonly channelIds: readonly number[] | null;
  readonly direct: boolean;
}

export function reachOf(scope: KeyScope | undefined): Reach | undefined {
  if (scope === undefined || !isLimited(scope)) return undefined;
  const { channelIds, direct } = scope;
  return { channelIds: channelIds && [...channelIds].sort((a, b) => a - b), direct };
}

/** Of the key that opened a queue with this filter; undefined if that reaches all that its owner does. */
export const reachIn = (filter: Readonly<Record<string, unknown>>): Reach | undefined =>
  (filter as { readonly reach?: Reach }).reach;

/** Whether two keys reach the same conversations. Only such keys share a queue. */
export const isSameReach = (one: Reach | undefined, other: Reach | undefined): boolean =>
  textOf(one) === textOf(other);

const textOf = (reach: Reach | undefined): string =>
  reach === undefined ? '' : JSON.stringify([reach.channelIds, reach.direct]);

export const reachesChannel = (reach: Reach | undefined, channelId: number): boolean =>
  reach === undefined || reach.channelIds === null || reach.channelIds.includes(channelId);

/** Direct messages are in no channel. */
export const reachesMessage = (reach: Reach | undefined, channelId: number | null): boolean =>
  channelId === null ? reach === undefined || reach.direct : reachesChannel(reach, channelId);
