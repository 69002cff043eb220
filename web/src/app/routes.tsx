// Which component shows a place. Each view is a file of its own, fetched when it is first opened.
import { Suspense, useCallback, useMemo, type ReactNode } from 'react';
import { allNarrow, mentionsNarrow, starredNarrow } from '../chat/narrow/narrow.ts';
import { printNarrow } from '../chat/narrow/print.ts';
import type { Narrow } from '../chat/narrow/terms.ts';
import { narrowTexts } from '../chat/narrow/texts.ts';
import { titleOf } from '../chat/narrow/title.ts';
import { useTexts } from '../i18n/texts.ts';
import { emptyTopicName, settingOf } from '../state/select.ts';
import { useSelect, useStore } from '../state/react.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { later } from '../ui/later.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { Skeleton, SkeletonGroup } from '../ui/skeleton.tsx';
import type { Place, WalletPage } from './addresses.ts';
import { useQuery, useRoute, useRouter } from './link.tsx';
import { narrowAt } from './places.ts';
import { ScrollArea } from './scroll-area.tsx';
import { texts } from './texts.ts';

const Inbox = later(() => import('../chat/inbox/inbox.tsx').then((file) => file.Inbox));
const Recent = later(() => import('../chat/recent/recent.tsx').then((file) => file.Recent));
const Drafts = later(() => import('../chat/lists/drafts.tsx').then((file) => file.Drafts));
const Scheduled = later(() => import('../chat/lists/scheduled.tsx').then((file) => file.Scheduled));
const Search = later(() => import('../chat/search/search.tsx').then((file) => file.Search));
const BrowseChannels = later(() =>
  import('../chat/channels/browse.tsx').then((file) => file.BrowseChannels),
);
const ChannelPage = later(() =>
  import('../chat/channels/page.tsx').then((file) => file.ChannelPage),
);
const Conversation = later(() =>
  import('../chat/conversation/conversation.tsx').then((file) => file.Conversation),
);
const People = later(() => import('../chat/people/people.tsx').then((file) => file.People));
export const TradeView = later(() => import('./trade-view.tsx').then((file) => file.default));
const Admin = later(() => import('../admin/admin.tsx').then((file) => file.default));
const Settings = later(() => import('../settings/settings.tsx').then((file) => file.default));
const Wallet = later(() => import('../wallet/wallet.tsx').then((file) => file.default));

/** The file of a view, to be fetched before it is shown. */
export const VIEW_FILES: { readonly [V in Place['view']]?: () => Promise<unknown> } = {
  home: Inbox.load,
  inbox: Inbox.load,
  recent: Recent.load,
  narrow: Conversation.load,
  feed: Conversation.load,
  mentions: Conversation.load,
  starred: Conversation.load,
  trade: TradeView.load,
  wallet: Wallet.load,
  settings: Settings.load,
  admin: Admin.load,
};

const NARROWS = {
  feed: allNarrow(),
  mentions: mentionsNarrow(),
  starred: starredNarrow(),
} as const;

/** Views with a column of their own, and the one of people itself. */
const ALONE: ReadonlySet<Place['view']> = new Set([
  'settings',
  'admin',
  'people',
  'wallet',
  'trade',
]);

/** Whether the column of people stands beside it. */
export const hasPeople = ({ view }: Place): boolean => !ALONE.has(view);

/** Whether the column of the navigation stands beside it. The trade view needs the width; there a button opens it. */
export const hasNav = ({ view }: Place): boolean => view !== 'trade';

export function View({ place, entryKey }: { readonly place: Place; readonly entryKey: string }) {
  return (
    <Suspense fallback={<Loading />}>
      <Shown place={place} entryKey={entryKey} />
    </Suspense>
  );
}

function Shown({
  place,
  entryKey,
}: {
  readonly place: Place;
  readonly entryKey: string;
}): ReactNode {
  const scrolling = (view: ReactNode) => <ScrollArea key={entryKey}>{view}</ScrollArea>;
  switch (place.view) {
    case 'home':
      return <HomeView key={entryKey} />;
    case 'inbox':
      return scrolling(<InboxView />);
    case 'recent':
      return scrolling(<RecentView />);
    case 'drafts':
      return scrolling(<DraftsView />);
    case 'scheduled':
      return scrolling(<Scheduled />);
    case 'feed':
    case 'mentions':
    case 'starred':
      return <Messages key={place.view} narrow={NARROWS[place.view]} />;
    case 'search':
      return <SearchView q={place.q} />;
    case 'narrow':
      return <NarrowView place={place} />;
    case 'channels':
      return scrolling(
        place.channelId === undefined ? (
          <ChannelsView />
        ) : (
          <ChannelPage channelId={place.channelId} />
        ),
      );
    case 'people':
      return scrolling(<PeopleView />);
    case 'trade':
      return <OwnTradeView symbol={place.symbol} />;
    case 'admin':
      return scrolling(<Admin page={place.page} />);
    case 'settings':
      return scrolling(<Settings page={place.page} />);
    case 'wallet':
      return scrolling(<WalletView page={place.page} />);
    default:
      return <NotFound place={place} />;
  }
}

