// Patterns in messages that become links, each tried before it is saved.
import { useState } from 'react';
import { FailureNotice } from '../../asked/failure.tsx';
import { useAct } from '../../asked/use-act.ts';
import { useTexts } from '../../i18n/texts.ts';
import type { Linkifier } from '../../state/entities.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { texts } from './texts.ts';
import { tryLinkifier } from './try.ts';

export default function LinkifiersPage() {
  const t = useTexts(texts);
  const store = useStore();
  const { chat } = store.client;
  const all = useSelect(store, (state) => state.linkifiers);
  const [edited, setEdited] = useState<Linkifier>();
  const [ended, setEnded] = useState<Linkifier>();
  const remove = useAct(async (one: Linkifier) => {
    await chat.deleteLinkifier({ filter_id: one.id });
    setEnded(undefined);
  });
  const move = useAct((index: number, step: 1 | -1) => {
    const ids = all.map(({ id }) => id);
    const [id] = ids.splice(index, 1);
    if (id !== undefined) ids.splice(index + step, 0, id);
    return chat.reorderLinkifiers({ ordered_linkifier_ids: ids });
  });
  return (
    <>
      <p className="text-muted">{t.about}</p>
      <LinkifierForm
        key={edited?.id ?? 'new'}
        linkifier={edited}
        onDone={() => setEdited(undefined)}
      />
      <FailureNotice what={t.notMoved} error={move.error} />
      {all.length === 0 && <EmptyState icon="link">{t.none}</EmptyState>}
      <ol className="flex flex-col gap-2">
        {all.map((one, index) => (
          <li
            key={one.id}
            className="flex items-center gap-3 rounded-panel border border-line bg-panel px-4 py-2"
          >
            <span dir="ltr" className="flex min-w-0 flex-1 flex-col font-mono text-small">
              <span className="truncate">{one.pattern}</span>
              <span className="truncate text-muted">{one.urlTemplate}</span>
            </span>
            <IconButton
              icon="arrowUp"
              label={t.up}
              isDisabled={index === 0 || move.isRunning}
              onPress={() => void move.run(index, -1)}
            />
            <IconButton
              icon="arrowDown"
              label={t.down}
              isDisabled={index === all.length - 1 || move.isRunning}
              onPress={() => void move.run(index, 1)}
            />
            <IconButton icon="edit" label={t.edit} onPress={() => setEdited(one)} />
            <IconButton icon="trash" label={t.remove} onPress={() => setEnded(one)} />
          </li>
        ))}
      </ol>
      {ended !== undefined && (
        <ConfirmDialog
          title={t.remove}
          act={t.remove}
          isPending={remove.isRunning}
          isOpen
          onOpenChange={(isOpen) => isOpen || setEnded(undefined)}
          onConfirm={() => void remove.run(ended)}
        >
          <FailureNotice what={t.notRemoved} error={remove.error} />
          <p>{t.removeWhat}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function LinkifierForm({
  linkifier,
  onDone,
}: {
  readonly linkifier: Linkifier | undefined;
  readonly onDone: () => void;
}) {
  const t = useTexts(texts);
  const { chat } = useStore().client;
  const [pattern, setPattern] = useState(linkifier?.pattern ?? '');
  const [template, setTemplate] = useState(linkifier?.urlTemplate ?? '');
  const [text, setText] = useState('');
  const tried = pattern === '' ? undefined : tryLinkifier(pattern, template, text);
  const save = useAct(async () => {
    const facts = { pattern, url_template: template.trim() };
    if (linkifier === undefined) await chat.createLinkifier(facts);
    else await chat.updateLinkifier({ filter_id: linkifier.id, ...facts });
    setPattern('');
    setTemplate('');
    setText('');
    onDone();
  });
  return (
    <section
      aria-label={linkifier === undefined ? t.add : t.edit}
      className="flex flex-col gap-4 rounded-panel border border-line bg-panel p-4"
    >
      <FailureNotice what={t.notSaved} error={save.error} />
      <div className="grid gap-4 tablet:grid-cols-2">
        <TextField
          label={t.pattern}
          description={t.patternHelp}
          value={pattern}
          onChange={setPattern}
          isLatin
          error={tried?.kind === 'badPattern' ? t.patternWrong({ why: tried.why }) : undefined}
        />
        <TextField
          label={t.template}
          description={t.templateHelp}
          value={template}
          onChange={setTemplate}
          isLatin
          error={tried?.kind === 'badTemplate' ? t.templateWrong({ name: tried.name }) : undefined}
        />
      </div>
      <TextField label={t.test} description={t.testHelp} value={text} onChange={setText} />
      {tried?.kind === 'links' && text !== '' && (
        <output className="flex flex-col gap-1 text-small">
          <span className="font-medium">{tried.links.length === 0 ? t.foundNothing : t.found}</span>
          {tried.links.map((link, index) => (
            <bdi key={index} dir="ltr" className="break-all">
              {link.text} → <span className="text-accent">{link.href}</span>
            </bdi>
          ))}
        </output>
      )}
      <div className="flex justify-end gap-2">
        {linkifier !== undefined && <Button onPress={onDone}>{t.cancel}</Button>}
        <Button
          variant="primary"
          isPending={save.isRunning}
          isDisabled={pattern === '' || template.trim() === ''}
          onPress={() => void save.run()}
        >
          {linkifier === undefined ? t.add : t.save}
        </Button>
      </div>
    </section>
  );
}
