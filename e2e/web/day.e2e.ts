// A day of two people: one in English at a desk, one in Persian on a phone. They read, answer, mention, react, edit, attach,
// ask, mute, resolve, move, schedule, search and talk directly, and twice the server is started again under them. In the
// evening both have what the server has, once, and neither page was loaded anew.
import type { Chat } from '@rialto/sdk';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { visit } from './client.ts';
import { openStage } from './stage.ts';

declare const window: { dayMark?: string };

/** A machine that does much at once takes its time. */
const SLOW = { timeout: 60_000 };
const soon = <T>(look: () => T) => expect.poll(look, SLOW);

/** The words on what they press. */
const WORDS = {
  en: {
    send: 'Send',
    sendMenu: 'More ways to send',
    tomorrow: 'Tomorrow at 9:00',
    topicMenu: 'Topic menu',
    resolve: 'Mark as resolved',
    move: 'Move topic…',
    topicName: 'Name of the topic',
    moveAct: 'Move messages',
    editLabel: 'Text of the message',
  },
  fa: {
    send: 'ارسال',
    topicMenu: 'منوی موضوع',
    mute: 'بی‌صدا کردن موضوع',
    search: 'جست‌وجو یا پرش',
  },
} as const;

/** Somebody and what they look at. */
interface Somebody {
  readonly page: Page;
  readonly chat: Chat;
  readonly name: string;
  readonly language: 'en' | 'fa';
  readonly complaints: string[];
}

let owner: Chat;
let desk: Somebody;
let phone: Somebody;
let channelId: number;

const stage = openStage(async () => {
  const { users } = stage.demo;
  owner = stage.chatOf('owner');
  const [admin, member] = [stage.chatOf('admin'), stage.chatOf('member')];
  await owner.subscribe({
    subscriptions: [{ name: 'a whole day' }],
    principals: [users.owner.user_id, users.admin.user_id, users.member.user_id],
  });
  const { subscriptions } = await owner.getSubscriptions();
  channelId = subscriptions.find(({ name }) => name === 'a whole day')?.stream_id ?? 0;
  await admin.updateSettings({ default_language: 'en', enter_sends: false });
  await member.updateSettings({ default_language: 'fa', enter_sends: false });
  await Promise.all([admin, member].map((one) => one.markAllAsRead()));
  const seen = await Promise.all([
    visit(stage, '/inbox', { role: 'admin', viewport: { width: 1280, height: 800 } }),
    visit(stage, '/inbox', {
      role: 'member',
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    }),
  ]);
  const nameOf = async (chat: Chat) => (await chat.getOwnUser()).full_name;
  desk = { ...seen[0], chat: admin, name: await nameOf(admin), language: 'en' };
  phone = { ...seen[1], chat: member, name: await nameOf(member), language: 'fa' };
  for (const { page } of [desk, phone]) {
    page.setDefaultTimeout(SLOW.timeout);
    await page.evaluate(() => (window.dayMark = 'since the morning'));
  }
});

const say = (topic: string, content: string) =>
  owner.sendMessage({ type: 'channel', to: channelId, topic, content });

const press = ({ language }: Somebody, locator: Locator) =>
  language === 'fa' ? locator.tap() : locator.click();

const hashOf = (topic: string) =>
  `#narrow/channel/${channelId}/topic/${encodeURIComponent(topic).replaceAll('%', '.')}`;

/** By an address, as a link does; the page stays. */
async function goTo({ page }: Somebody, address: string): Promise<void> {
  await page.evaluate((href) => {
    const link = Object.assign(document.createElement('a'), { href });
    document.body.append(link);
    link.click();
    link.remove();
  }, address);
}

const goToTopic = (who: Somebody, topic: string) => goTo(who, `/${hashOf(topic)}`);

const messageWith = ({ page }: Somebody, text: string) =>
  page.locator('article[data-message]', { hasText: text });

async function write(who: Somebody, text: string): Promise<void> {
  const { page, language } = who;
  await page.locator('[data-compose]').fill(text);
  const send = page.getByRole('button', { name: WORDS[language].send, exact: true });
  await press(who, send);
}

/** Opens the menu of the conversation and takes one act of it. */
async function choose(who: Somebody, menu: string, item: string): Promise<void> {
  await press(who, who.page.locator('main header').getByRole('button', { name: menu }));
  await press(who, who.page.getByRole('menuitem', { name: item, exact: true }));
}

const both = (act: (who: Somebody) => Promise<unknown>) => Promise.all([desk, phone].map(act));

async function messagesOf(
  { chat }: Pick<Somebody, 'chat'>,
  narrow: readonly { operator: string; operand: string | number | readonly number[] }[],
) {
  const { messages } = await chat.getMessages({
    anchor: 'newest',
    num_before: 200,
    num_after: 0,
    narrow,
    apply_markdown: false,
  });
  return messages;
}