/** A conversation that goes to others by the router, so that no link of it loads the page anew. */
function Messages({ narrow, head }: { readonly narrow: Narrow; readonly head?: ReactNode }) {
  const router = useRouter();
  const open = useCallback(
    (next: Narrow) => router.go({ view: 'narrow', hash: printNarrow(next) }),
    [router],
  );
  return <Conversation narrow={narrow} onOpen={open} head={head} />;
}

/** What the person chose to open first. */
function HomeView() {
  const home = useSelect(useStore(), (state) => settingOf(state, 'web_home_view'));
  if (home === 'all_messages') return <Messages narrow={NARROWS.feed} />;
  return <ScrollArea>{home === 'recent_topics' ? <RecentView /> : <InboxView />}</ScrollArea>;
}

function OwnTradeView({ symbol }: { readonly symbol: string | undefined }) {
  const { csrfToken, user } = useStore().client.boot;
  return <TradeView symbol={symbol} reader={{ csrfToken, personId: user.id }} />;
}

function InboxView() {
  const [filter, setFilter] = useQuery('filter');
  return <Inbox filter={filter} onFilter={setFilter} />;
}

function PeopleView() {
  const [filter, setFilter] = useQuery('filter');
  return <People filter={filter} onFilter={setFilter} />;
}

function RecentView() {
  const [only, setOnly] = useQuery('only');
  return <Recent only={only} onOnly={setOnly} />;
}

function DraftsView() {
  const store = useStore();
  const router = useRouter();
  return (
    <Drafts
      onCompose={({ id, content }) => {
        void import('../chat/compose/box.ts').then(({ composeBoxOf }) => {
          const box = composeBoxOf(store);
          box.setDestination(undefined);
          box.setContent(content);
          box.choose(true);
          store.drafts.remove(id);
          router.go({ view: 'feed' });
        });
      }}
    />
  );
}

function WalletView({ page }: { readonly page: WalletPage }) {
  const [coin, setCoin] = useQuery('coin');
  const [kind, setKind] = useQuery('kind');
  return <Wallet page={page} filter={{ coin, setCoin, kind, setKind }} />;
}

function ChannelsView() {
  const [filter, setFilter] = useQuery('filter');
  return <BrowseChannels filter={filter} onFilter={setFilter} />;
}

function SearchView({ q }: { readonly q: string }) {
  const router = useRouter();
  return (
    <Search
      q={q}
      onQ={(next) => router.go({ view: 'search', q: next })}
      renderMessages={(narrow, head) => <Messages narrow={narrow} head={head} />}
    />
  );
}

function NarrowView({ place }: { readonly place: Place }) {
  const store = useStore();
  const hash = place.view === 'narrow' ? place.hash : '';
  // Parsed once for each address: the conversation compares narrows by identity.
  const narrow = useMemo(() => narrowAt(store.state, { view: 'narrow', hash }), [store, hash]);
  return narrow === undefined ? <BadLink /> : <Messages narrow={narrow} />;
}

function BadLink() {
  const t = useTexts(texts);
  return (
    <EmptyState icon="link" action={<LinkButton href="/inbox">{t.toInbox}</LinkButton>}>
      <span className="block text-title font-semibold text-text">{t.badLink}</span>
      {t.badLinkWhy}
    </EmptyState>
  );
}

function NotFound({ place }: { readonly place: Place }) {
  const t = useTexts(texts);
  return (
    <EmptyState icon="search" action={<LinkButton href="/inbox">{t.toInbox}</LinkButton>}>
      <span className="block text-title font-semibold text-text">{t.notFound}</span>
      {place.view === 'unknown' && t.notFoundWhy({ path: place.path })}
    </EmptyState>
  );
}

/** The shape of a list: most views are one. */
function Loading() {
  return (
    <div className="mx-auto w-full max-w-4xl px-4 py-4">
      <SkeletonGroup>
        <Skeleton className="mb-6 h-7 w-40" />
        {Array.from({ length: 8 }, (_value, index) => (
          <div key={index} className="flex items-center gap-3 py-2">
            <Skeleton className="size-8 rounded-full" />
            <Skeleton className="h-4 flex-1" />
          </div>
        ))}
      </SkeletonGroup>
    </div>
  );
}

/** For the title of the window. */
export function useViewName(): string {
  const t = useTexts(texts);
  const narrow = useTexts(narrowTexts);
  const store = useStore();
  const { place } = useRoute();
  return useSelect(store, (state) => {
    const terms = narrowAt(state, place);
    if (terms !== undefined) {
      const names = {
        channelName: (id: number) => state.channels.get(id)?.name,
        personName: (id: number) => state.people.get(id)?.fullName,
      };
      return titleOf(terms, names, narrow, emptyTopicName(state));
    }
    switch (place.view) {
      case 'home':
        return t.inbox;
      case 'settings':
        return `${t.settings}: ${t[place.page]}`;
      case 'search':
        return place.q === '' ? t.search : `${t.search}: ${place.q}`;
      case 'trade':
        return place.symbol?.toUpperCase() ?? t.trade;
      case 'narrow':
      case 'unknown':
        return t.notFound;
      case 'wallet':
        return place.page === 'balances' ? t.wallet : `${t.wallet}: ${t[place.page]}`;
      default:
        return t[place.view];
    }
  });
}
