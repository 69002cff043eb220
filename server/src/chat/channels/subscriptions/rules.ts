// Which properties of a subscription can be set, and to what. Pure.
import { badRequest } from '../../http/errors.ts';
import { normalizeColor } from './colors.ts';
import type { Property } from '../../conversations/subscribers/store.ts';

const PROPERTIES: ReadonlyMap<string, Property> = new Map([
  ['color', 'color'],
  ['is_muted', 'isMuted'],
  ['in_home_view', 'isMuted'],
  ['pin_to_top', 'pinToTop'],
  ['desktop_notifications', 'desktopNotifications'],
  ['audible_notifications', 'audibleNotifications'],
  ['push_notifications', 'pushNotifications'],
  ['email_notifications', 'emailNotifications'],
  ['wildcard_mentions_notify', 'wildcardMentionsNotify'],
]);

export interface PropertyChange {
  readonly column: Property;
  readonly value: boolean | string;
  /** What the events say, in order. */
  readonly told: readonly (readonly [property: string, value: boolean | string])[];
}

export function parsePropertyChange(property: string, value: unknown): PropertyChange {
  const column = PROPERTIES.get(property);
  if (column === undefined) throw badRequest(`Unknown subscription property: ${property}`);
  if (column === 'color') {
    const color = typeof value === 'string' ? normalizeColor(value) : undefined;
    if (color === undefined) throw badRequest(`${property} is not a valid hex color code`);
    return { column, value: color, told: [['color', color]] };
  }
  if (typeof value !== 'boolean') throw badRequest(`${property} is not a boolean`);
  if (column !== 'isMuted') return { column, value, told: [[property, value]] };
  const isMuted = property === 'is_muted' ? value : !value;
  // `in_home_view` is the older name and means the opposite. Clients may know either.
  return {
    column,
    value: isMuted,
    told: [
      ['in_home_view', !isMuted],
      ['is_muted', isMuted],
    ],
  };
}
