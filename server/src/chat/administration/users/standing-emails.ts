// Emails to people who are deactivated or reactivated. People with a trading account always get one: their orders are
// canceled, their money stays, and they cannot sign in to see it.
import { ROLE } from '../../../accounts/roles.ts';
import { listAccountIdsOf } from '../../../accounts/trading-keys/access.ts';
import type { User } from '../../../accounts/user.ts';
import { listActiveByRole, listUsersById } from '../../../accounts/users/access.ts';
import type { Actor } from '../../../accounts/users/actions.ts';
import { originOf, type Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { languageOf, layOut } from '../../../platform/mail/email.ts';
import { queueEmail } from '../../../platform/mail/queue.ts';
import type { Language } from '../../../platform/std/language.ts';
import { readOrganization } from '../../organization/org/access.ts';

/** How many owners the email names as contacts. */
const OWNERS_NAMED_MAX = 3;

/** `gone` is the deactivated person, followed by their bots. */
export async function writeDeactivated(
  tx: Tx,
  ctx: Context,
  gone: readonly User[],
  { actor, comment }: { actor: Actor; comment?: string | undefined },
): Promise<void> {
  const [user] = gone;
  if (user === undefined) return;
  const accounts = await listAccountIdsOf(
    tx,
    gone.map(({ id }) => id),
  );
  if (accounts.length === 0 && comment === undefined) return;
  const { to, texts, ...sender } = await addressTo(tx, ctx, user);
  const { organization } = sender;
  const acting = await nameOf(tx, actor, user);
  const heading = texts.deactivated(organization, botName(user));
  const paragraphs = [
    ...(accounts.length === 0 ? [] : [texts.by(acting), ...texts.ordersGone]),
    ...(comment === undefined || comment.trim() === ''
      ? []
      : [texts.said(acting ?? organization), comment]),
  ];
  const note = `${texts.cannotSignIn} ${texts.ask(await listOwners(tx, user))}`;
  await queueEmail(
    tx,
    ctx,
    'deactivation',
    layOut(to, { ...sender, subject: heading, heading, paragraphs, note }, null),
  );
}

export async function writeReactivated(
  tx: Tx,
  ctx: Context,
  user: User,
  actor: Actor,
): Promise<void> {
  const accounts = await listAccountIdsOf(tx, [user.id]);
  if (accounts.length === 0) return;
  const { to, texts, ...sender } = await addressTo(tx, ctx, user);
  const heading = texts.reactivated(sender.organization, botName(user));
  const paragraphs = [texts.by(await nameOf(tx, actor, user)), ...texts.ordersStayGone];
  const note = texts.ask(await listOwners(tx, user));
  await queueEmail(
    tx,
    ctx,
    'reactivation',
    layOut(to, { ...sender, subject: heading, heading, paragraphs, note }, null),
  );
}

/** A bot has no mailbox, so its owner gets the email. */
async function addressTo(tx: Tx, ctx: Context, user: User) {
  const [owner] = user.botOwnerId === null ? [] : await listUsersById(tx, [user.botOwnerId]);
  const { settings } = await readOrganization(tx, ctx.config);
  const language = languageOf(settings['default_language']);
  return {
    to: (owner ?? user).email,
    language,
    organization: String(settings['name']),
    origin: originOf(ctx),
    texts: TEXTS[language],
  };
}

const botName = ({ botType, fullName }: User) => (botType === null ? undefined : fullName);

/** Who did it: null for the person themselves; undefined when the name is not known. */
async function nameOf(tx: Tx, actor: Actor, user: User): Promise<string | null | undefined> {
  if (actor.id === user.id) return null;
  const [acting] = await listUsersById(tx, [actor.id]);
  return acting?.fullName;
}

async function listOwners(tx: Tx, user: User): Promise<string> {
  const owners = await listActiveByRole(tx, ROLE.owner);
  return owners
    .filter(({ botType, id }) => botType === null && id !== user.id)
    .slice(0, OWNERS_NAMED_MAX)
    .map(({ email }) => email)
    .join(', ');
}

interface Texts {
  /** `bot` is the name of the bot, if the email is about one. */
  deactivated(organization: string, bot: string | undefined): string;
  reactivated(organization: string, bot: string | undefined): string;
  by(name: string | null | undefined): string;
  said(name: string): string;
  readonly ordersGone: readonly string[];
  readonly ordersStayGone: readonly string[];
  readonly cannotSignIn: string;
  ask(owners: string): string;
}

const TEXTS: Readonly<Record<Language, Texts>> = {
  en: {
    deactivated: (organization, bot) =>
      bot === undefined
        ? `Your account at ${organization} has been deactivated`
        : `Your bot ${bot} at ${organization} has been deactivated`,
    reactivated: (organization, bot) =>
      bot === undefined
        ? `Your account at ${organization} is active again`
        : `Your bot ${bot} at ${organization} is active again`,
    by: (name) =>
      name === null
        ? 'This was done with your own account.'
        : name === undefined
          ? 'This was done by an operator.'
          : `This was done by ${name}.`,
    said: (name) => `${name} wrote to you:`,
    ordersGone: [
      'All open orders of the trading account have been canceled, and so has its cancel-all timer. Its keys are refused from now on. The same goes for its sub-accounts.',
      'The money stays on the account. The operators of the venue can see it, and you can use it again once the account is reactivated.',
    ],
    ordersStayGone: [
      'The keys of the trading account work again. The money is where it was.',
      'Orders that were canceled do not come back: place them again if you still want them. If the operators of the venue had suspended the trading account, it stays suspended.',
    ],
    cannotSignIn: 'Signing in is no longer possible.',
    ask: (owners) =>
      owners === ''
        ? 'If you think that this is a mistake, ask an administrator of the organization.'
        : `If you think that this is a mistake, ask an administrator of the organization, such as ${owners}.`,
  },
  fa: {
    deactivated: (organization, bot) =>
      bot === undefined
        ? `حساب شما در ${organization} غیرفعال شد`
        : `ربات شما ${bot} در ${organization} غیرفعال شد`,
    reactivated: (organization, bot) =>
      bot === undefined
        ? `حساب شما در ${organization} دوباره فعال شد`
        : `ربات شما ${bot} در ${organization} دوباره فعال شد`,
    by: (name) =>
      name === null
        ? 'این کار با حساب خودتان انجام شد.'
        : name === undefined
          ? 'این کار را یکی از گردانندگان سرور انجام داد.'
          : `این کار را ${name} انجام داد.`,
    said: (name) => `${name} برای شما نوشت:`,
    ordersGone: [
      'همهٔ سفارش‌های باز حساب معاملاتی و زمان‌سنج لغو خودکار آن لغو شدند. کلیدهای آن از این پس پذیرفته نمی‌شوند. برای حساب‌های فرعی آن نیز همین‌طور است.',
      'پول در حساب می‌ماند. گردانندگان بازار آن را می‌بینند و پس از فعال شدن دوبارهٔ حساب می‌توانید از آن استفاده کنید.',
    ],
    ordersStayGone: [
      'کلیدهای حساب معاملاتی دوباره کار می‌کنند. پول همان جایی است که بود.',
      'سفارش‌های لغوشده باز نمی‌گردند؛ اگر هنوز آن‌ها را می‌خواهید دوباره ثبت کنید. اگر گردانندگان بازار حساب معاملاتی را تعلیق کرده بودند، تعلیق آن می‌ماند.',
    ],
    cannotSignIn: 'دیگر نمی‌توانید وارد شوید.',
    ask: (owners) =>
      owners === ''
        ? 'اگر گمان می‌کنید اشتباهی رخ داده است، از یکی از مدیران سازمان بپرسید.'
        : `اگر گمان می‌کنید اشتباهی رخ داده است، از یکی از مدیران سازمان بپرسید، مانند ${owners}.`,
  },
};
