// What a channel is, who is in it, and how one follows it.
import { useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { channelOf } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Banner } from '../../ui/banner.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { channelHref, CHANNELS_HREF } from '../place/address.ts';
import { ChannelMark } from '../place/name.tsx';
import { ChannelGeneral } from './general.tsx';
import { ChannelPersonal } from './personal.tsx';
import { ChannelSubscribers } from './subscribers.tsx';
import { texts } from './texts.ts';

type Tab = 'general' | 'people' | 'personal';

export function ChannelPage({ channelId }: { readonly channelId: number }) {
  const t = useTexts(texts);
  const store = useStore();
  const channel = useSelect(store, (state) => channelOf(state, channelId));
  const [tab, setTab] = useState<Tab>('general');
  if (channel === undefined) {
    return (
      <EmptyState icon="hash" action={<LinkButton href={CHANNELS_HREF}>{t.back}</LinkButton>}>
        {t.unknown}
      </EmptyState>
    );
  }
  return (
    <section
      aria-label={t.settings({ name: channel.name })}
      className="mx-auto flex w-full max-w-4xl flex-col gap-4 px-4 py-4"
    >
      <header className="flex flex-wrap items-center gap-3">
        <ChannelMark channel={channel} />
        <h1 className="flex min-w-0 text-heading font-semibold">
          <bdi className="truncate">{channel.name}</bdi>
        </h1>
        <LinkButton href={channelHref(store.state, channelId)} icon="chat" className="ms-auto">
          {t.openChannel}
        </LinkButton>
      </header>
      {channel.isArchived && <Banner tone="warning">{t.isArchived}</Banner>}
      <Tabs
        label={t.settings({ name: channel.name })}
        selected={tab}
        onSelect={setTab}
        tabs={[
          {
            id: 'general',
            title: t.general,
            content: <ChannelGeneral key={channelId} channel={channel} />,
          },
          {
            id: 'people',
            title: t.people,
            content: <ChannelSubscribers key={channelId} channel={channel} />,
          },
          {
            id: 'personal',
            title: t.personal,
            content: <ChannelPersonal key={channelId} channel={channel} />,
          },
        ]}
      />
    </section>
  );
}
