// Who may do what in the whole organization. Each permission saves alone, with the value that was seen before it, so that
// two people who change it at once do not overwrite each other unseen.
import { ADMINISTRATOR, isAtLeast } from '../../chat/rights/rights.ts';
import { GroupSettingField } from '../../chat/rights/setting-field.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { Section } from '../../settings/section.tsx';
import type { GroupSetting } from '../../state/entities.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { ReadOnlyNotice } from '../../ui/states.tsx';
import { Row } from '../setting/fields.tsx';
import { useRealmSetting } from '../setting/realm.ts';
import { texts as settingTexts } from '../setting/texts.ts';
import { PERMISSION_GROUPS, type PermissionGroup, type ShownPermission } from './groups.ts';
import { texts } from './texts.ts';

const GROUPS = Object.keys(PERMISSION_GROUPS) as PermissionGroup[];

/** Other clients and services know these; nothing on this server asks for them. */
const WITHOUT_EFFECT: ReadonlySet<ShownPermission> = new Set<ShownPermission>([
  'can_summarize_topics_group',
  'can_manage_billing_group',
  'workplace_users_group',
]);

export default function PermissionsPage() {
  const t = useTexts(texts);
  const common = useTexts(settingTexts);
  const isAdmin = useSelect(useStore(), (state) => isAtLeast(state, ADMINISTRATOR));
  return (
    <>
      {!isAdmin && <ReadOnlyNotice>{common.onlyAdmins}</ReadOnlyNotice>}
      <p className="text-muted">{t.about}</p>
      {GROUPS.map((group) => (
        <Section key={group} title={t[group]}>
          <div className="grid gap-4 tablet:grid-cols-2">
            {PERMISSION_GROUPS[group].map((name) => (
              <Permission key={name} name={name} />
            ))}
          </div>
        </Section>
      ))}
    </>
  );
}

function Permission({ name }: { readonly name: ShownPermission }) {
  const t = useTexts(texts);
  const store = useStore();
  const setting = useRealmSetting<GroupSetting | undefined>(name, (chosen) => ({
    new: chosen,
    old: store.state.organization.settings[name],
  }));
  return (
    <Row setting={setting}>
      <GroupSettingField
        of={['realm', name]}
        label={t[name]}
        description={WITHOUT_EFFECT.has(name) ? t.noEffect : undefined}
        value={setting.value}
        onChange={(value) => void setting.save(value)}
        isDisabled={!setting.mayChange || setting.isSaving}
      />
    </Row>
  );
}
