// The rules for names.
import { skeletonOf } from '../../platform/names/fold.ts';
import { findInvisible } from '../../platform/names/invisible.ts';
import { badName, NAME_RESERVED } from './errors.ts';

const NAME_CHARACTERS_MAX = 100;
const NAME_FORBIDDEN = /[*`\\>"@]/;
/**
 * A mention is written `@**Name|id**`, so a name with such an ending would mention somebody else.
 */
const NAME_LIKE_MENTION = /\|\d+$/;
/** Names under which the organization itself speaks, here or on other servers of the chat API. */
const SYSTEM_NAMES = [
  'Notification Bot',
  'Welcome Bot',
  'Email Gateway',
  'Nagios Bot',
  'Reminder Bot',
  'System Bot',
] as const;

/** Spaces, hyphens and dots do not make a different name. */
const bareSkeleton = (name: string): string => skeletonOf(name).replaceAll(/[^\p{L}\p{N}]/gu, '');

const RESERVED: ReadonlySet<string> = new Set(SYSTEM_NAMES.map(bareSkeleton));

/** The name as it is stored, or a refusal that says what is wrong with it. */
export function checkFullName(text: string): string {
  const name = text.trim().normalize('NFC');
  if (name === '') throw badName('Name must not be empty!');
  if (Array.from(name).length > NAME_CHARACTERS_MAX) throw badName('Name too long!');
  if (NAME_FORBIDDEN.test(name) || findInvisible(name) !== undefined) {
    throw badName('Invalid characters in name!');
  }
  if (NAME_LIKE_MENTION.test(name)) throw badName('Invalid format!');
  if (RESERVED.has(bareSkeleton(name))) throw badName(NAME_RESERVED);
  return name;
}
