import { ProgressBar as AriaProgressBar } from 'react-aria-components/ProgressBar';
import { Label } from 'react-aria-components/Label';
import { useLocale } from '../i18n/locale.tsx';
import { percentSign, writeCount } from '../i18n/number.ts';

/** How much of a known whole is done; without `percent`, that something goes on. The label says what. */
export function ProgressBar({ label, percent }: { label: string; percent?: number | undefined }) {
  const locale = useLocale();
  const whole = percent === undefined ? undefined : Math.round(Math.min(100, Math.max(0, percent)));
  return (
    <AriaProgressBar
      {...(whole === undefined ? { isIndeterminate: true } : { value: whole })}
      className="flex min-w-0 flex-col gap-1.5"
    >
      <span className="flex justify-between gap-2 text-small">
        <Label>{label}</Label>
        {whole !== undefined && (
          <bdi dir="ltr" className="figures text-muted">
            {writeCount(whole, locale)}
            {percentSign(locale)}
          </bdi>
        )}
      </span>
      <span className="block h-1.5 overflow-hidden rounded-full bg-pressed">
        <span
          className={
            whole === undefined
              ? 'block h-full w-1/3 animate-pulse rounded-full bg-accent'
              : 'block h-full rounded-full bg-accent transition-[width] duration-200'
          }
          {...(whole === undefined ? {} : { style: { width: `${whole}%` } })}
        />
      </span>
    </AriaProgressBar>
  );
}
