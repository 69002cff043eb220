// Sites on which code of messages can be run.
import { useState } from 'react';
import { FailureNotice } from '../../asked/failure.tsx';
import { useAct } from '../../asked/use-act.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Table } from '../../ui/table.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { texts } from './texts.ts';

export default function PlaygroundsPage() {
  const t = useTexts(texts);
  const store = useStore();
  const { chat } = store.client;
  const all = useSelect(store, (state) => state.playgrounds);
  const [name, setName] = useState('');
  const [language, setLanguage] = useState('');
  const [template, setTemplate] = useState('');
  const isTemplateWrong = template !== '' && !/\{\+?code\}/.test(template);
  const add = useAct(async () => {
    await chat.createPlayground({
      name: name.trim(),
      pygments_language: language.trim(),
      url_template: template.trim(),
    });
    setName('');
    setLanguage('');
    setTemplate('');
  });
  const remove = useAct((id: number) => chat.deletePlayground({ playground_id: id }));
  const isReady = [name, language, template].every((text) => text.trim() !== '');
  return (
    <>
      <p className="text-muted">{t.about}</p>
      <section
        aria-label={t.add}
        className="flex flex-col gap-4 rounded-panel border border-line bg-panel p-4"
      >
        <FailureNotice what={t.notSaved} error={add.error} />
        <div className="grid gap-4 tablet:grid-cols-2">
          <TextField label={t.name} value={name} onChange={setName} />
          <TextField
            label={t.language}
            description={t.languageHelp}
            value={language}
            onChange={setLanguage}
            isLatin
          />
        </div>
        <TextField
          label={t.template}
          description={t.templateHelp}
          value={template}
          onChange={setTemplate}
          isLatin
          error={isTemplateWrong ? t.templateWrong : undefined}
        />
        <Button
          variant="primary"
          className="self-end"
          isPending={add.isRunning}
          isDisabled={!isReady || isTemplateWrong}
          onPress={() => void add.run()}
        >
          {t.add}
        </Button>
      </section>
      <FailureNotice what={t.notRemoved} error={remove.error} />
      {all.length === 0 ? (
        <EmptyState icon="code">{t.none}</EmptyState>
      ) : (
        <Table
          label={t.about}
          rows={all}
          keyOf={({ id }) => id}
          columns={[
            { id: 'name', title: t.name, isRowTitle: true, cell: (one) => <bdi>{one.name}</bdi> },
            { id: 'language', title: t.language, cell: (one) => <bdi>{one.language}</bdi> },
            {
              id: 'template',
              title: t.template,
              cell: (one) => (
                <bdi dir="ltr" className="font-mono text-small">
                  {one.urlTemplate}
                </bdi>
              ),
            },
            {
              id: 'acts',
              title: '',
              cell: (one) => (
                <IconButton
                  icon="trash"
                  size="small"
                  label={t.remove}
                  onPress={() => void remove.run(one.id)}
                />
              ),
            },
          ]}
        />
      )}
    </>
  );
}
