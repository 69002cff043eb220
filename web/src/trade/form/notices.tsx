// Guard rails in sentences.
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { Banner } from '../../ui/banner.tsx';
import type { Guard } from './guards.ts';
import { texts } from './texts.ts';
import { guardText } from './words.ts';

export function Notices({ guards }: { readonly guards: readonly Guard[] }) {
  const t = useTexts(texts);
  const locale = useLocale();
  return guards.map((guard) => (
    <Banner key={guard.kind} tone={guard.mustType ? 'danger' : 'warning'}>
      {guardText(guard, t, locale)}
    </Banner>
  ));
}