const inTopic = (topic: string) => [
  { operator: 'channel', operand: channelId },
  { operator: 'topic', operand: topic },
];

it('In the morning the inbox says what waits, in both languages.', async () => {
  expect(await phone.page.evaluate(() => document.documentElement.dir)).toBe('rtl');
  await say('Morning', 'Who is here today?');
  await say('Morning', `@**${desk.name}** and @**${phone.name}**, please say so.`);
  await both(async (who) => {
    const row = who.page.getByRole('row').filter({ hasText: 'Morning' });
    await row.waitFor();
    await press(who, row.getByRole('link'));
    await messageWith(who, 'Who is here today?').waitFor();
    await who.page.locator('[data-unread-line]').waitFor();
  });
  for (const { chat } of [desk, phone]) {
    await soon(async () =>
      (await messagesOf({ chat }, inTopic('Morning'))).every(({ flags }) =>
        (flags ?? []).includes('read'),
      ),
    ).toBe(true);
  }
});

it('Each answers, and the other reads it at once.', async () => {
  await write(desk, `Here. Good morning @**${phone.name}**!`);
  await messageWith(phone, 'Here. Good morning').waitFor();
  await write(phone, 'من هم هستم. صبح بخیر!');
  await messageWith(desk, 'من هم هستم').waitFor();
});

it('A reaction by keys is joined by a tap.', async () => {
  await messageWith(desk, 'من هم هستم').focus();
  await desk.page.keyboard.press('+');
  const chip = (who: Somebody) =>
    messageWith(who, 'من هم هستم').locator('button[aria-pressed][aria-label*=":+1:"]');
  await chip(phone).tap();
  await soon(() => chip(desk).innerText()).toContain('2');
});

it('An edited message is the new text for both.', async () => {
  await messageWith(desk, 'Here. Good morning').focus();
  await desk.page.keyboard.press('e');
  const field = desk.page.getByRole('textbox', { name: WORDS.en.editLabel });
  await field.fill('Here, with coffee.');
  await desk.page.keyboard.press('Control+Enter');
  await both((who) => messageWith(who, 'Here, with coffee.').waitFor());
  expect(await messageWith(phone, 'Good morning').count()).toBe(0);
});

it('While the server is started again, what is written waits, and arrives once.', async () => {
  const restarted = stage.process.restart();
  await write(phone, 'نوشته‌شده هنگام راه‌اندازی دوباره');
  await write(desk, 'Written while nobody answered.');
  await restarted;
  await both((who) => messageWith(who, 'Written while nobody answered.').waitFor());
  await both((who) => messageWith(who, 'نوشته‌شده هنگام راه‌اندازی دوباره').waitFor());
  await both(({ page }) => page.locator('[data-outbox]').first().waitFor({ state: 'detached' }));
});

