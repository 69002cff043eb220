// Choices that stand in several places: theme and language.
import { useTexts } from '../i18n/texts.ts';
import { RadioGroup } from '../ui/radio-group.tsx';
import { choiceTexts } from './choice-texts.ts';
import { useLooks } from './looks.tsx';
import { languageOf, schemeOf, THEMES, themeOf } from './preferences.ts';
import { useSetting } from './use-setting.ts';

export function ThemeChoice({ description }: { readonly description?: string }) {
  const t = useTexts(choiceTexts);
  const { theme } = useLooks();
  const [scheme = schemeOf(theme), setScheme] = useSetting('color_scheme');
  return (
    <RadioGroup
      label={t.theme}
      look="segments"
      description={description}
      value={themeOf(scheme)}
      onChange={(value) =>
        setScheme(schemeOf(themeOf(THEMES.findIndex((one) => one === value) + 1)))
      }
      choices={THEMES.map((value) => ({ value, label: t[value] }))}
    />
  );
}

export function LanguageChoice({ description }: { readonly description?: string }) {
  const t = useTexts(choiceTexts);
  const { language } = useLooks();
  const [tag, setTag] = useSetting('default_language');
  return (
    <RadioGroup
      label={t.language}
      look="segments"
      description={description}
      value={languageOf(tag) ?? language}
      onChange={(value) => setTag(languageOf(value) ?? 'en')}
      choices={[
        { value: 'en', label: 'English' },
        { value: 'fa', label: 'فارسی' },
      ]}
    />
  );
}
