import { useLayoutEffect, useState } from 'react';
import { LocaleProvider } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { AnnouncerProvider } from '../announcer.tsx';
import { RadioGroup } from '../radio-group.tsx';
import { Select } from '../select.tsx';
import { Buttons } from './buttons.tsx';
import { Choices } from './choices.tsx';
import { Colours } from './colours.tsx';
import { Fields } from './fields.tsx';
import { InUse } from './in-use.tsx';
import { Notices } from './notices.tsx';
import { Numbers } from './numbers.tsx';
import { Overlays } from './overlays.tsx';
import { People } from './people.tsx';
import {
  densities,
  dressPage,
  languages,
  localeOfSettings,
  palettes,
  printSettings,
  readSettings,
  themes,
  type Settings,
} from './settings.ts';
import { States } from './states.tsx';
import { Tables } from './tables.tsx';
import { texts } from './texts.ts';

export function Gallery() {
  const [settings, setSettings] = useState(() => readSettings(location.search));
  useLayoutEffect(() => {
    dressPage(document.documentElement, settings);
    history.replaceState(null, '', printSettings(settings));
  }, [settings]);
  return (
    <LocaleProvider locale={localeOfSettings(settings)}>
      <AnnouncerProvider>
        <Page settings={settings} onChange={setSettings} />
      </AnnouncerProvider>
    </LocaleProvider>
  );
}

function Page({ settings, onChange }: { settings: Settings; onChange: (next: Settings) => void }) {
  const t = useTexts(texts);
  return (
    <>
      <header className="border-b border-line bg-panel">
        <div className="mx-auto flex max-w-6xl flex-wrap items-end gap-x-6 gap-y-3 px-5 py-4 max-tablet:px-4">
          <div className="min-w-56 flex-1">
            <h1 className="text-heading font-semibold">{t.title}</h1>
            <p className="text-muted">{t.intro}</p>
          </div>
          <Controls settings={settings} onChange={onChange} />
        </div>
      </header>
      <main className="mx-auto flex max-w-6xl flex-col gap-4 p-5 max-tablet:p-3">
        <InUse />
        <Buttons />
        <Fields />
        <Choices />
        <Overlays />
        <Notices />
        <States />
        <Numbers />
        <Tables />
        <People />
        <Colours />
      </main>
    </>
  );
}

function Controls({
  settings,
  onChange,
}: {
  settings: Settings;
  onChange: (next: Settings) => void;
}) {
  const t = useTexts(texts);
  const segments = <K extends 'theme' | 'density' | 'language'>(
    key: K,
    label: string,
    values: readonly Settings[K][],
  ) => (
    <RadioGroup
      label={label}
      look="segments"
      value={settings[key]}
      onChange={(chosen) => {
        const value = values.find((known) => known === chosen);
        if (value !== undefined) onChange({ ...settings, [key]: value });
      }}
      choices={values.map((value) => ({ value, label: t[value] }))}
    />
  );
  return (
    <div className="flex flex-wrap items-end gap-4">
      {segments('theme', t.theme, themes)}
      {segments('density', t.density, densities)}
      {segments('language', t.language, languages)}
      <Select
        label={t.palette}
        className="w-44"
        value={settings.palette}
        onChange={(palette) => onChange({ ...settings, palette })}
        choices={palettes.map((value) => ({ value, label: t[value] }))}
      />
    </div>
  );
}
