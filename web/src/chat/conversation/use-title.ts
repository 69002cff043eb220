import { useTexts } from '../../i18n/texts.ts';
import { channelOf, emptyTopicName, personOf } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import type { Narrow } from '../narrow/terms.ts';
import { narrowTexts } from '../narrow/texts.ts';
import { titleOf } from '../narrow/title.ts';

/** What the view of a narrow is called, with the names of now. */
export function useTitle(narrow: Narrow): string {
  const n = useTexts(narrowTexts);
  return useSelect(useStore(), (state) =>
    titleOf(
      narrow,
      {
        channelName: (id) => channelOf(state, id)?.name,
        personName: (id) => personOf(state, id)?.fullName,
      },
      n,
      emptyTopicName(state),
    ),
  );
}
