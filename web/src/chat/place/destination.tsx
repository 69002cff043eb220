import { useTexts } from '../../i18n/texts.ts';
import type { Destination } from '../../state/entities.ts';
import { channelOf } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Icon } from '../../ui/icon.tsx';
import { ChannelMark, DirectName, TopicName } from './name.tsx';
import { texts } from './texts.ts';

/** Where a message goes or went, in one line. */
export function DestinationName({ destination }: { readonly destination: Destination }) {
  const t = useTexts(texts);
  const store = useStore();
  const channel = useSelect(store, (state) =>
    destination.kind === 'topic' ? channelOf(state, destination.channelId) : undefined,
  );
  if (destination.kind === 'nowhere') return <i className="text-muted">{t.nowhere}</i>;
  if (destination.kind === 'direct') {
    return (
      <>
        <Icon name="directMessage" className="size-4.5 text-muted" />
        <DirectName userIds={destination.userIds} />
      </>
    );
  }
  return (
    <>
      {channel !== undefined && <ChannelMark channel={channel} />}
      <bdi className="max-w-[45%] shrink-0 truncate">{channel?.name ?? t.unknownChannel}</bdi>
      <Icon name="forward" className="size-3.5 text-muted" />
      <TopicName topic={destination.topic} />
    </>
  );
}