it('A file is attached and sent.', async () => {
  const file = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Buy milk.\n') };
  await desk.page.locator('[data-compose-area] input[type=file]').setInputFiles(file);
  await soon(() => desk.page.locator('[data-compose]').inputValue()).toMatch(
    /\[notes\.txt\]\(\/user_uploads\//,
  );
  await press(desk, desk.page.getByRole('button', { name: WORDS.en.send, exact: true }));
  await messageWith(phone, 'notes.txt').waitFor();
});

it('A poll is asked at the desk and answered on the phone.', async () => {
  await write(desk, '/poll Lunch?\nRice\nBread');
  const option = (who: Somebody) =>
    messageWith(who, 'Lunch?').locator('button[aria-pressed]', { hasText: 'Rice' });
  await option(phone).tap();
  await soon(() => option(phone).getAttribute('aria-pressed')).toBe('true');
  await soon(() => option(desk).innerText()).toMatch(/1/);
});

it('A topic is muted on the phone.', async () => {
  await say('Noise', 'Beep.');
  await goToTopic(phone, 'Noise');
  await messageWith(phone, 'Beep.').waitFor();
  await choose(phone, WORDS.fa.topicMenu, WORDS.fa.mute);
  await soon(async () => {
    const { user_topics: topics } = (await phone.chat.registerQueue({
      fetch_event_types: ['user_topic'],
    })) as unknown as { user_topics: { topic_name: string; visibility_policy: number }[] };
    return topics.find(({ topic_name: name }) => name === 'Noise')?.visibility_policy;
  }).toBe(1);
});

it('A topic is resolved at the desk, and the phone follows it.', async () => {
  await say('Question', 'Is the door locked?');
  await both((who) => goToTopic(who, 'Question'));
  await both((who) => messageWith(who, 'Is the door locked?').waitFor());
  await choose(desk, WORDS.en.topicMenu, WORDS.en.resolve);
  // The mark in its name is a picture with a word, here as in every list.
  await both(async ({ page }) => {
    const heading = page.locator('main header h1');
    await heading.locator('[data-icon=check][aria-label]').waitFor();
    expect(await heading.innerText()).not.toContain('✔');
  });
  await both((who) => messageWith(who, 'Is the door locked?').waitFor());
});

it('A topic is moved, and the phone follows it.', async () => {
  await both((who) => goToTopic(who, 'Morning'));
  await both((who) => messageWith(who, 'Who is here today?').waitFor());
  await choose(desk, WORDS.en.topicMenu, WORDS.en.move);
  await desk.page.getByRole('textbox', { name: WORDS.en.topicName }).fill('The day');
  await press(desk, desk.page.getByRole('button', { name: WORDS.en.moveAct }));
  await both(({ page }) =>
    soon(() => page.locator('main header').first().innerText()).toContain('The day'),
  );
  await both((who) => messageWith(who, 'Who is here today?').waitFor());
});

it('The server is started again, and both hear of what is said after it.', async () => {
  await stage.process.restart();
  await say('The day', 'Back from lunch.');
  await both((who) => messageWith(who, 'Back from lunch.').waitFor());
});

it('A message is written for tomorrow.', async () => {
  const { page } = desk;
  await page.locator('[data-compose]').fill('Good morning again.');
  await press(desk, page.getByRole('button', { name: WORDS.en.sendMenu }));
  await press(desk, page.getByRole('menuitem', { name: WORDS.en.tomorrow }));
  await goTo(desk, '/scheduled');
  await page.getByRole('main').getByText('Good morning again.').waitFor();
  const { scheduled_messages: scheduled } = await desk.chat.getScheduledMessages();
  expect(scheduled.filter(({ content }) => content === 'Good morning again.')).toHaveLength(1);
});

it('A search finds what was said, on the phone.', async () => {
  const { page } = phone;
  await press(phone, page.getByRole('button', { name: WORDS.fa.search, exact: true }));
  await page.getByRole('combobox').fill('coffee');
  await press(phone, page.getByRole('option').last());
  await messageWith(phone, 'Here, with coffee.').waitFor();
});

it('They talk directly.', async () => {
  const { page } = phone;
  await press(phone, page.getByRole('button', { name: WORDS.fa.search, exact: true }));
  await page.getByRole('dialog').getByRole('combobox').fill(desk.name);
  await press(phone, page.getByRole('option', { name: desk.name }).first());
  await write(phone, 'سلام، وقت داری؟');
  await goTo(desk, '/inbox');
  const row = desk.page.getByRole('row').filter({ hasText: phone.name });
  await press(desk, row.getByRole('link').first());
  await messageWith(desk, 'سلام، وقت داری؟').waitFor();
  await write(desk, 'Yes, always.');
  await messageWith(phone, 'Yes, always.').waitFor();
});

/** The messages of the list in the page, from its beginning to its end. */
async function idsIn(page: Page): Promise<number[]> {
  const ids = new Set<number>();
  for (const end of [0, 1e9]) {
    await page.locator('[data-scroller]').evaluate((box, top) => (box.scrollTop = top), end);
    await page.waitForTimeout(500);
    const shown = await page
      .locator('article[data-message]')
      .evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('data-message'))));
    expect(shown).toHaveLength(new Set(shown).size);
    for (const id of shown) ids.add(id);
  }
  return [...ids].sort((a, b) => a - b);
}

it('In the evening nothing is lost, nothing is doubled, and no page was loaded anew.', async () => {
  for (const topic of ['The day', '✔ Question', 'Noise']) {
    for (const who of [desk, phone]) {
      const known = await messagesOf(who, inTopic(topic));
      expect(known.length).toBeGreaterThan(0);
      const contents = known.map(({ content, sender_id: sender }) => `${sender} ${content}`);
      expect(contents).toHaveLength(new Set(contents).size);
      await goToTopic(who, topic);
      await messageWith(who, '').first().waitFor();
      await soon(() => idsIn(who.page)).toEqual(known.map(({ id }) => id).sort((a, b) => a - b));
    }
  }
  const { messages: direct } = await desk.chat.getMessages({
    anchor: 'newest',
    num_before: 200,
    num_after: 0,
    narrow: [{ operator: 'dm', operand: [stage.demo.users.member.user_id] }],
    apply_markdown: false,
  });
  for (const text of ['سلام، وقت داری؟', 'Yes, always.']) {
    expect(direct.filter(({ content }) => content === text)).toHaveLength(1);
  }
  for (const { page, complaints } of [desk, phone]) {
    expect(await page.evaluate(() => window.dayMark)).toBe('since the morning');
    // A browser tells of every request that nobody answered while the server was away.
    expect(complaints.filter((line) => !line.includes('Failed to load resource'))).toEqual([]);
  }
});
