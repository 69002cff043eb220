import { useTexts } from '../../i18n/texts.ts';
import { drawings, type IconName } from '../icon-paths.ts';
import { Icon } from '../icon.tsx';
import { Section } from './section.tsx';
import { texts } from './texts.ts';

const surfaces = [
  'background',
  'panel',
  'raised',
  'hover',
  'pressed',
  'selected',
  'accent-tint',
  'success-tint',
  'warning-tint',
  'danger-tint',
] as const;
const inks = ['text', 'muted', 'accent', 'success', 'warning', 'danger', 'up', 'down'] as const;

/** The colours by their names, and the icons. */
export function Colours() {
  const t = useTexts(texts);
  return (
    <>
      <Section name="colours" title={t.colours}>
        <div className="grid grid-cols-2 gap-3 tablet:grid-cols-5" dir="ltr" data-no-mirror>
          {surfaces.map((name) => (
            <div
              key={name}
              className="flex h-20 flex-col justify-between rounded-control border border-line p-2.5 text-small"
              style={{ backgroundColor: `var(--color-${name})` }}
            >
              <span className="font-medium">{name}</span>
              <span className="text-muted">muted</span>
            </div>
          ))}
        </div>
        <div className="flex flex-wrap gap-x-5 gap-y-2" dir="ltr" data-no-mirror>
          {inks.map((name) => (
            <span key={name} className="font-medium" style={{ color: `var(--color-${name})` }}>
              {name}
            </span>
          ))}
        </div>
      </Section>
      <Section name="icons" title={t.icons}>
        <div className="grid grid-cols-[repeat(auto-fill,minmax(5.5rem,1fr))] gap-y-4">
          {(Object.keys(drawings) as IconName[]).map((name) => (
            <div key={name} className="flex flex-col items-center gap-1.5">
              <Icon name={name} />
              <span className="text-tiny text-muted">{name}</span>
            </div>
          ))}
        </div>
      </Section>
    </>
  );
}
