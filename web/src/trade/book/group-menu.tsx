// How far apart the rows of the book are. A menu, which is fetched when it is first opened.
import { Button as PlainButton } from 'react-aria-components/Button';
import { useLocale } from '../../i18n/locale.tsx';
import { writeDecimal } from '../../i18n/number.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Icon } from '../../ui/icon.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { texts } from './texts.ts';

export function GroupMenu({
  steps,
  step,
  onStep,
}: {
  readonly steps: readonly string[];
  readonly step: string;
  readonly onStep: (step: string) => void;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  const write = (one: string) => writeDecimal(one, locale);
  return (
    <MenuButton
      label={t.group}
      placement="bottom end"
      entries={() =>
        steps.map((one) => ({
          text: write(one),
          icon: one === step ? 'check' : undefined,
          act: () => onStep(one),
        }))
      }
      button={(props) => (
        <PlainButton
          {...props}
          aria-label={t.groupNow({ step: write(step) })}
          className="figures flex h-control-small shrink-0 cursor-default items-center gap-1 rounded-control border border-edge bg-field ps-2.5 pe-1.5 text-small data-hovered:bg-hover"
        >
          <bdi dir="ltr">{write(step)}</bdi>
          <Icon name="chevronDown" className="size-4 text-muted" />
        </PlainButton>
      )}
    />
  );
}
