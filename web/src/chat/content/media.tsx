// Pictures, films and pages below their links. All of them come from our own server, and their boxes have their final
// size before they are loaded, so that nothing moves.
import { useState, type ReactNode } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { Icon } from '../../ui/icon.tsx';
import { fileNameOf } from './addresses.ts';
import { OUTWARD } from './links.tsx';
import type { Preview, Size } from './nodes.ts';
import { contentTexts } from './texts.ts';

/** The largest box, in pixels: half of the server's thumbnails, for sharp screens. */
const BOX: Size = { width: 420, height: 280 };
/** Of pictures whose size nobody knows before they come. */
const UNKNOWN: Size = { width: 320, height: 200 };

/** The size at which a picture is shown: whole, in its own proportions, never enlarged. */
export function fitInto({ width, height }: Size, box: Size = BOX): Size {
  const scale = Math.min(1, box.width / width, box.height / height);
  const at = (length: number) => Math.max(1, Math.round(length * scale));
  return { width: at(width), height: at(height) };
}

/** Small pictures still need a box that can be seen and hit. */
const LEAST = 44;

export function PreviewView({ preview }: { preview: Preview }) {
  const t = useTexts(contentTexts);
  const { what, href, title, src, isWaiting } = preview;
  const name = title ?? fileNameOf(href) ?? (what === 'image' ? t.picture : t.video);
  if (src === undefined) return <Elsewhere href={href} name={name} />;
  if (what === 'video') return <Video src={src} name={name} />;
  return (
    <PictureBox preview={preview} name={name}>
      {isWaiting ? (
        <Placeholder name={name} notice={t.waiting} />
      ) : (
        <Picture src={src} name={name} isPlayable={what === 'youtube'} />
      )}
    </PictureBox>
  );
}

function PictureBox({
  preview,
  name,
  children,
}: {
  preview: Preview;
  name: string;
  children: ReactNode;
}) {
  const shown = preview.size === undefined ? UNKNOWN : fitInto(preview.size);
  const width = Math.max(LEAST, shown.width);
  return (
    <a
      href={preview.href}
      {...OUTWARD}
      title={name}
      className="relative flex max-w-full items-center justify-center overflow-hidden rounded-control border border-line bg-background"
      style={{ width, aspectRatio: `${width} / ${Math.max(LEAST, shown.height)}` }}
    >
      {children}
    </a>
  );
}

function Picture({ src, name, isPlayable }: { src: string; name: string; isPlayable: boolean }) {
  const t = useTexts(contentTexts);
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <Placeholder name={name} notice={t.broken} />;
  return (
    <>
      <img
        src={src}
        alt={name}
        loading="lazy"
        decoding="async"
        referrerPolicy="no-referrer"
        className="size-full object-contain"
        onError={() => setBroken(true)}
      />
      {isPlayable && (
        <span className="absolute inset-0 flex items-center justify-center" aria-hidden="true">
          <span className="rounded-full bg-scrim p-3 text-on-primary">
            <Icon name="triangleDown" className="size-6 -rotate-90" />
          </span>
        </span>
      )}
    </>
  );
}

function Placeholder({ name, notice }: { name: string; notice: string }) {
  return (
    <span
      title={notice}
      className="flex size-full flex-col items-center justify-center gap-1 overflow-hidden p-2 text-center text-small text-muted"
    >
      <Icon name="image" label={notice} className="size-6" />
      <bdi className="max-w-full truncate">{name}</bdi>
    </span>
  );
}

function Video({ src, name }: { src: string; name: string }) {
  return (
    // A film of somebody's message has no subtitles; its name says what it is.
    <video
      controls
      preload="metadata"
      src={src}
      title={name}
      aria-label={name}
      className="aspect-video w-[420px] max-w-full rounded-control border border-line bg-background"
    />
  );
}

/** Loading it would tell another server who reads this message. */
function Elsewhere({ href, name }: { href: string; name: string }) {
  const t = useTexts(contentTexts);
  const host = URL.parse(href)?.host ?? '';
  return (
    <a
      href={href}
      {...OUTWARD}
      title={href}
      className="flex max-w-full items-center gap-2 rounded-control border border-line bg-background px-3 py-2 hover:bg-hover"
    >
      <Icon name="image" className="text-muted" />
      <span className="min-w-0">
        <bdi className="block truncate text-accent">{name}</bdi>
        <span className="block text-small text-muted">{t.elsewhere({ host })}</span>
      </span>
    </a>
  );
}

interface PageProps {
  href: string;
  title: string;
  description: string;
  src: string | undefined;
}

/** The summary of a page that a link leads to. */
export function PageView({ href, title, description, src }: PageProps) {
  const [isBroken, setBroken] = useState(false);
  return (
    <div className="my-1 flex max-w-xl gap-3 overflow-hidden rounded-control border border-line bg-background p-3">
      {src !== undefined && !isBroken && (
        <img
          src={src}
          alt=""
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          className="size-20 shrink-0 rounded-small object-cover"
          onError={() => setBroken(true)}
        />
      )}
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">
          <a href={href} {...OUTWARD} title={href} className="text-accent hover:underline">
            <bdi>{title}</bdi>
          </a>
        </p>
        <p className="line-clamp-2 text-base text-muted">
          <bdi>{description}</bdi>
        </p>
        <p className="truncate text-small text-muted">
          <bdi dir="ltr">{URL.parse(href)?.host}</bdi>
        </p>
      </div>
    </div>
  );
}
