// From links to places, and from places to what they show.
import { viewOf, type View } from '../chat/narrow/narrow.ts';
import { parseNarrow, type KnownChannels } from '../chat/narrow/parse.ts';
import type { Narrow } from '../chat/narrow/terms.ts';
import { channelByName } from '../state/select.ts';
import type { State } from '../state/state.ts';
import { matchPlace, type Place } from './addresses.ts';

/** The place of a link to one of our views. */
export const placeAt = (href: string): Place => matchPlace(new URL(href, 'http://here.invalid'));

const knownIn = (state: State): KnownChannels => ({
  hasChannel: (id) => state.channels.has(id),
  findChannel: (name) => channelByName(state, name)?.id,
});

/** Undefined for an address that is no narrow. */
export const narrowAt = (state: State, place: Place): Narrow | undefined =>
  place.view === 'narrow' ? parseNarrow(place.hash, knownIn(state)) : undefined;

export function viewAt(state: State, place: Place): View | undefined {
  const narrow = narrowAt(state, place);
  return narrow && viewOf(narrow);
}
