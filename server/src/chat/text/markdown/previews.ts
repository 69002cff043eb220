// Writes the previews below a paragraph for its links: pictures, videos, and summaries of fetched pages.
import type { EnvEmbed, EnvUpload } from './env.ts';
import { externalAddress, IMAGE_PATH, pathOfUrl, VIDEO_PATH } from './external.ts';
import { element, open, unescapeAttribute } from './html.ts';
import { MAX_PREVIEWS } from './limits.ts';
import { safeUrl, uploadPathOf } from './urls.ts';
import type { Work } from './work.ts';

export interface PreviewLink {
  readonly href: string;
  /** The link's text, which names the file. */
  readonly label: string;
}

const YOUTUBE_ID = /^[\w-]{11}$/;
const YOUTUBE_HOSTS: ReadonlySet<string> = new Set([
  'youtube.com',
  'www.youtube.com',
  'm.youtube.com',
  'youtu.be',
]);

/** The URL of the thumbnail that messages show. */
export const thumbnailUrl = ({ path, isThumbnailReady }: EnvUpload): string =>
  isThumbnailReady === true
    ? `/user_uploads/thumbnail/${encodePath(path)}/840x560.webp`
    : LOADING_IMAGE;

/** Shown until the thumbnail has been made. */
export const LOADING_IMAGE = '/static/images/loading/loader-black.svg';

const encodePath = (path: string): string =>
  path.toWellFormed().split('/').map(encodeURIComponent).join('/');

/** Each URL is previewed once in a message; with too many URLs, none is. */
export function renderPreviews(links: readonly PreviewLink[], work: Work): string {
  const html: string[] = [];
  for (const link of links) {
    if (work.found.previewUrls.has(link.href) || work.found.previewUrls.size >= MAX_PREVIEWS)
      continue;
    const preview = renderPreview(link, work);
    if (preview === undefined) continue;
    work.found.previewUrls.add(link.href);
    html.push(preview);
  }
  return html.join('');
}

/** Whether the message has so many URLs that none is previewed. */
export const hasTooManyPreviews = (hrefs: readonly string[]): boolean =>
  new Set(hrefs.filter((href) => isPreviewable(href))).size > MAX_PREVIEWS;

export const isPreviewable = (href: string): boolean =>
  /^https?:/i.test(href) || uploadPathOf(href) !== undefined;

function renderPreview({ href, label }: PreviewLink, work: Work): string | undefined {
  const { env, found } = work;
  const path = uploadPathOf(href);
  const title = label === '' || label === href ? undefined : label;
  if (path !== undefined) {
    const upload = work.findUpload(path);
    if (upload === undefined || !env.hasImagePreviews) return undefined;
    found.hasImage ||= upload.contentType.startsWith('image/');
    return renderUpload(href, title, upload);
  }
  if (!/^https?:/i.test(href)) return undefined;
  const content = env.hasImagePreviews ? renderExternal(href, title, work) : undefined;
  if (content !== undefined) return content;
  const embed = env.hasLinkPreviews ? env.embeds.find(({ url }) => url === href) : undefined;
  // A page that was not fetched yet has no preview, but counts as a URL to fetch.
  return env.hasLinkPreviews
    ? embed === undefined
      ? ''
      : renderEmbed(href, embed, work)
    : undefined;
}

/** An image or a video on another server. */
function renderExternal(href: string, title: string | undefined, work: Work): string | undefined {
  const { external } = work.env;
  const videoId = youtubeId(href);
  if (videoId !== undefined) return renderYoutube(href, videoId, work);
  const path = pathOfUrl(href);
  const isVideo = VIDEO_PATH.test(path);
  const isShown = isVideo || (IMAGE_PATH.test(path) && !isPageAbout(path));
  const src = isShown ? externalAddress(pictureBehind(href), external) : undefined;
  if (src === undefined) return undefined;
  const link = open('a', { href, title });
  if (isVideo) return inlineVideo(link, src);
  work.found.hasImage = true;
  return `<div class="message_inline_image">${link}${open('img', { src })}</a></div>`;
}

/** Wikis have pages about images, at paths that look like those of images. */
const isPageAbout = (path: string): boolean => /^\/wiki\/[^/]*:/.test(path);

