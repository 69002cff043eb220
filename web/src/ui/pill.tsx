import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { useTexts } from '../i18n/texts.ts';
import { classes } from './classes.ts';
import type { IconName } from './icon-paths.ts';
import { Icon } from './icon.tsx';
import type { OpenerProps } from './opener.ts';
import { Spinner } from './spinner.tsx';
import { texts } from './texts.ts';

export type PillTone = 'neutral' | 'good' | 'warning' | 'danger';

const looks: Readonly<Record<PillTone, string>> = {
  neutral: 'border-line bg-panel text-text',
  good: 'border-line bg-panel text-success',
  warning: 'border-transparent bg-warning-tint text-warning',
  danger: 'border-transparent bg-danger-tint text-danger',
};

export interface PillProps {
  children: ReactNode;
  tone?: PillTone | undefined;
  icon?: IconName | 'busy' | undefined;
  /** Makes it a button that opens what lies behind it. */
  opener?: OpenerProps | undefined;
  /** Takes it away, as an operator of a search; its name says what is taken away. */
  onRemove?: (() => void) | undefined;
  removeLabel?: string | undefined;
}

/** A state or a term in a capsule: the connection, a filter. Text and icon say it; the colour only helps. */
export function Pill({
  children,
  tone = 'neutral',
  icon,
  opener,
  onRemove,
  removeLabel,
}: PillProps) {
  const t = useTexts(texts);
  const inside = (
    <>
      {icon === 'busy' ? (
        <Spinner className="size-3.5" />
      ) : (
        icon !== undefined && <Icon name={icon} className="size-4" />
      )}
      <span className={classes('truncate', tone !== 'neutral' && 'font-medium')}>{children}</span>
    </>
  );
  const look = classes(
    'inline-flex h-7 max-w-full items-center gap-1.5 rounded-full border text-small',
    onRemove === undefined ? 'px-2.5' : 'ps-2.5 pe-1',
    // A finger needs 44 pixels.
    (opener !== undefined || onRemove !== undefined) && 'max-tablet:h-11 max-tablet:px-3',
    looks[tone],
  );
  if (opener !== undefined)
    return (
      <AriaButton {...opener} className={classes(look, 'cursor-default data-hovered:bg-hover')}>
        {inside}
      </AriaButton>
    );
  return (
    <span className={look}>
      {inside}
      {onRemove !== undefined && (
        <AriaButton
          aria-label={removeLabel ?? t.remove}
          onPress={onRemove}
          className="flex size-6 items-center justify-center rounded-full text-muted data-hovered:bg-hover data-hovered:text-text max-tablet:-me-3 max-tablet:size-11"
        >
          <Icon name="close" className="size-3.5" />
        </AriaButton>
      )}
    </span>
  );
}
