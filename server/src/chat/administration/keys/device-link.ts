// An emailed link that makes a browser known. It is for somebody who signs in from a new place while others guess their
// password. It starts no session: the password is still needed.
import { noteAct, noteNothing } from '../../../accounts/audit/actions.ts';
import { noteDevice } from '../../../accounts/known-places/actions.ts';
import { consumeLink, findLinkOwner, makeLink } from '../../../accounts/mailed-links/actions.ts';
import { findUserByEmail, listUsersById } from '../../../accounts/users/access.ts';
import type { Context } from '../../../platform/context.ts';
import { languageOf, layOut, type Email } from '../../../platform/mail/email.ts';
import { queueEmail } from '../../../platform/mail/queue.ts';
import type { Language } from '../../../platform/std/language.ts';
import { readOrganization } from '../../organization/org/access.ts';
import { defineAskedLink, LINK_HOURS, linkEndsMs } from './asked-link.ts';

const link = defineAskedLink('device', async (tx, ctx, { email, origin }) => {
  const user = await findUserByEmail(tx, email);
  if (user === undefined || !user.isActive || user.botType !== null) return;
  const { settings } = await readOrganization(tx, ctx.config);
  const key = await makeLink(tx, ctx.secrets, {
    purpose: 'device',
    userId: user.id,
    hours: LINK_HOURS,
  });
  const mail = deviceEmail({
    to: user.email,
    key,
    language: languageOf(user.settings['default_language'] ?? settings['default_language']),
    organization: String(settings['name']),
    origin,
    notAfterMs: linkEndsMs(ctx),
  });
  await queueEmail(tx, ctx, 'device', mail);
});
export const askDeviceLink = link.ask;
export const sendDeviceLink = link.job;

export const isDeviceLinkOpen = async (ctx: Context, key: string): Promise<boolean> =>
  (await findLinkOwner(ctx.db, ctx.secrets, 'device', key)) !== undefined;

/**
 * Makes the browser known to the owner of the link, and returns its token; undefined if the link cannot be used any
 * more.
 */
export function acceptDeviceLink(
  ctx: Context,
  { key, device, caller }: { key: string; device: string | undefined; caller: string },
): Promise<string | undefined> {
  return ctx.inTransaction(async (tx) => {
    const userId = await consumeLink(tx, ctx.secrets, 'device', key);
    const [user] = userId === undefined ? [] : await listUsersById(tx, [userId]);
    if (user === undefined || !user.isActive) {
      noteNothing(tx);
      return undefined;
    }
    const token = await noteDevice(tx, ctx.secrets, user, { device });
    const details = { address: caller };
    noteAct(tx, { act: 'sign_in device_link', subject: user.email, details, by: user });
    return token;
  });
}

interface EmailInput {
  readonly to: string;
  readonly key: string;
  readonly language: Language;
  readonly organization: string;
  readonly origin: string;
  readonly notAfterMs: number;
}

function deviceEmail({ to, key, notAfterMs, ...sender }: EmailInput): Email {
  const text = TEXTS[sender.language];
  const heading = text.heading(sender.organization);
  return layOut(
    to,
    {
      ...sender,
      subject: heading,
      heading,
      paragraphs: text.paragraphs,
      action: { label: text.action, url: `${sender.origin}/accounts/login/device/${key}/` },
      note: text.note,
    },
    notAfterMs,
  );
}

interface Texts {
  heading(organization: string): string;
  readonly paragraphs: readonly string[];
  readonly action: string;
  readonly note: string;
}

const TEXTS: Readonly<Record<Language, Texts>> = {
  en: {
    heading: (organization) => `Sign in to ${organization} with a new browser`,
    paragraphs: [
      'Somebody, perhaps you, could not sign in to your account because there were too many attempts, and asked for this link.',
      'Open it in the browser that you want to sign in with. It works once, within 24 hours. You will be asked for your password as always.',
    ],
    action: 'Make this browser known',
    note: 'If you did not ask for it, you need not do anything: without your password the link opens nothing. Do not pass it on.',
  },
  fa: {
    heading: (organization) => `ورود به ${organization} با مرورگری تازه`,
    paragraphs: [
      'کسی، شاید خودتان، به دلیل تلاش‌های بیش از حد نتوانسته وارد حساب شما شود و این پیوند را خواسته است.',
      'آن را در مرورگری باز کنید که می‌خواهید با آن وارد شوید. این پیوند تا ۲۴ ساعت و تنها یک بار کار می‌کند. گذرواژه مانند همیشه پرسیده می‌شود.',
    ],
    action: 'این مرورگر را بشناسان',
    note: 'اگر شما آن را نخواسته‌اید، کاری لازم نیست: بدون گذرواژهٔ شما این پیوند چیزی را باز نمی‌کند. آن را به کسی ندهید.',
  },
};
