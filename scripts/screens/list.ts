// The screens that are pictured: a name, an address, who looks, and what has to be there first.
import { printPlace, SETTINGS_PAGES, WALLET_PAGES } from '../../web/src/app/addresses.ts';
import type { Page } from 'playwright-core';
import type { WorldUsers } from '../demo/world.ts';

export interface Screen {
  readonly name: string;
  readonly path: string;
  /** Without one, nobody is signed in. */
  readonly as?: keyof WorldUsers;
  /** What its reader waits for; `main` without it. */
  readonly ready?: string;
  /** Brings the page into the state that is pictured. */
  readonly prepare?: (page: Page, users: WorldUsers) => Promise<void>;
}

const own = (name: string, path: string, more: Partial<Screen> = {}): Screen => ({
  name,
  path,
  as: 'member',
  ...more,
});

const MESSAGES = 'article[data-message]';
const TOPIC = 'main a[href*="/topic/"]';

const ADMINISTRATION = [
  'organization',
  'permissions',
  'people',
  'invitations',
  'groups',
  'newcomers',
  'domains',
  'folders',
  'retention',
  'bots',
  'linkifiers',
  'playgrounds',
  'fields',
  'emoji',
  'audit',
];

/** Pages of the venue; the owner of the demo is its operator. */
const OPERATORS = [
  'markets',
  'coins',
  'fees',
  'accounts',
  'approvals',
  'custody',
  'health',
  'acts',
];
const DIALOG = '[role=alertdialog]';

const operators = (name: string, path: string, more: Partial<Screen> = {}): Screen => ({
  name: `operators ${name}`,
  path: `/admin/${path}`,
  as: 'owner',
  ...more,
});

/** Opens the dialog behind the button of the page that has this icon, or the first of these buttons. */
const openDialog = (button: string) => async (page: Page) => {
  await page.locator(button).first().click();
  await page.locator(DIALOG).waitFor();
};

export const SCREENS: readonly Screen[] = [
  { name: 'front', path: '/', ready: 'main, body' },
  { name: 'sign-in', path: '/login/', ready: 'form' },
  { name: 'reset', path: '/accounts/password/reset/', ready: 'main' },
  { name: 'markets', path: '/markets', ready: 'main' },
  { name: 'coin', path: '/coins/btc', ready: 'main' },
  own('inbox', '/inbox', { ready: '[role=treegrid] [data-key]' }),
  own('recent', '/recent', { ready: TOPIC }),
  own('feed', '/feed', { ready: MESSAGES }),
  own('conversation', '/recent', {
    ready: TOPIC,
    prepare: async (page) => {
      await page.locator(TOPIC).first().click();
      await page.locator(MESSAGES).first().waitFor();
    },
  }),
  own('compose', '/recent', {
    ready: TOPIC,
    prepare: async (page) => {
      await page.locator(TOPIC).first().click();
      await page.locator(MESSAGES).first().waitFor();
      await page.locator('[data-compose]').fill('**Fill** at `64,210.5`\n\nسلام، موجودی رسید.');
    },
  }),
  own('mentions', '/mentions'),
  own('starred', '/starred'),
  own('drafts', '/drafts'),
  own('scheduled', '/scheduled'),
  own('search', '/search?q=spread', { ready: MESSAGES }),
  own('channels', '/channels'),
  own('channel', '/channels/5'),
  own('people', '/people'),
  own('palette', '/inbox?over=palette', { ready: '[role=dialog]' }),
  own('shortcuts', '/inbox?over=shortcuts', { ready: '[role=dialog]' }),
  own('navigation', '/inbox?over=nav', { ready: '[role=dialog]:visible, nav:visible' }),
  { name: 'trade open', path: '/trade/btcusdt', ready: '[role=grid]' },
  own('trade', '/trade/btcusdt', { as: 'trader_a', ready: '[role=grid]' }),
  own('trade orders', '/trade/btcusdt?part=orders', { as: 'trader_a', ready: 'main' }),
  own('trade chat', '/trade/btcusdt?part=chat', { as: 'trader_a', ready: 'main' }),
  ...WALLET_PAGES.map((page) =>
    own(`wallet ${page}`, printPlace({ view: 'wallet', page }), { as: 'trader_a' }),
  ),
  own('nowhere', '/#narrow/nothing/like/that'),
  ...SETTINGS_PAGES.map((page) => own(`settings ${page}`, `/settings/${page}`)),
  ...ADMINISTRATION.map((page) => own(`admin ${page}`, `/admin/${page}`, { as: 'admin' })),
  ...OPERATORS.map((page) => operators(page, page)),
  operators('account', 'accounts', {
    prepare: async (page, users) => {
      await page.locator('main input').fill(users.trader_a.email);
      await page.locator('main form button').click();
      await page.locator('main table').first().waitFor();
    },
  }),
  operators('list a market', 'markets', { prepare: openDialog('main p + button') }),
  operators('change a phase', 'markets', { prepare: openDialog('main tbody button') }),
  operators('add a coin', 'coins', {
    prepare: async (page) => {
      await openDialog('main p + button')(page);
      await page.locator(`${DIALOG} .self-start`).last().click();
    },
  }),
  operators('status of a network', 'coins', { prepare: openDialog('main tbody button') }),
  operators('define a tier', 'fees', { prepare: openDialog('main p + button') }),
];
