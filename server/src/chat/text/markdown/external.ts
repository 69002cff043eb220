// Where a reader's program gets pictures, sound and video that lie on other servers: from us. Those servers would
// otherwise learn the address of everybody who reads the message.
import { createHmac } from 'node:crypto';
import type { EnvExternal } from './env.ts';

export const EXTERNAL_CONTENT_PATH = '/external_content';

/** Only addresses that were written into a message by us can be asked for: nobody else can make the digest. */
export const externalDigest = (key: string, url: string): string =>
  createHmac('sha256', key).update(url).digest('hex');

/** The address to be shown for content at `url`; undefined if it is not to be shown. */
export function externalAddress(url: string, external: EnvExternal): string | undefined {
  if (external === 'hidden') return undefined;
  if (external === 'direct') return url;
  const { port, username, password, protocol } = new URL(url);
  // What we would not fetch is not shown, rather than shown broken.
  if (!/^https?:$/.test(protocol) || port !== '' || username !== '' || password !== '')
    return undefined;
  const hex = Buffer.from(url).toString('hex');
  return `${EXTERNAL_CONTENT_PATH}/${externalDigest(external.key, url)}/${hex}`;
}

export const IMAGE_PATH = /\.(?:bmp|gif|jpe?g|png|webp|avif)$/i;
/** The kinds that browsers and phones play everywhere. */
export const VIDEO_PATH = /\.(?:mp4|webm)$/i;
export const AUDIO_PATH = /\.(?:aac|flac|m4a|mp3|wav|weba)$/i;

export const pathOfUrl = (url: string): string =>
  /^https?:/i.test(url) && URL.canParse(url) ? new URL(url).pathname : '';
