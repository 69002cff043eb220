// The keys that work on every page. Views answer the others, and may answer these in their own way while they are shown.
import { unreadConversations } from '../state/select.ts';
import { useStore } from '../state/react.ts';
import { useShortcut } from '../ui/shortcuts/shortcuts.tsx';
import { channelHref, conversationHref } from '../chat/place/address.ts';
import { isSamePlace, MARKETS_HREF, type ListView } from './addresses.ts';
import type { CommandKey } from './keymap.ts';
import { useRoute, useRouter } from './link.tsx';
import { placeAt, viewAt } from './places.ts';

/** Stands before the views in the page, so that they come later and win. */
export function Keyboard() {
  const store = useStore();
  const router = useRouter();
  const { place, over } = useRoute();
  const isFree = over === undefined;
  const on = (command: CommandKey, act: () => void, isOn = isFree) =>
    useShortcut(command, act, isOn);
  const list = (command: CommandKey & ListView) => on(command, () => router.go({ view: command }));
  const nextUnread = (kind: 'topic' | 'direct') => {
    const next = unreadConversations(store.state).find(
      ({ conversation, isMuted }) =>
        conversation.kind === kind &&
        !isMuted &&
        !isSamePlace(placeAt(conversationHref(store.state, conversation)), place),
    );
    if (next !== undefined) router.go(placeAt(conversationHref(store.state, next.conversation)));
  };
  on('palette', () => router.open('palette'));
  on('help', () => router.open('shortcuts'));
  on('compose-channel', () => router.open('palette:#'));
  on('compose-direct', () => router.open('palette:@'));
  list('inbox');
  list('recent');
  list('feed');
  list('starred');
  list('drafts');
  on('trade', () => router.go({ view: 'trade' }));
  // A page of the server, which needs no script.
  on('markets', () => location.assign(MARKETS_HREF));
  on('wallet', () => router.go({ view: 'wallet', page: 'balances' }));
  on('next-topic', () => nextUnread('topic'));
  on('next-direct', () => nextUnread('direct'));
  on('wider', () => {
    const view = viewAt(store.state, place);
    if (view?.kind === 'topic') router.go(placeAt(channelHref(store.state, view.channelId)));
  });
  on('up', () => router.go({ view: 'home' }), isFree && place.view !== 'home');
  return null;
}
