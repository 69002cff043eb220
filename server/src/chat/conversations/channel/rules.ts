// Rules for the names and the privacy of channels, without the database.
import { findInvisible } from '../../../platform/names/invisible.ts';
import { badRequest } from '../../http/errors.ts';
import { LIMITS } from '../../limits.ts';
import { badRetention, impossiblePrivacy } from './errors.ts';

/** Returns the name without surrounding white space. */
export function checkChannelName(given: string): string {
  const name = given.trim();
  if (name === '') throw badRequest('name cannot be blank');
  if (Array.from(name).length > LIMITS.max_stream_name_length) {
    throw badRequest(`Channel name too long (limit: ${LIMITS.max_stream_name_length} characters).`);
  }
  const position = findInvisible(name);
  if (position !== undefined) {
    throw badRequest(`Invalid character in channel name, at position ${position}.`);
  }
  return name;
}

/** Joins lines: a description is one line. */
export const checkDescription = (given: string): string => given.replaceAll(/\r\n|\r|\n/g, ' ');

/** From `unlimited`, `realm_default` or days to the stored -1, null or days. */
export function checkRetention(given: number | string): number | null {
  if (given === 'unlimited') return -1;
  if (given === 'realm_default') return null;
  if (typeof given === 'number' && given > 0 && given < 2 ** 31) return given;
  throw badRetention(given);
}

export interface Privacy {
  readonly inviteOnly: boolean;
  readonly isWebPublic: boolean;
  readonly historyPublicToSubscribers: boolean;
}

export interface PrivacyRequest {
  readonly is_private?: boolean | undefined;
  readonly is_web_public?: boolean | undefined;
  readonly history_public_to_subscribers?: boolean | undefined;
}

/** A new channel: by default the history of a private one is protected, and that of others is public. */
export function newPrivacy(
  inviteOnly: boolean,
  isWebPublic: boolean,
  history: boolean | undefined,
): Privacy {
  if (inviteOnly && isWebPublic) throw impossiblePrivacy();
  return {
    inviteOnly,
    isWebPublic,
    historyPublicToSubscribers: inviteOnly ? (history ?? false) : true,
  };
}

/** The privacy after the change; undefined when the request does not mention it. */
export function changedPrivacy(now: Privacy, request: PrivacyRequest): Privacy | undefined {
  const { is_private, is_web_public, history_public_to_subscribers: history } = request;
  if (is_private === undefined && is_web_public === undefined && history === undefined) {
    return undefined;
  }
  // Web-public implies public, and private ends web-public, unless the request gives both.
  const inviteOnly = is_private ?? (is_web_public === true ? false : now.inviteOnly);
  const isWebPublic = is_web_public ?? (is_private === true ? false : now.isWebPublic);
  const isPrivacyGiven = is_private !== undefined && inviteOnly !== now.inviteOnly;
  const historyPublicToSubscribers = inviteOnly
    ? (history ?? (isPrivacyGiven ? false : now.historyPublicToSubscribers))
    : (history ?? true);
  if (inviteOnly ? isWebPublic : !historyPublicToSubscribers) throw impossiblePrivacy();
  return { inviteOnly, isWebPublic, historyPublicToSubscribers };
}

export const isSamePrivacy = (a: Privacy, b: Privacy): boolean =>
  a.inviteOnly === b.inviteOnly &&
  a.isWebPublic === b.isWebPublic &&
  a.historyPublicToSubscribers === b.historyPublicToSubscribers;
