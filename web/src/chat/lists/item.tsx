// A text that waits: a draft, a scheduled message. Where it goes, when, the beginning of it, and its acts.
import type { ReactNode } from 'react';
import type { Destination } from '../../state/entities.ts';
import { classes } from '../../ui/classes.ts';
import { DestinationName } from '../place/destination.tsx';

export interface WaitingItemProps {
  readonly destination: Destination;
  readonly content: string;
  readonly when: ReactNode;
  /** Opens it; without it the text only stands there. */
  readonly href?: string | undefined;
  readonly onOpen?: (() => void) | undefined;
  readonly openLabel?: string | undefined;
  readonly notice?: ReactNode;
  readonly actions: ReactNode;
  readonly hasFailed?: boolean | undefined;
}

/** As much as three lines show; the rest is in the compose box. */
const SHOWN_MAX = 600;

const COVER =
  'after:absolute after:inset-0 after:rounded-panel after:content-[""] focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-focus';

export function WaitingItem(props: WaitingItemProps) {
  const { destination, content, when, href, onOpen, openLabel, notice, actions, hasFailed } = props;
  const name = (
    <span className="flex min-w-0 items-center gap-2 font-medium">
      <DestinationName destination={destination} />
    </span>
  );
  return (
    <li
      className={classes(
        'relative flex flex-col gap-1.5 rounded-panel border bg-panel px-4 py-3 hover:border-control',
        hasFailed === true ? 'border-danger' : 'border-line',
      )}
    >
      <div className="flex items-center gap-3">
        {href !== undefined ? (
          <a data-row href={href} className={classes('min-w-0', COVER)}>
            {name}
            <span className="sr-only">{openLabel}</span>
          </a>
        ) : onOpen !== undefined ? (
          <button data-row type="button" onClick={onOpen} className={classes('min-w-0', COVER)}>
            {name}
            <span className="sr-only">{openLabel}</span>
          </button>
        ) : (
          name
        )}
        <span className="figures ms-auto shrink-0 text-small text-muted">{when}</span>
      </div>
      {notice}
      <div className="flex items-end gap-3">
        <p className="line-clamp-3 min-w-0 flex-1 text-start whitespace-pre-line text-muted [unicode-bidi:plaintext]">
          {content.slice(0, SHOWN_MAX)}
        </p>
        <span className="relative z-10 flex shrink-0 items-center gap-1">{actions}</span>
      </div>
    </li>
  );
}
