// Running an organization in Chromium, against the demo: every page changes something, and the API tells it back.
import type { Chat } from '@rialto/sdk';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { changeSetting, inspectPages, openPage, visit } from './client.ts';
import { openStage } from './stage.ts';

let page: Page;
let complaints: string[];
let owner: Chat;

const SLOW = { timeout: 60_000 };
const PAGES = [
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

const stage = openStage(async () => {
  owner = stage.chatOf('owner');
  ({ page, complaints } = await visit(stage, '/admin/organization', {
    role: 'owner',
    viewport: { width: 1440, height: 900 },
    colorScheme: 'dark',
  }));
});

const open = (path: string) => openPage(page, stage.address(path));

/** A part of the state, as a new client gets it. */
async function told(type: string, field: string): Promise<unknown> {
  const answer: object = await owner.registerQueue({ fetch_event_types: [type], event_types: [] });
  return (answer as Readonly<Record<string, unknown>>)[field];
}
const realm = (name: string) => told('realm', `realm_${name}`);

/** Chooses from a list that opens. */
async function choose(label: string, option: string, within: Page | Locator = page): Promise<void> {
  await within.getByRole('button', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** Where the server asks who is there, the password says it; one proof is good for some minutes. */
async function prove(done: Locator): Promise<void> {
  const password = page.getByLabel('Your password');
  await done.or(password).first().waitFor(SLOW);
  if (await password.isVisible()) {
    await password.fill(stage.demo.users.owner.password);
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  }
  await done.first().waitFor(SLOW);
}

const saved = () => page.locator('main').getByText('Saved.', { exact: true });

describe('organization', () => {
  it('saves each field alone, and says so', async () => {
    await open('/admin/organization');
    const description = page.getByRole('textbox', { name: 'Description' });
    await description.fill('Where the desk trades and talks.');
    await page.getByText('Preview').waitFor(SLOW);
    await page.getByRole('button', { name: 'Save: Description' }).click();
    await saved().first().waitFor(SLOW);
    expect(await realm('description')).toBe('Where the desk trades and talks.');
  });

  it('limits editing by a usual time, by minutes, and not at all', async () => {
    const label = 'For how long messages can be edited';
    await choose(label, '1 hour');
    await expect.poll(() => realm('message_content_edit_limit_seconds'), SLOW).toBe(3600);
    await choose(label, 'Another time…');
    await page.getByRole('textbox', { name: `Minutes: ${label}` }).fill('۴۵');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => realm('message_content_edit_limit_seconds'), SLOW).toBe(2700);
    await choose(label, 'No limit');
    await expect.poll(() => realm('message_content_edit_limit_seconds'), SLOW).toBeNull();
  });

  it('says the server’s reason where a value is refused, and keeps what was there', async () => {
    const address = page.getByRole('textbox', { name: 'Address of the Jitsi server' });
    await address.fill('nonsense');
    await page.getByRole('button', { name: 'Save: Address of the Jitsi server' }).click();
    await page.getByText(/Not saved\. Bad value/).waitFor(SLOW);
    expect(await realm('jitsi_server_url')).toBeNull();
    // The browser itself logs a refused request.
    expect(complaints.splice(0).filter((text) => !text.includes('status of 400'))).toEqual([]);
  });

  it('proves an owner before how long members are new', async () => {
    await page.getByRole('textbox', { name: 'How long members count as new' }).fill('3');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await prove(saved());
    await expect.poll(() => realm('waiting_period_threshold'), SLOW).toBe(3);
  });
});

describe('permissions', () => {
  it('are given to a group of the system, and to people by hand', async () => {
    await open('/admin/permissions');
    const label = 'Who can create public channels';
    await choose(label, 'Moderators and above');
    await saved().first().waitFor(SLOW);
    const group = await realm('can_create_public_channel_group');
    expect(group).toEqual(expect.any(Number));
    await choose(label, 'Choose people and groups…');
    const dialog = page.getByRole('dialog', { name: label });
    await dialog.getByRole('list', { name: 'People' }).getByRole('button').first().click();
    await dialog.getByRole('button', { name: 'Take these' }).click();
    await expect
      .poll(() => realm('can_create_public_channel_group'), SLOW)
      .toEqual({ direct_members: [expect.any(Number)], direct_subgroups: [group] });
  });

  it('offer only what the server takes', async () => {
    await page
      .getByRole('button', { name: 'Who can create channels that are open to the web' })
      .click();
    const options = page.getByRole('option');
    expect(await options.allInnerTexts()).toEqual([
      'Moderators and above',
      'Administrators and owners',
      'Owners',
      'Nobody',
    ]);
    await page.keyboard.press('Escape');
  });
});

describe('newcomers', () => {
  it('get channels, words and settings', async () => {
    await open('/admin/newcomers');
    const before = (await told('default_streams', 'realm_default_streams')) as number[];
    await page.getByRole('button', { name: 'Add a channel' }).click();
    const option = page.getByRole('option').first();
    const name = await option.innerText();
    await option.click();
    await page.getByRole('button', { name: 'Add channel', exact: true }).click();
    const remove = page.getByRole('button', { name: `Remove ${name} from the first channels` });
    await remove.waitFor(SLOW);
    const after = await told('default_streams', 'realm_default_streams');
    expect(after).toHaveLength(before.length + 1);
    await remove.click();
    await remove.waitFor({ state: 'detached', ...SLOW });

    await page.getByText('Enter sends the message', { exact: true }).click();
    const defaults = async () =>
      (await told('realm_user_settings_defaults', 'realm_user_settings_defaults')) as Record<
        string,
        unknown
      >;
    await expect.poll(async () => (await defaults())['enter_sends'], SLOW).toBe(true);
    await page.getByRole('textbox', { name: 'Your words to new people' }).fill('Ask Sara first.');
    await page.getByRole('button', { name: 'Save: Your words to new people' }).click();
    await expect.poll(() => realm('welcome_message_custom_text'), SLOW).toBe('Ask Sara first.');
  });
});

describe('domains', () => {
  it('are added, opened to subdomains, and removed by their name', async () => {
    await open('/admin/domains');
    await page.getByRole('textbox', { name: 'New domain' }).fill('partner.example');
    await page.getByRole('button', { name: 'Add domain' }).click();
    const list = page.getByRole('list', { name: 'Domains' });
    await list.getByText('partner.example').waitFor(SLOW);
    await list.getByText('Subdomains too').click();
    const domains = async () => (await owner.getRealmDomains()).domains;
    await expect
      .poll(domains, SLOW)
      .toEqual([{ domain: 'partner.example', allow_subdomains: true }]);
    await page.getByRole('button', { name: 'Remove partner.example' }).click();
    const dialog = page.getByRole('alertdialog');
    const act = dialog.getByRole('button', { name: 'Remove domain' });
    expect(await act.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('partner.example');
    await act.click();
    await expect.poll(domains, SLOW).toEqual([]);
  });
});

describe('folders', () => {
  const names = async () =>
    (await owner.getChannelFolders()).channel_folders.map(({ name }) => name);
  const create = async (name: string) => {
    await page.getByRole('button', { name: 'Create folder' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create folder' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
    await dialog.getByRole('button', { name: 'Create folder' }).click();
    await dialog.waitFor({ state: 'detached', ...SLOW });
  };

  it('are created, renamed, put into another order and archived', async () => {
    await open('/admin/folders');
    const before = await names();
    await create('Alpha');
    await create('Beta');
    await page.getByRole('button', { name: 'Move Beta up' }).click();
    await expect.poll(names, SLOW).toEqual([...before, 'Beta', 'Alpha']);
    await page.getByRole('button', { name: 'Change Beta' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Gamma');
    await page.getByRole('button', { name: 'Save folder' }).click();
    await expect.poll(names, SLOW).toEqual([...before, 'Gamma', 'Alpha']);
    await page.getByRole('button', { name: 'Archive Gamma' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Archive folder' }).click();
    await expect.poll(names, SLOW).toEqual([...before, 'Alpha']);
    await page.getByText('Archived folders: 1').click();
    await page.getByRole('button', { name: 'Bring back' }).click();
    await expect.poll(names, SLOW).toContain('Gamma');
  });
});

describe('retention', () => {
  const confirmShortening = async () => {
    const dialog = page.getByRole('alertdialog');
    const act = dialog.getByRole('button', { name: 'Delete older messages' });
    expect(await act.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill(String(await realm('name')));
    await act.click();
    return dialog;
  };

  it('of the organization is shortened by its name, and becomes for ever again', async () => {
    await open('/admin/retention');
    const whole = page.locator('section').filter({ hasText: 'Whole organization' });
    await choose('Keep messages', 'For some days', whole);
    await whole.getByRole('textbox', { name: 'Days' }).fill('36000');
    await whole.getByRole('button', { name: 'Save rule' }).click();
    await confirmShortening();
    await prove(saved());
    await expect.poll(() => realm('message_retention_days'), SLOW).toBe(36_000);
    await page.getByRole('alertdialog').waitFor({ state: 'detached', ...SLOW });
    await choose('Keep messages', 'For ever', whole);
    await whole.getByRole('button', { name: 'Save rule' }).click();
    await expect.poll(() => realm('message_retention_days'), SLOW).toBe(-1);
  });

  it('of a channel is for ever, for days, and as the organization has it', async () => {
    const { streams } = await owner.getChannels();
    const channel = streams.find(({ name }) => name === 'btcusdt') ?? streams[0];
    if (channel === undefined) throw new Error('The demo has no channel.');
    const days = async () =>
      (await owner.getChannels()).streams.find(({ stream_id: id }) => id === channel.stream_id)
        ?.message_retention_days;
    const rules = page.locator('section').filter({ hasText: 'Channels with a rule of their own' });
    const save = rules.getByRole('button', { name: `Save rule of ${channel.name}` });
    await choose('Rule of a channel', channel.name, rules);
    await choose('Keep messages', 'For ever', rules);
    await save.click();
    await expect.poll(days, SLOW).toBe(-1);
    await rules.getByRole('button', { name: `Change the rule of ${channel.name}` }).click();
    await choose('Keep messages', 'For some days', rules);
    await rules.getByRole('textbox', { name: 'Days' }).fill('35000');
    await save.click();
    await confirmShortening();
    await expect.poll(days, SLOW).toBe(35_000);
    await page.getByRole('alertdialog').waitFor({ state: 'detached', ...SLOW });
    await rules.getByRole('button', { name: `Change the rule of ${channel.name}` }).click();
    await choose('Keep messages', 'As the organization has it', rules);
    await save.click();
    await expect.poll(days, SLOW).toBeNull();
  });
});

describe('the audit log', () => {
  it('tells what was done here, and finds it by act and person', async () => {
    await open('/admin/audit');
    const list = page.getByRole('list', { name: 'Audit log' });
    await list.getByText('changed a channel', { exact: true }).first().waitFor(SLOW);
    await choose('What', 'removed an email domain');
    await list.getByText('partner.example').first().waitFor(SLOW);
    const { entries } = await owner.getAuditLog({ act: 'domain remove' });
    expect(await list.getByRole('listitem').count()).toBe(entries.length);
    await page.getByRole('button', { name: 'Anybody' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('no such person');
    await page.getByRole('dialog').getByText('Nobody fits').waitFor(SLOW);
    await page.keyboard.press('Escape');
    await choose('What', 'Anything');
    await list.getByText('changed settings of the organization').first().waitFor(SLOW);
    await list.locator('summary').first().click();
    expect(await list.locator('dd').first().isVisible()).toBe(true);
  });
});

describe('on a phone', () => {
  it('a bot keeps its name beside its acts, and a picture is chosen in the reader’s language', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await openPage(page, stage.address('/admin/bots'));
    const name = page.locator('main li bdi').first();
    await name.waitFor(SLOW);
    expect(await name.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);
    expect((await name.boundingBox())?.width).toBeGreaterThan(20);
    await openPage(page, stage.address('/admin/emoji'));
    await page.getByRole('button', { name: 'Choose a picture' }).waitFor(SLOW);
    expect(await page.locator('main input[type=file]').isVisible()).toBe(false);
  });
});

describe('every page', () => {
  it.each([
    ['en', 1440, 'dark'],
    ['fa', 320, 'light'],
  ] as const)(
    'fits, is quiet and keeps nobody out: %s at %i, %s',
    async (language, width, colorScheme) => {
      await page.emulateMedia({ colorScheme });
      const addresses = PAGES.map((name) => stage.address(`/admin/${name}`));
      await inspectPages({ page, complaints }, addresses, { language, width });
      await changeSetting(page, 'default_language', 'en');
    },
    400_000,
  );
});

describe('a member', () => {
  it('reads who can change it, and cannot open the log', async () => {
    const { page: other } = await visit(stage, '/admin/organization', { role: 'member' });
    await other.getByText('Only administrators and owners can change it.').waitFor(SLOW);
    expect(await other.getByRole('textbox', { name: 'Name', exact: true }).isDisabled()).toBe(true);
    for (const [path, text] of [
      ['permissions', 'Only administrators and owners can change it.'],
      ['newcomers', 'Only administrators and owners can change it.'],
      ['folders', 'Only administrators and owners can change it.'],
      ['domains', 'Only owners can change it.'],
      ['retention', 'Only owners can change it.'],
      ['audit', 'Only administrators can open this page.'],
    ] as const) {
      await other.goto(stage.address(`/admin/${path}`));
      await other.getByText(text).first().waitFor(SLOW);
    }
    await other.context().close();
  });
});
