// All keys, behind "?".
import { useTexts } from '../i18n/texts.ts';
import { useLooks } from '../settings/looks.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ShortcutList } from '../ui/shortcuts/list.tsx';
import { Switch } from '../ui/switch.tsx';
import { BINDINGS, GROUPS } from './keymap.ts';
import { useRouter } from './link.tsx';
import { shortcutTexts } from './shortcut-texts.ts';
import { texts } from './texts.ts';

/** Keys as they are printed on keyboards. */
const CAPS: Readonly<Record<string, string>> = { ArrowDown: '↓', ArrowUp: '↑', Escape: 'Esc' };
const SHOWN = BINDINGS.map(({ command, keys }) => ({ command, keys: CAPS[keys] ?? keys }));

export default function ShortcutsDialog() {
  const t = useTexts(texts);
  const names = useTexts(shortcutTexts);
  const router = useRouter();
  const { preferences, change } = useLooks();
  const groups = Object.entries(GROUPS).map(([group, commands]) => ({
    title: names[group as keyof typeof GROUPS],
    commands: commands.map((command) => ({ command, name: names[command] })),
  }));
  return (
    <Dialog title={t.shortcuts} size="large" isOpen onOpenChange={() => router.close()}>
      <div className="flex flex-col gap-6">
        <ShortcutList groups={groups} bindings={SHOWN} />
        <div className="border-t border-line pt-3">
          <Switch
            isSelected={preferences.hasKeys}
            onChange={(hasKeys) => change({ hasKeys })}
            description={names.singleKeysNote}
          >
            {names.singleKeys}
          </Switch>
        </div>
      </div>
    </Dialog>
  );
}
