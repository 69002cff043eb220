// The texts of the invitation pages.
import { REASONS, type Reason } from '../accounts/passwords/reasons.ts';
import type { RoleCode } from '../accounts/roles.ts';
import {
  NAME_LIKE_ADMINISTRATOR,
  NAME_OF_ANOTHER,
  NAME_RESERVED,
} from '../accounts/users/errors.ts';
import type { Over } from '../chat/administration/invitations/validity.ts';
import type { Language } from '../platform/std/language.ts';

interface Texts {
  readonly title: string;
  readonly other: string;
  /** Names are HTML already, isolated so that they do not change the sentence's direction. */
  join(organization: string): string;
  readonly joinLede: string;
  readonly shut: string;
  readonly address: string;
  readonly sendLink: string;
  readonly lookIntoMail: string;
  sent(email: string): string;
  readonly nothingCame: string;
  readonly anotherAddress: string;
  invited(inviter: string): string;
  readonly confirmed: string;
  readonly roles: Readonly<Record<RoleCode, string>>;
  channels(names: string): string;
  readonly comma: string;
  readonly name: string;
  readonly nameHint: string;
  readonly password: string;
  readonly passwordHint: string;
  agree(terms: string): string;
  readonly terms: string;
  readonly create: string;
  readonly haveAccount: string;
  readonly signIn: string;
  readonly frontPage: string;
  readonly over: string;
  readonly why: Readonly<Record<Over, string>>;
  readonly notNow: string;
  readonly invitedOnly: string;
}

const en: Texts = {
  title: 'Invitation',
  other: 'فارسی',
  join: (organization) => `Join ${organization}`,
  joinLede: 'Give us your email address. We send a link to it, so that we know it is yours.',
  shut: 'Nobody can join by this link yet: this server has no mail server, and cannot confirm your address. Please tell the person who gave you the link.',
  address: 'Email address',
  sendLink: 'Send me the link',
  lookIntoMail: 'Check your mailbox',
  sent: (email) => `An email is on its way to ${email}. Open the link in it within a day to go on.`,
  nothingCame: 'Nothing came? Check the spam folder first.',
  anotherAddress: 'Give another address',
  invited: (inviter) => `${inviter} invited you.`,
  confirmed: 'Your address is confirmed.',
  roles: {
    100: 'You will be an owner.',
    200: 'You will be an administrator.',
    300: 'You will be a moderator.',
    400: '',
    600: 'You will be a guest.',
  },
  channels: (names) => `You will start in ${names}.`,
  comma: ', ',
  name: 'Your name',
  nameHint: 'As others will see it.',
  password: 'Choose a password',
  passwordHint: 'At least 8 characters. A few words that do not belong together are a good one.',
  agree: (terms) => `I agree to the ${terms}.`,
  terms: 'terms of service',
  create: 'Create my account',
  haveAccount: 'You already have an account?',
  signIn: 'Sign in',
  frontPage: 'Go to the front page',
  over: 'This invitation cannot be used',
  why: {
    unknown:
      'We do not know this link. Perhaps a part of it was cut off: open it once more from the email, or ask for a new invitation. If the invitation was sent again, only the newest email counts.',
    used: 'It was used already. If that was you, sign in with your address and your password.',
    revoked: 'It was revoked. Ask the person who invited you for a new one.',
    expired: 'It has expired. Ask the person who invited you for a new one.',
    withdrawn:
      'The person who invited you can no longer invite people. Ask an administrator for an invitation.',
  },
  invitedOnly:
    'Nobody can join here without an invitation. Ask somebody who is here already for one.',
  notNow: 'Not now',
};

const fa: Texts = {
  title: 'دعوت',
  other: 'English',
  join: (organization) => `پیوستن به ${organization}`,
  joinLede: 'نشانی ایمیل خود را بنویسید. پیوندی به آن می‌فرستیم تا بدانیم از آنِ شماست.',
  shut: 'هنوز کسی نمی‌تواند با این پیوند بپیوندد: این سرور هنوز سرور ایمیل ندارد و نمی‌تواند نشانی شما را تأیید کند. لطفاً به کسی که پیوند را به شما داده خبر دهید.',
  address: 'نشانی ایمیل',
  sendLink: 'پیوند را بفرست',
  lookIntoMail: 'صندوق ایمیل خود را ببینید',
  sent: (email) =>
    `ایمیلی به ${email} فرستاده شد. برای ادامه، پیوند درون آن را تا یک روز دیگر باز کنید.`,
  nothingCame: 'چیزی نرسید؟ نخست پوشهٔ هرزنامه را ببینید.',
  anotherAddress: 'نشانی دیگری بدهید',
  invited: (inviter) => `${inviter} شما را دعوت کرده است.`,
  confirmed: 'نشانی شما تأیید شد.',
  roles: {
    100: 'نقش شما مالک خواهد بود.',
    200: 'نقش شما مدیر خواهد بود.',
    300: 'نقش شما ناظر خواهد بود.',
    400: '',
    600: 'نقش شما مهمان خواهد بود.',
  },
  channels: (names) => `از این کانال‌ها آغاز می‌کنید: ${names}.`,
  comma: '، ',
  name: 'نام شما',
  nameHint: 'همان‌گونه که دیگران خواهند دید.',
  password: 'گذرواژه‌ای برگزینید',
  passwordHint: 'دست‌کم ۸ نویسه. چند واژهٔ بی‌ربط گذرواژهٔ خوبی می‌سازند.',
  agree: (terms) => `با ${terms} موافقم.`,
  terms: 'شرایط استفاده',
  create: 'حساب مرا بساز',
  haveAccount: 'از پیش حساب دارید؟',
  signIn: 'ورود',
  frontPage: 'رفتن به صفحهٔ نخست',
  over: 'این دعوت قابل استفاده نیست',
  why: {
    unknown:
      'این پیوند را نمی‌شناسیم. شاید بخشی از آن جا مانده باشد: آن را دوباره از ایمیل باز کنید یا دعوتی تازه بخواهید. اگر دعوت دوباره فرستاده شده، تنها تازه‌ترین ایمیل معتبر است.',
    used: 'این دعوت پیش‌تر استفاده شده است. اگر خودتان بوده‌اید، با نشانی و گذرواژهٔ خود وارد شوید.',
    revoked: 'این دعوت پس گرفته شده است. از کسی که دعوتتان کرده دعوتی تازه بخواهید.',
    expired: 'زمان این دعوت گذشته است. از کسی که دعوتتان کرده دعوتی تازه بخواهید.',
    withdrawn: 'کسی که شما را دعوت کرده دیگر نمی‌تواند دعوت کند. از یکی از مدیران دعوتی بخواهید.',
  },
  invitedOnly: 'اینجا کسی بدون دعوت نمی‌تواند بپیوندد. از کسی که اینجاست دعوت بخواهید.',
  notNow: 'اکنون نمی‌شود',
};

