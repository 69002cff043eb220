// What a request to subscribe or unsubscribe asks for, its limits, and the result of its parts.
import type { Config } from '../../../platform/config/schema.ts';
import type { Channel } from '../../conversations/channel/channel.ts';
import { checkChannelName } from '../../conversations/channel/rules.ts';
import { badRequest } from '../../http/errors.ts';

export interface Wish {
  readonly name: string;
  readonly color?: string | undefined;
  readonly description?: string | undefined;
}

export interface SubscribeResult {
  /** Names of channels by user id. */
  readonly subscribed: Record<string, string[]>;
  readonly already_subscribed: Record<string, string[]>;
  readonly unauthorized: string[];
  /** False when there were too many people to send messages to. */
  readonly areTold: boolean;
}

export type WantedChannels = readonly (readonly [key: string, wish: Wish])[];

export const parseWishes = (wishes: readonly Wish[]): WantedChannels => [
  ...new Map(wishes.map((wish) => [checkChannelName(wish.name).toLowerCase(), wish])),
];

/** Channels that one transaction handles: it locks their counters. */
export const PART = 10;

/** Gives at least one part, so that an empty request runs too. */
export function splitIntoParts<T>(all: readonly T[], size = PART): (readonly T[])[] {
  const parts: (readonly T[])[] = [all.slice(0, size)];
  for (let from = size; from < all.length; from += size) parts.push(all.slice(from, from + size));
  return parts;
}

/** Limits the work of a request before it starts. */
export function checkRequest(config: Config, channels: number, people: number): void {
  const { CHAT_CHANNELS_PER_REQUEST_MAX: max, CHAT_SUBSCRIPTIONS_PER_REQUEST_MAX: pairs } = config;
  if (channels > max) {
    throw badRequest(`One request can be about at most ${max} channels, not ${channels}.`);
  }
  if (channels > 1 && channels * people > pairs) {
    throw badRequest(
      `${channels} channels times ${people} people are more than the ${pairs} subscriptions that one request can change. Name fewer channels or fewer people.`,
    );
  }
}

export function checkNewChannels(config: Config, count: number): void {
  const max = config.CHAT_NEW_CHANNELS_PER_REQUEST_MAX;
  if (count > max) throw badRequest(`One request can make at most ${max} channels, not ${count}.`);
}

export interface Done extends SubscribeResult {
  /** By person: the channels they were not in before. */
  readonly added: ReadonlyMap<number, readonly { id: number; name: string }[]>;
  readonly made: readonly Channel[];
}

export const NOTHING: Done = {
  subscribed: {},
  already_subscribed: {},
  unauthorized: [],
  areTold: false,
  added: new Map(),
  made: [],
};

export function join(before: Done, after: Done): Done {
  const lists = (one: Record<string, string[]>, other: Record<string, string[]>) => {
    const all = { ...one };
    for (const [id, names] of Object.entries(other)) all[id] = [...(all[id] ?? []), ...names];
    return all;
  };
  const added = new Map(before.added);
  for (const [id, channels] of after.added) added.set(id, [...(added.get(id) ?? []), ...channels]);
  return {
    subscribed: lists(before.subscribed, after.subscribed),
    already_subscribed: lists(before.already_subscribed, after.already_subscribed),
    unauthorized: [...before.unauthorized, ...after.unauthorized],
    areTold: after.areTold,
    added,
    made: [...before.made, ...after.made],
  };
}
