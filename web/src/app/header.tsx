// The header: whose place this is, search, freshness, help and the account.
import { ADMINISTRATOR, isAtLeast } from '../chat/rights/rights.ts';
import { useTexts } from '../i18n/texts.ts';
import { organizationText, ownPerson } from '../state/select.ts';
import { useSelect, useStore } from '../state/react.ts';
import { Avatar } from '../ui/avatar.tsx';
import { classes } from '../ui/classes.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Keys } from '../ui/keys.tsx';
import { MenuButton } from '../ui/menu-button.tsx';
import type { MenuEntry } from '../ui/menu-entry.ts';
import { Tooltip } from '../ui/tooltip.tsx';
import { Button as PlainButton } from 'react-aria-components/Button';
import { useCommand } from './acts.ts';
import { printPlace } from './addresses.ts';
import { ConnectionPill } from './connection-pill.tsx';
import { installer, useCanInstall } from './install.ts';
import { Link, useRouter } from './link.tsx';
import { Mark } from './mark.tsx';
import { Products } from './products.tsx';
import { texts } from './texts.ts';

export interface HeaderProps {
  /** People stand beside the view; where there is no room, a button opens them. */
  readonly hasSide: boolean;
  /** The navigation stands beside the view where there is room. */
  readonly hasNavColumn: boolean;
}

export function Header({ hasSide, hasNavColumn }: HeaderProps) {
  const t = useTexts(texts);
  const store = useStore();
  const router = useRouter();
  const name =
    useSelect(store, (state) => organizationText(state, 'name')) ||
    store.client.boot.organization.name;
  return (
    <header className="flex h-13 shrink-0 items-center gap-2 border-b border-line bg-panel px-3 max-tablet:gap-1 max-tablet:px-2">
      <IconButton
        icon="menu"
        label={t.openNav}
        onPress={() => router.open('nav')}
        className={classes('max-tablet:hidden', hasNavColumn && 'desktop:hidden')}
      />
      <Link
        to={{ view: 'home' }}
        className="flex min-w-0 items-center gap-2.5 rounded-control py-1 ps-1 pe-2 desktop:max-w-50"
      >
        <Mark className="size-7 shrink-0" />
        <bdi className="truncate font-semibold max-tablet:sr-only">{name}</bdi>
      </Link>
      <div className="max-tablet:hidden">
        <Products />
      </div>
      <div className="flex flex-1 justify-center max-tablet:justify-end">
        <PlainButton
          onPress={() => router.open('palette')}
          className="flex h-9 w-full max-w-md cursor-default items-center gap-2 rounded-control border border-control bg-field px-2.5 text-muted data-hovered:bg-hover max-tablet:hidden"
        >
          <Icon name="search" className="size-4" />
          <span className="flex-1 truncate text-start">{t.searchOrJump}</span>
          <Keys keys={isApple ? '⌘ K' : 'Ctrl K'} />
        </PlainButton>
      </div>
      <IconButton
        icon="search"
        label={t.searchOrJump}
        onPress={() => router.open('palette')}
        className="tablet:hidden"
      />
      <ConnectionPill />
      {hasSide && (
        <Tooltip text={t.openSide}>
          <IconButton
            icon="people"
            label={t.openSide}
            onPress={() => router.open('people')}
            className="wide:hidden"
          />
        </Tooltip>
      )}
      <HelpMenu />
      <AccountMenu />
    </header>
  );
}

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

function HelpMenu() {
  const t = useTexts(texts);
  const run = useCommand();
  return (
    <MenuButton
      label={t.help}
      placement="bottom end"
      button={(props) => <IconButton {...props} icon="help" label={t.help} />}
      entries={() => [
        { text: t.shortcuts, icon: 'list', keys: '?', act: () => run('shortcuts') },
        { text: t.tour, icon: 'info', act: () => run('tour') },
        { text: t.docs, icon: 'file', href: '/docs/', target: '_blank' },
      ]}
    />
  );
}

function AccountMenu() {
  const t = useTexts(texts);
  const store = useStore();
  const run = useCommand();
  const own = useSelect(store, ownPerson);
  const canInstall = useCanInstall();
  const isAdministrator = useSelect(store, (state) => isAtLeast(state, ADMINISTRATOR));
  const { boot } = store.client;
  const isOperator = (boot.user.grants ?? []).length > 0;
  const name = own?.fullName ?? boot.user.fullName;
  const page = (page: 'profile' | 'appearance' | 'notifications' | 'keys' | 'security') =>
    printPlace({ view: 'settings', page });
  const entries = (): MenuEntry[] => [
    { text: t.profileAndStatus, icon: 'person', href: page('profile') },
    { text: t.appearance, icon: 'sun', href: page('appearance') },
    { text: t.otherLanguage, icon: 'globe', act: () => run('language') },
    { text: t.notifications, icon: 'bell', href: page('notifications') },
    { text: t.keys, icon: 'key', href: page('keys') },
    { text: t.security, icon: 'lock', href: page('security') },
    'line',
    { text: t.wallet, icon: 'wallet', href: printPlace({ view: 'wallet', page: 'balances' }) },
    { text: t.people, icon: 'people', href: printPlace({ view: 'people' }) },
    ...(isAdministrator || isOperator
      ? [
          {
            text: t.admin,
            icon: 'gear' as const,
            href: printPlace({ view: 'admin', page: isAdministrator ? 'people' : 'markets' }),
          },
        ]
      : []),
    'line',
    ...(canInstall
      ? [{ text: t.install, icon: 'download' as const, act: () => installer.install() }]
      : []),
    { text: t.signOut, icon: 'signOut', act: () => run('signOut') },
  ];
  return (
    <MenuButton
      label={t.account({ name })}
      placement="bottom end"
      entries={entries}
      button={(props) => (
        <PlainButton
          {...props}
          aria-label={t.account({ name })}
          className="flex size-control shrink-0 cursor-default items-center justify-center rounded-full"
        >
          <Avatar id={boot.user.id} name={name} src={own?.avatarUrl ?? undefined} />
        </PlainButton>
      )}
    />
  );
}
