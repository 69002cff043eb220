// What the content of messages asks of the client: names of today, files, other views.
import { useMemo } from 'react';
import { personOf } from '../../state/select.ts';
import { useSelect } from '../../state/react.ts';
import type { Store } from '../../state/store.ts';
import type { ContentWorld } from '../content/world.tsx';
import { printNarrow } from '../narrow/print.ts';
import type { Narrow } from '../narrow/terms.ts';

/** Without a router around it, an address is enough. */
const openByAddress = (narrow: Narrow): void => location.assign(`/${printNarrow(narrow)}`);

export function useContentWorldOf(
  store: Store,
  onOpen: ((narrow: Narrow) => void) | undefined,
): ContentWorld {
  const playgrounds = useSelect(store, (state) => state.playgrounds);
  const zone = useSelect(store, (state) => personOf(state, state.own.userId)?.timezone);
  return useMemo(
    (): ContentWorld => ({
      origin: location.origin,
      readerId: store.state.own.userId,
      zone: zone === '' ? undefined : zone,
      playgrounds,
      personName: (id) => personOf(store.state, id)?.fullName,
      groupName: (id) => store.state.groups.get(id)?.name,
      isInGroup: (id) =>
        store.state.groups.get(id)?.memberIds.includes(store.state.own.userId) === true,
      fileSize: () => undefined,
      openNarrow: onOpen ?? openByAddress,
      addSubmessage: async (messageId, content) => {
        await store.client.chat.sendSubmessage({
          message_id: messageId,
          msg_type: 'widget',
          content,
        });
      },
    }),
    [store, playgrounds, zone, onOpen],
  );
}
