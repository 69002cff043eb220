// The navigation: views, people one talks with, channels in their folders with their topics, and how much is unread.
import { useEffect, useId, useMemo, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { derive } from '../../state/derive.ts';
import { topicKey } from '../../state/keys.ts';
import { serverDrafts, scheduledMessages, unreadCounts } from '../../state/select.ts';
import type { Slice } from '../../state/state.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import type { IconName } from '../../ui/icon-paths.ts';
import { Icon } from '../../ui/icon.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { ListView } from '../addresses.ts';
import { useRoute } from '../link.tsx';
import { viewAt } from '../places.ts';
import { texts } from '../texts.ts';
import { deriveDirects, deriveSections, type NavWish } from './derive.ts';
import { useNavOpen, type NavOpenState } from './open.ts';
import { LastRowProvider, useRoving } from './roving.ts';
import { ChannelRow, DirectRow, SectionHeading, ViewRow } from './rows.tsx';

const VIEWS: readonly { readonly view: ListView; readonly icon: IconName }[] = [
  { view: 'inbox', icon: 'inbox' },
  { view: 'recent', icon: 'clock' },
  { view: 'feed', icon: 'feed' },
  { view: 'mentions', icon: 'at' },
  { view: 'starred', icon: 'star' },
  { view: 'drafts', icon: 'draft' },
  { view: 'scheduled', icon: 'schedule' },
];

const CHANNEL_SLICES: readonly Slice[] = [
  'channels',
  'folders',
  'topics',
  'unreads',
  'mentions',
  'userTopics',
];

export function Nav() {
  const t = useTexts(texts);
  const [filter, setFilter] = useState('');
  const { last, props } = useRoving();
  const openness = useNavOpen();
  return (
    <LastRowProvider value={last}>
      <div {...props} className="flex min-h-0 flex-1 flex-col">
        <div className="px-3 pt-3 pb-1">
          <TextField
            label={t.filterNav}
            isLabelHidden
            placeholder={t.filterNav}
            value={filter}
            onChange={setFilter}
            onKeyDown={(event) => {
              if (event.key === 'Escape' && filter !== '') setFilter('');
              else event.continuePropagation();
            }}
            start={<Icon name="filter" className="size-4" />}
            end={
              filter === '' ? undefined : (
                <IconButton
                  icon="close"
                  label={t.clearFilter}
                  size="small"
                  onPress={() => setFilter('')}
                  className="-me-2"
                />
              )
            }
          />
        </div>
        <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-2 pb-4">
          {filter === '' && <Views />}
          <Directs filter={filter} openness={openness} />
          <Channels filter={filter} openness={openness} />
        </div>
      </div>
    </LastRowProvider>
  );
}

function Views() {
  const t = useTexts(texts);
  const store = useStore();
  const { place } = useRoute();
  const counts = useSelect(store, unreadCounts);
  const drafts = useSelect(store, (state) => serverDrafts(state).length);
  const scheduled = useSelect(store, (state) => scheduledMessages(state).length);
  const countOf: Partial<Record<ListView, number>> = {
    inbox: counts.total,
    mentions: counts.mentions,
    drafts,
    scheduled,
  };
  return (
    <ul className="mt-1">
      {VIEWS.map(({ view, icon }) => (
        <ViewRow
          key={view}
          place={{ view }}
          icon={icon}
          label={t[view]}
          isCurrent={place.view === view || (view === 'inbox' && place.view === 'home')}
          isStop={view === 'inbox'}
          count={countOf[view] ?? 0}
          isQuiet={view === 'drafts' || view === 'scheduled'}
        />
      ))}
    </ul>
  );
}

interface PartProps {
  readonly filter: string;
  readonly openness: NavOpenState;
}

function Directs({ filter, openness: { open, toggleSection } }: PartProps) {
  const t = useTexts(texts);
  const store = useStore();
  const listId = useId();
  const { place } = useRoute();
  const select = useMemo(
    () =>
      derive(['recentDirect', 'unreads', 'mentions', 'userTopics', 'channels', 'people'], (state) =>
        deriveDirects(state, filter),
      ),
    [filter],
  );
  const rows = useSelect(store, select);
  const current = useSelect(store, (state) => {
    const view = viewAt(state, place);
    return view?.kind === 'direct'
      ? view.userIds.filter((id) => id !== state.own.userId).join()
      : undefined;
  });
  if (rows.length === 0) return null;
  const isOpen = filter !== '' || !open.closedSections.has('directs');
  return (
    <div data-nav-item>
      <SectionHeading
        name={t.directs}
        isOpen={isOpen}
        count={rows.reduce((sum, { count }) => sum + count, 0)}
        onToggle={() => toggleSection('directs')}
        controls={listId}
      />
      <ul id={listId} hidden={!isOpen}>
        {rows.map((row) => (
          <DirectRow key={row.key} row={row} isCurrent={current === row.userIds.join()} />
        ))}
      </ul>
    </div>
  );
}

function Channels({ filter, openness }: PartProps) {
  const t = useTexts(texts);
  const store = useStore();
  const { place } = useRoute();
  const { open, toggleChannel, toggleSection } = openness;
  const hereKey = useSelect(store, (state) => {
    const view = viewAt(state, place);
    if (view?.kind === 'topic') return topicKey(view.channelId, view.topic);
    return view?.kind === 'channel' ? `c${view.channelId}` : undefined;
  });
  const wish = useMemo(
    (): NavWish => ({ filter, ...open, at: placeIn(hereKey) }),
    [filter, open, hereKey],
  );
  const select = useMemo(
    () => derive(CHANNEL_SLICES, (state) => deriveSections(state, wish)),
    [wish],
  );
  const sections = useSelect(store, select);
  const { openChannels } = open;
  useEffect(() => {
    const ids = wish.at === undefined ? openChannels : [...openChannels, wish.at.channelId];
    // Without them the unread topics are shown, so a failure needs no word here; the next opening asks again.
    for (const id of ids) store.loadTopics(id).catch(() => undefined);
  }, [store, openChannels, wish.at]);
  if (sections.length === 0) {
    return <p className="px-2 py-3 text-muted">{filter === '' ? t.noChannels : t.noMatches}</p>;
  }
  const hasOnlyOne = sections.length === 1;
  return sections.map((section) => (
    <div key={section.key} data-nav-item>
      <SectionHeading
        name={
          section.name ??
          (section.key === 'pinned' ? t.pinned : hasOnlyOne ? t.channels : t.otherChannels)
        }
        isOpen={section.isOpen}
        count={section.count}
        onToggle={() => toggleSection(section.key)}
        controls={`nav-${section.key}`}
      />
      <ul id={`nav-${section.key}`} hidden={!section.isOpen}>
        {section.channels.map((row) => (
          <ChannelRow
            key={row.channel.id}
            row={row}
            isCurrent={wish.at?.channelId === row.channel.id}
            currentTopic={wish.at?.channelId === row.channel.id ? wish.at.topic : undefined}
            onToggle={() => toggleChannel(row.channel.id)}
          />
        ))}
      </ul>
    </div>
  ));
}

/** Back from a key: `c7` is a channel, `c7:topic` a topic. */
function placeIn(key: string | undefined): NavWish['at'] {
  const [, id, topic] = /^c(\d+)(?::(.*))?$/s.exec(key ?? '') ?? [];
  return id === undefined ? undefined : { channelId: Number(id), topic };
}
