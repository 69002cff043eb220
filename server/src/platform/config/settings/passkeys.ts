// Settings of passkeys: the name that they are bound to, and the origins that may ask for them.
import { Type } from 'typebox';

const HOST =
  '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?){0,10}';
const ORIGIN = `https?://${HOST}(?::[0-9]{1,5})?`;

export const PASSKEYS = {
  WEBAUTHN_RP_ID: Type.String({
    pattern: `^${HOST}$|^$`,
    form: 'a host name in small letters, without scheme and port',
    example: 'example.com',
    default: '',
    description:
      'The host that passkeys belong to: that of PUBLIC_URL or a parent of it. Passkeys made under another one do not work. Empty: the host of PUBLIC_URL.',
  }),
  WEBAUTHN_ORIGINS: Type.String({
    pattern: `^${ORIGIN}(?:,${ORIGIN}){0,9}$|^$`,
    form: 'up to 10 origins without a path, with commas and no spaces',
    example: 'https://app.example.com,https://www.example.com',
    default: '',
    description:
      'Further origins whose pages may use passkeys, besides PUBLIC_URL. Their hosts must be WEBAUTHN_RP_ID or below it.',
  }),
};

type Values = Readonly<Record<string, unknown>>;

/** What is wrong with these settings together. Browsers would refuse such passkeys one by one, without a reason. */
export function findPasskeyProblems(values: Values): string[] {
  const [publicUrl, chosen, origins] = ['PUBLIC_URL', 'WEBAUTHN_RP_ID', 'WEBAUTHN_ORIGINS'].map(
    (name) => (typeof values[name] === 'string' ? values[name] : ''),
  ) as [string, string, string];
  if (chosen === '' && origins === '') return [];
  if (!URL.canParse(publicUrl)) {
    return ['WEBAUTHN_RP_ID and WEBAUTHN_ORIGINS need PUBLIC_URL: passkeys are bound to its host.'];
  }
  const own = new URL(publicUrl).hostname;
  const rpId = chosen === '' ? own : chosen;
  const problems: string[] = [];
  if (!isWithin(own, rpId)) {
    problems.push(
      `WEBAUTHN_RP_ID must be the host of PUBLIC_URL (${own}) or a parent of it, not ${rpId}.`,
    );
  }
  for (const origin of origins.split(',').filter((one) => one !== '')) {
    const { hostname } = new URL(origin);
    if (!isWithin(hostname, rpId)) {
      problems.push(`WEBAUTHN_ORIGINS has ${origin}, whose host is not ${rpId} or below it.`);
    }
  }
  return problems;
}

const isWithin = (host: string, parent: string): boolean =>
  host === parent || host.endsWith(`.${parent}`);
