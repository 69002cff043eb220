import { lazy, Suspense, type MouseEvent, type ReactNode } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { marketInLink } from '../../together/market-channel.ts';
import { Icon } from '../../ui/icon.tsx';
import { parseLink } from '../narrow/parse.ts';
import { fileNameOf, hiddenHost } from './addresses.ts';
import { isAddress } from './direction.ts';
import type { Link } from './nodes.ts';
import { contentTexts } from './texts.ts';
import { useContentWorld } from './world.tsx';

const MarketFigures = lazy(() =>
  import('../../together/market-parts.tsx').then((file) => ({ default: file.MarketFigures })),
);

const OrderCard = lazy(() =>
  import('../../together/order-card.tsx').then((file) => ({ default: file.OrderCard })),
);

const LOOK = 'text-accent underline decoration-1 underline-offset-2 break-words hover:decoration-2';

/** The attributes of a link that leaves the client: the other page learns nothing of this one. */
export const OUTWARD = { target: '_blank', rel: 'noopener noreferrer nofollow ugc' } as const;

/** With a key held or another button, the browser opens a tab or a window, as everywhere. */
const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

export function LinkView({ link, children }: { link: Link; children: ReactNode }) {
  const world = useContentWorld();
  const { href, title } = link;
  const narrow = parseLink(href, world.origin);
  if (narrow !== undefined) {
    return (
      <a
        href={href}
        title={title}
        className={link.isReference ? 'text-accent hover:underline' : LOOK}
        onClick={(event) => {
          if (!isPlainClick(event)) return;
          event.preventDefault();
          world.openNarrow(narrow);
        }}
      >
        {link.isReference ? <bdi>{children}</bdi> : children}
      </a>
    );
  }
  const market = marketInLink(href, world.origin);
  if (market !== undefined) {
    const { symbol, orderId } = market;
    return (
      <>
        <a href={href} title={title} className={LOOK}>
          {children}
        </a>
        <Suspense>
          {orderId === undefined ? (
            <MarketFigures symbol={symbol} />
          ) : (
            <OrderCard orderId={orderId} />
          )}
        </Suspense>
      </>
    );
  }
  if (fileNameOf(href) !== undefined) return <FileLink href={href}>{children}</FileLink>;
  if (href.startsWith('/')) {
    return (
      <a href={href} title={title} className={LOOK}>
        {children}
      </a>
    );
  }
  return (
    <OutwardLink link={link} isAddress={isAddress(link.children)}>
      {children}
    </OutwardLink>
  );
}

function OutwardLink({
  link,
  isAddress: isPlain,
  children,
}: {
  link: Link;
  isAddress: boolean;
  children: ReactNode;
}) {
  const t = useTexts(contentTexts);
  const [only] = link.children;
  const host = only?.kind === 'text' ? hiddenHost(only.text, link.href) : undefined;
  const title = link.title === undefined ? link.href : `${link.title}\n${link.href}`;
  return (
    <>
      <a
        href={link.href}
        title={title}
        className={LOOK}
        {...OUTWARD}
        {...(isPlain && { dir: 'ltr' })}
      >
        {children}
      </a>
      {host !== undefined && (
        <>
          {' '}
          <bdi className="text-small text-warning">({t.leadsTo({ host })})</bdi>
        </>
      )}
    </>
  );
}

/** A file that somebody uploaded, with its size if that is known. */
function FileLink({ href, children }: { href: string; children: ReactNode }) {
  const world = useContentWorld();
  const t = useTexts(contentTexts);
  const size = world.fileSize(href);
  return (
    <a
      href={href}
      {...OUTWARD}
      title={fileNameOf(href)}
      className="inline-flex max-w-full items-center gap-1 align-bottom text-accent hover:underline"
    >
      <Icon name="file" label={t.file} className="size-4 text-muted" />
      <bdi className="truncate">{children}</bdi>
      {size !== undefined && (
        <span className="shrink-0 text-small text-muted">{writeSize(size, t)}</span>
      )}
    </a>
  );
}

const KILOBYTE = 1000;

/** Whole units: nobody chooses a file by a tenth of a kilobyte. */
function writeSize(
  bytes: number,
  t: Record<'bytes' | 'kilobytes' | 'megabytes', (v: { count: number }) => string>,
): string {
  if (bytes < KILOBYTE) return t.bytes({ count: bytes });
  const kilobytes = Math.round(bytes / KILOBYTE);
  return kilobytes < KILOBYTE
    ? t.kilobytes({ count: kilobytes })
    : t.megabytes({ count: Math.round(kilobytes / KILOBYTE) });
}
