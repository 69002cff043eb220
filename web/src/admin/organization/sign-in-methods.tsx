import { useTexts } from '../../i18n/texts.ts';
import { Switch } from '../../ui/switch.tsx';
import { Row } from '../setting/fields.tsx';
import { useRealmSetting } from '../setting/realm.ts';
import { methodsOf, withMethod, type Methods } from './methods.ts';
import { texts } from './texts.ts';

/** The ways to sign in that the server is set up for. The last one that is on cannot be turned off. */
export function SignInMethods() {
  const t = useTexts(texts);
  const setting = useRealmSetting<Methods>('authentication_methods', (methods) =>
    Object.fromEntries(methodsOf(methods).map(({ name, isOn }) => [name, isOn])),
  );
  const methods = methodsOf(setting.value ?? {});
  const on = methods.filter(({ isOn }) => isOn);
  if (methods.length === 0) return null;
  return (
    <Row setting={setting}>
      <fieldset className="flex flex-col">
        <legend className="text-small font-medium">{t.authentication_methods}</legend>
        {methods.map(({ name, isOn }) => (
          <Switch
            key={name}
            isSelected={isOn}
            onChange={(isChosen) => void setting.save(withMethod(setting.value, name, isChosen))}
            isDisabled={!setting.mayChange || setting.isSaving || (isOn && on.length === 1)}
            description={isOn && on.length === 1 ? t.lastMethod : undefined}
          >
            {name === 'Email' ? t.byPassword : name === 'LDAP' ? t.byDirectory : name}
          </Switch>
        ))}
      </fieldset>
    </Row>
  );
}
