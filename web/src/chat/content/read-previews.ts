// Reads what stands below a link: the picture, the film or the summary of the page that it leads to.
import { linkedAddress, loadedAddress } from './addresses.ts';
import type { Block, Size } from './nodes.ts';
import { classOf, onlyChild, textOf, type Element, type Tree } from './tree.ts';

export function readPreview(element: Element, names: string): Block | undefined {
  const link = onlyChild(element);
  const media = link && onlyChild(link);
  const href = linkedAddress(link?.attributes['href'] ?? '');
  if (link?.name !== 'a' || media === undefined || href === undefined) return undefined;
  const isVideo = names.endsWith('message_inline_video');
  if (media.name !== (isVideo ? 'video' : 'img')) return undefined;
  const isWaiting = classOf(media) === 'image-loading-placeholder';
  return {
    kind: 'preview',
    what: isVideo ? 'video' : names.endsWith('youtube-video') ? 'youtube' : 'image',
    href,
    title: link.attributes['title'],
    src: loadedAddress(media.attributes['src'] ?? ''),
    size: readSize(media.attributes['data-original-dimensions']),
    isWaiting,
  };
}

function readSize(text: string | undefined): Size | undefined {
  const [, width, height] = /^([1-9]\d{0,5})x([1-9]\d{0,5})$/.exec(text ?? '') ?? [];
  if (width === undefined || height === undefined) return undefined;
  return { width: Number(width), height: Number(height) };
}

const BACKGROUND = /^background-image: url\("([^"\\()\s]+)"\)$/;

export function readEmbed(element: Element): Block | undefined {
  const image = findByClass(element, 'message_embed_image');
  const container = findByClass(element, 'data-container');
  const heading = container && findByClass(container, 'message_embed_title');
  const link = heading && onlyChild(heading);
  const href = linkedAddress(link?.attributes['href'] ?? '');
  if (link?.name !== 'a' || href === undefined || container === undefined) return undefined;
  const description = findByClass(container, 'message_embed_description');
  const background = BACKGROUND.exec(image?.attributes['style'] ?? '')?.[1];
  return {
    kind: 'page',
    href,
    title: textOf(link),
    description: description === undefined ? '' : textOf(description),
    src: background === undefined ? undefined : loadedAddress(background),
  };
}

const findByClass = (parent: Element, name: string): Element | undefined =>
  parent.children.find(
    (child: Tree): child is Element => typeof child === 'object' && classOf(child) === name,
  );