export const TEXTS: Readonly<Record<Language, Texts>> = { en, fa };

/** A message for a form, and the field it belongs to. */
export interface Said {
  readonly field: 'name' | 'password' | 'terms' | 'email' | 'form';
  readonly en: string;
  readonly fa: string;
}

const said = (field: Said['field'], english: string, persian: string): Said => ({
  field,
  en: english,
  fa: persian,
});

export const PROBLEMS = {
  expired: said(
    'form',
    'This form is too old, or cookies are switched off. Please send it once more.',
    'این فرم قدیمی شده یا کوکی‌ها غیرفعال‌اند. لطفاً آن را یک بار دیگر بفرستید.',
  ),
  terms: said(
    'terms',
    'To join, you have to agree to the terms.',
    'برای پیوستن باید با شرایط موافقت کنید.',
  ),
  tooMany: said(
    'form',
    'Too many emails were asked for. Check your mailbox, or try again tomorrow.',
    'بیش از اندازه ایمیل خواسته شد. صندوق ایمیل خود را ببینید یا فردا دوباره امتحان کنید.',
  ),
  unavailable: said(
    'form',
    'That is not possible at the moment. Try again shortly.',
    'این کار اکنون ممکن نیست. کمی بعد دوباره امتحان کنید.',
  ),
} as const satisfies Record<string, Said>;

/** The API's refusals, by their text. */
const REFUSALS: Readonly<Record<string, Said>> = {
  'Name must not be empty!': said('name', 'Please write your name.', 'لطفاً نام خود را بنویسید.'),
  'Name too long!': said(
    'name',
    'A name has at most 100 characters.',
    'نام بیش از ۱۰۰ نویسه نمی‌تواند باشد.',
  ),
  'Invalid characters in name!': said(
    'name',
    'A name cannot have * ` \\ &gt; &quot; @ or characters that are not seen.',
    'نام نمی‌تواند نویسه‌های * ` \\ &gt; &quot; @ یا نویسه‌های نادیدنی داشته باشد.',
  ),
  'Invalid format!': said(
    'name',
    'A name cannot end with a bar and digits.',
    'نام نمی‌تواند به خط عمودی و رقم پایان یابد.',
  ),
  'Unique names required in this organization.': said(
    'name',
    'Somebody here has this name already. Please write yours so that you can be told apart.',
    'کسی اینجا همین نام را دارد. نام خود را طوری بنویسید که از او بازشناخته شوید.',
  ),
  [NAME_RESERVED]: said(
    'name',
    'This name is reserved for the bots of the organization itself. Please write another one.',
    'این نام ویژهٔ ربات‌های خود سازمان است. لطفاً نام دیگری بنویسید.',
  ),
  [NAME_OF_ANOTHER]: said(
    'name',
    'Somebody here has this name, or one that looks like it. Add another name or an initial.',
    'کسی اینجا همین نام یا نامی همانند آن را دارد. نام دیگر یا حرف نخستی به آن بیفزایید.',
  ),
  [NAME_LIKE_ADMINISTRATOR]: said(
    'name',
    "This name looks like an administrator's. Please write another one.",
    'این نام به نام یکی از مدیران می‌ماند. لطفاً نام دیگری بنویسید.',
  ),
  'Email is already in use.': said(
    'form',
    'Your address has an account already. Sign in with it.',
    'نشانی شما از پیش حساب دارد. با آن وارد شوید.',
  ),
  'Invalid address.': said('email', 'This is not an email address.', 'این یک نشانی ایمیل نیست.'),
  'Outside your domain.': said(
    'email',
    'This organization lets in addresses of its own domains only.',
    'این سازمان تنها نشانی‌های دامنه‌های خودش را می‌پذیرد.',
  ),
  'Please use your real email address.': said(
    'email',
    'Please use an address that you will still have tomorrow.',
    'لطفاً نشانی‌ای به کار ببرید که فردا هم داشته باشید.',
  ),
  'Email addresses containing + are not allowed.': said(
    'email',
    'Addresses with + are not let in here.',
    'نشانی‌های دارای + اینجا پذیرفته نمی‌شوند.',
  ),
};

export const problemSaid = (message: string): Said => REFUSALS[message] ?? PROBLEMS.unavailable;

/** What is weak about a password, and how to improve it. */
export const weaknessSaid = (reason: Reason): Said => {
  const { en: english, fa: persian } = REASONS[reason];
  return said(
    'password',
    `This password is too easy to guess. ${english}`,
    `حدس زدن این گذرواژه آسان است. ${persian}`,
  );
};
