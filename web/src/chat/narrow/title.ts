// The name of a view, for the window, the history and lists. Names stand in isolates: they may be of another direction.
import type { TextsOf, Translations } from '../../i18n/texts.ts';
import { viewOf } from './narrow.ts';
import type { Names } from './print.ts';
import type { Narrow } from './terms.ts';
import type { narrowTexts } from './texts.ts';

type Texts = typeof narrowTexts extends Translations<infer T> ? TextsOf<T> : never;

const isolate = (name: string): string => `\u2068${name}\u2069`;

/** `noTopic` is the organisation's name for the topic without one. */
export function titleOf(
  narrow: Narrow,
  names: Names,
  texts: Texts,
  noTopic: string = texts.noTopic,
): string {
  const view = viewOf(narrow);
  const channel = (id: number) => isolate(names.channelName(id) ?? texts.unknownChannel);
  const person = (id: number) => isolate(names.personName(id) ?? texts.unknownPerson);
  switch (view.kind) {
    case 'channel':
      return `#${channel(view.channelId)}`;
    case 'topic':
      return texts.inTopic({
        channel: channel(view.channelId),
        topic: isolate(view.topic === '' ? noTopic : view.topic),
      });
    case 'direct':
      return view.userIds.map(person).join(texts.listSeparator);
    case 'search': {
      const [only] = narrow.terms.length === 1 ? narrow.terms : [];
      if (only?.negated === true) return texts.search;
      if (only?.operator === 'search') return texts.searchFor({ text: isolate(only.operand) });
      if (only?.operator === 'sender' && typeof only.operand === 'number') {
        return texts.sentBy({ name: person(only.operand) });
      }
      return texts.search;
    }
    default:
      return texts[view.kind];
  }
}