/** GitHub shows a page for an image in a repository; the image itself has another URL. */
function pictureBehind(href: string): string {
  const { hostname, pathname } = new URL(href);
  const [, repository, rest] = /^(\/[^/]+\/[^/]+)\/blob(\/.+)$/.exec(pathname) ?? [];
  if (!/^(?:www\.)?github\.com$/.test(hostname) || repository === undefined) return href;
  return `https://raw.githubusercontent.com${repository}${rest ?? ''}`;
}

const inlineVideo = (link: string, src: string): string =>
  `<div class="message_inline_image message_inline_video">${link}${open('video', { preload: 'metadata', src })}</video></a></div>`;

/** Whether an image in this HTML still waits for its thumbnail. */
export const hasUnfinishedPreviews = (html: string): boolean => html.includes(LOADING_IMAGE);

const WAITING =
  /<div class="message_inline_image">(<a href="([^"]*)"[^>]*>)<img class="image-loading-placeholder"[^>]*><\/a><\/div>|<img alt="[^"]*" class="inline-image" data-original-src="([^"]*)"[^>]*>/g;

/** Replaces the placeholders of this image by its thumbnail, or removes them if there will be none. */
export function finishPreviews(html: string, upload: EnvUpload): string {
  if (!hasUnfinishedPreviews(html)) return html;
  const isPicture = upload.contentType.startsWith('image/');
  return html.replaceAll(WAITING, (waiting, link?: string, href?: string, source?: string) => {
    const url = unescapeAttribute(href ?? source ?? '');
    if (uploadPathOf(url) !== upload.path || !hasUnfinishedPreviews(waiting)) return waiting;
    if (link !== undefined) return isPicture ? inlineImage(link, upload) : '';
    const src = isPicture ? thumbnailUrl(upload) : url;
    return waiting.replace(/ src="[^"]*"/, () => open('i', { src }).slice(2, -1));
  });
}

function renderUpload(
  href: string,
  title: string | undefined,
  upload: EnvUpload,
): string | undefined {
  const { contentType, width, height } = upload;
  const link = open('a', { href, title });
  if (contentType.startsWith('video/')) return inlineVideo(link, href);
  if (!contentType.startsWith('image/') || width === undefined || height === undefined)
    return undefined;
  return inlineImage(link, upload);
}

function inlineImage(link: string, upload: EnvUpload): string {
  const { contentType, width, height, isThumbnailReady } = upload;
  const image = open('img', {
    class: isThumbnailReady === true ? undefined : 'image-loading-placeholder',
    'data-original-content-type': contentType,
    'data-original-dimensions': `${width}x${height}`,
    src: thumbnailUrl(upload),
  });
  return `<div class="message_inline_image">${link}${image}</a></div>`;
}

function renderYoutube(href: string, id: string, { env }: Work): string | undefined {
  const src = externalAddress(`https://i.ytimg.com/vi/${id}/mqdefault.jpg`, env.external);
  if (src === undefined) return undefined;
  const image = open('img', { src });
  return `<div class="youtube-video message_inline_image">${open('a', { 'data-id': id, href })}${image}</a></div>`;
}

function renderEmbed(
  href: string,
  { title, description, imageUrl }: EnvEmbed,
  { env }: Work,
): string {
  const safe = imageUrl === undefined ? undefined : safeUrl(imageUrl);
  const image =
    safe === undefined || !/^https?:/i.test(safe) ? undefined : externalAddress(safe, env.external);
  // Inside url("…") only the quote and the backslash could end it, and a safe URL contains neither; brackets are
  // encoded for programs that are less exact than browsers.
  const picture =
    image === undefined
      ? ''
      : `${open('a', {
          class: 'message_embed_image',
          href,
          style: `background-image: url("${image.replaceAll('(', '%28').replaceAll(')', '%29')}")`,
        })}</a>`;
  return (
    `<div class="message_embed">${picture}<div class="data-container">` +
    `<div class="message_embed_title">${element('a', { href, title }, title)}</div>` +
    `${element('div', { class: 'message_embed_description' }, description)}</div></div>`
  );
}

function parse(href: string): URL | undefined {
  return URL.canParse(href) ? new URL(href) : undefined;
}

function youtubeId(href: string): string | undefined {
  const url = parse(href);
  if (url === undefined || !YOUTUBE_HOSTS.has(url.hostname)) return undefined;
  const id =
    url.hostname === 'youtu.be' || /^\/(?:shorts|embed|live)\//.test(url.pathname)
      ? url.pathname.split('/').at(-1)
      : url.searchParams.get('v');
  return id !== null && id !== undefined && YOUTUBE_ID.test(id) ? id : undefined;
}
