import type { ReactNode } from 'react';
import {
  Button as AriaButton,
  type ButtonProps as AriaButtonProps,
} from 'react-aria-components/Button';
import { useTexts } from '../i18n/texts.ts';
import { classes } from './classes.ts';
import { useCountdown } from './countdown.ts';
import type { IconName } from './icon-paths.ts';
import { Icon } from './icon.tsx';
import { Spinner } from './spinner.tsx';
import { texts } from './texts.ts';

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger' | 'buy' | 'sell';

const looks: Readonly<Record<ButtonVariant, string>> = {
  primary: 'bg-primary text-on-primary data-hovered:bg-primary-hover data-pressed:bg-primary-hover',
  secondary:
    'border border-edge bg-raised text-text shadow-raised data-hovered:bg-hover data-pressed:bg-pressed',
  quiet: 'text-text data-hovered:bg-hover data-pressed:bg-pressed',
  danger:
    'bg-danger-fill text-on-primary data-hovered:bg-danger-fill-hover data-pressed:bg-danger-fill-hover',
  buy: 'bg-buy text-on-primary data-hovered:bg-buy-hover data-pressed:bg-buy-hover',
  sell: 'bg-sell text-on-primary data-hovered:bg-sell-hover data-pressed:bg-sell-hover',
};

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style' | 'children'> {
  children: ReactNode;
  variant?: ButtonVariant | undefined;
  size?: 'normal' | 'small' | undefined;
  icon?: IconName | undefined;
  /** The server asked to wait until then (milliseconds since 1970): the button counts down and is disabled. */
  waitUntil?: number | undefined;
  /** Where it stands in its surroundings: margins and width. Its look is its own. */
  className?: string | undefined;
}

export function Button({
  children,
  variant = 'secondary',
  size = 'normal',
  icon,
  waitUntil,
  className,
  isDisabled = false,
  isPending = false,
  ...rest
}: ButtonProps) {
  const t = useTexts(texts);
  const seconds = useCountdown(waitUntil);
  const isOff = isDisabled || seconds > 0;
  return (
    <AriaButton
      {...rest}
      isDisabled={isOff}
      isPending={isPending}
      className={classes(
        'inline-flex shrink-0 cursor-default items-center justify-center gap-1.5 rounded-control font-medium whitespace-nowrap select-none transition-colors duration-100',
        size === 'small' ? 'h-control-small px-2.5 text-small' : 'h-control px-3.5 text-base',
        isOff ? 'border border-line bg-hover text-muted' : looks[variant],
        className,
      )}
    >
      {isPending ? (
        <Spinner />
      ) : (
        icon !== undefined && <Icon name={icon} className="-ms-0.5 size-4.5" />
      )}
      <span className="truncate">{children}</span>
      {seconds > 0 && <span className="figures font-normal">{t.waitSeconds({ seconds })}</span>}
      {isPending && <span className="sr-only">{t.working}</span>}
    </AriaButton>
  );
}
