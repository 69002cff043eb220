import type { ReactNode } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { classes } from './classes.ts';
import { IconButton } from './icon-button.tsx';
import type { IconName } from './icon-paths.ts';
import { Icon } from './icon.tsx';
import { texts } from './texts.ts';

export type BannerTone = 'info' | 'success' | 'warning' | 'danger';

const looks: Readonly<Record<BannerTone, { look: string; icon: IconName }>> = {
  info: { look: 'bg-accent-tint text-accent', icon: 'info' },
  success: { look: 'bg-success-tint text-success', icon: 'check' },
  warning: { look: 'bg-warning-tint text-warning', icon: 'alert' },
  danger: { look: 'bg-danger-tint text-danger', icon: 'alert' },
};

export interface BannerProps {
  tone?: BannerTone | undefined;
  icon?: IconName | undefined;
  children: ReactNode;
  /** Buttons, small ones. */
  action?: ReactNode;
  onDismiss?: (() => void) | undefined;
}

/** A notice at the top of a part: offline since, read-only because, a rule that blocks. */
export function Banner({ tone = 'info', icon, children, action, onDismiss }: BannerProps) {
  const t = useTexts(texts);
  const look = looks[tone];
  return (
    <div
      role="status"
      className={classes('flex items-start gap-2.5 rounded-control px-3 py-1', look.look)}
    >
      <Icon name={icon ?? look.icon} className="my-1.5" />
      <div className="min-w-0 flex-1 py-1.5 text-text">{children}</div>
      {action !== undefined && <div className="flex min-h-8 items-center gap-2">{action}</div>}
      {onDismiss !== undefined && (
        <IconButton
          icon="close"
          label={t.dismiss}
          size="small"
          onPress={onDismiss}
          className="-me-1.5 mt-0.5"
        />
      )}
    </div>
  );
}
