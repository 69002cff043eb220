// The URLs of images, audio and video of other servers. They lead through this server, since those servers would
// otherwise learn the IP address of everybody who reads the message.
import { createHmac } from 'node:crypto';
import type { EnvExternal } from './env.ts';

export const EXTERNAL_CONTENT_PATH = '/external_content';

/** Signs a URL: only URLs that this server put into a message can be fetched through it. */
export const externalDigest = (key: string, url: string): string =>
  createHmac('sha256', key).update(url).digest('hex');

/** The URL to show for content at `url`; undefined if it is not shown. */
export function externalAddress(url: string, external: EnvExternal): string | undefined {
  if (external === 'hidden') return undefined;
  if (external === 'direct') return url;
  const { port, username, password, protocol } = new URL(url);
  // We would not fetch these, and they would show as broken.
  if (!/^https?:$/.test(protocol) || port !== '' || username !== '' || password !== '')
    return undefined;
  const hex = Buffer.from(url).toString('hex');
  return `${EXTERNAL_CONTENT_PATH}/${externalDigest(external.key, url)}/${hex}`;
}

export const IMAGE_PATH = /\.(?:bmp|gif|jpe?g|png|webp|avif)$/i;
/** Formats that all browsers and phones play. */
export const VIDEO_PATH = /\.(?:mp4|webm)$/i;
export const AUDIO_PATH = /\.(?:aac|flac|m4a|mp3|wav|weba)$/i;

export const pathOfUrl = (url: string): string =>
  /^https?:/i.test(url) && URL.canParse(url) ? new URL(url).pathname : '';
