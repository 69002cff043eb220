// The box to write in: where to, the text, files, and the ways to send.
import { lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import type { Conversation } from '../../state/entities.ts';
import { settingOf } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { useOpener } from '../../ui/opener.ts';
import { useShortcut } from '../../ui/shortcuts/shortcuts.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { EmojiBeside } from '../emoji/beside.tsx';
import { composeBoxOf, type ComposeBox } from './box.ts';
import { DestinationBar } from './destination-bar.tsx';
import { insertLink, toggleCode, toggleMark, type Selected } from './markdown.ts';
import { SendMenu } from './send-menu.tsx';
import { texts } from './texts.ts';
import { Writing } from './writing.tsx';

const Preview = lazy(() => import('./preview.tsx').then((file) => ({ default: file.Preview })));
const UploadList = lazy(() =>
  import('./upload-list.tsx').then((file) => ({ default: file.UploadList })),
);

/** `viewed` is the conversation on the screen. An empty box goes with it; one with a text stays where it was. */
export function Compose({ viewed }: { readonly viewed: Conversation | undefined }) {
  const t = useTexts(texts);
  const store = useStore();
  const box = composeBoxOf(store);
  const view = useSyncExternalStore(box.subscribe, box.view);
  const uploads = useSyncExternalStore(box.uploads.subscribe, box.uploads.list);
  const field = useRef<HTMLTextAreaElement>(null);
  const [isPreview, setPreview] = useState(false);
  const [isDropping, setDropping] = useState(false);
  const [isTouched, setTouched] = useState(false);
  const limit = useSelect(store, (state) => state.organization.limits['messageLength'] ?? 10_000);
  const { length } = view.content;
  const canSend =
    view.destination !== undefined &&
    view.content.trim() !== '' &&
    length <= limit &&
    !uploads.some(({ state }) => state !== 'failed');
  // On a phone, a view that nothing can be written to gives its room to the messages until somebody wants to write.
  const isFolded =
    view.destination === undefined && length === 0 && uploads.length === 0 && !isTouched;
  const unfolded = isFolded ? 'max-tablet:hidden' : undefined;
  useEffect(() => box.follow(viewed), [box, viewed]);
  useShortcut('compose-channel', () => box.focus());
  useShortcut('compose-direct', () => {
    box.choose(true);
  });
  const send = () => {
    if (!canSend) return;
    setPreview(false);
    box.send();
    field.current?.focus();
  };
  return (
    <section
      aria-label={t.label}
      data-compose-area=""
      className="relative mx-3 mbe-3 flex flex-col gap-1 rounded-panel border border-line bg-panel px-3 pt-1.5 pb-2 shadow-raised focus-within:border-control max-tablet:mx-0 max-tablet:mbe-0 max-tablet:rounded-none max-tablet:border-x-0 max-tablet:border-b-0 max-tablet:px-2.5"
      onFocus={() => setTouched(true)}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setDropping(true);
      }}
      onDragLeave={() => setDropping(false)}
      onDrop={(event) => {
        event.preventDefault();
        setDropping(false);
        box.uploads.add(event.dataTransfer.files);
      }}
    >
      {isDropping && (
        <div className="pointer-events-none absolute inset-1 z-20 flex items-center justify-center rounded-panel border-2 border-dashed border-accent bg-accent-tint font-medium text-accent">
          {t.drop}
        </div>
      )}
      <div className={unfolded}>
        <DestinationBar box={box} view={view} viewed={viewed} />
      </div>
      {isPreview ? (
        <Suspense fallback={<div className="min-h-10" />}>
          <Preview content={view.content} />
        </Suspense>
      ) : (
        <Writing box={box} view={view} onSend={send} field={field} />
      )}
      {uploads.length > 0 && (
        <Suspense>
          <UploadList uploads={box.uploads} />
        </Suspense>
      )}
      {length > limit && (
        <p role="alert" className="text-small text-danger">
          {t.tooLong({ length, limit })}
        </p>
      )}
      <div className={classes('flex items-center gap-0.5', unfolded)}>
        <Tools box={box} field={field} isPreview={isPreview} onPreview={setPreview} />
        <span className="flex-1" />
        <EnterHint />
        <Button variant="primary" size="small" icon="send" isDisabled={!canSend} onPress={send}>
          {t.send}
        </Button>
        <SendMenu box={box} canSend={canSend} />
      </div>
    </section>
  );
}

function EnterHint() {
  const t = useTexts(texts);
  const store = useStore();
  const enterSends = useSelect(store, (state) => settingOf(state, 'enter_sends') === true);
  const toggle = () => {
    void store.client.chat.updateSettings({ enter_sends: !enterSends }).catch(() => undefined);
  };
  return (
    <button
      type="button"
      aria-pressed={enterSends}
      onClick={toggle}
      className="me-2 rounded-small text-tiny text-muted hover:text-text hover:underline max-tablet:hidden"
    >
      {enterSends ? t.enterSends : t.ctrlEnterSends}
    </button>
  );
}

function Tools({
  box,
  field,
  isPreview,
  onPreview,
}: {
  readonly box: ComposeBox;
  readonly field: React.RefObject<HTMLTextAreaElement | null>;
  readonly isPreview: boolean;
  readonly onPreview: (isOn: boolean) => void;
}) {
  const t = useTexts(texts);
  const picker = useRef<HTMLInputElement>(null);
  const { button: emojiButton, beside } = useOpener('dialog');
  const change = (act: (selected: Selected) => Selected) => () => {
    const element = field.current;
    if (element === null) return;
    const next = act({
      text: element.value,
      start: element.selectionStart,
      end: element.selectionEnd,
    });
    box.setContent(next.text);
    requestAnimationFrame(() => {
      element.focus();
      element.setSelectionRange(next.start, next.end);
    });
  };
  const type = (text: string) =>
    change(({ text: all, start, end }) => ({
      text: all.slice(0, start) + text + all.slice(end),
      start: start + text.length,
      end: start + text.length,
    }))();
  return (
    <div role="toolbar" aria-label={t.format} className="flex items-center">
      <span className="flex max-tablet:hidden">
        <Tool icon="bold" label={t.bold} onPress={change((one) => toggleMark(one, '**'))} />
        <Tool icon="italic" label={t.italic} onPress={change((one) => toggleMark(one, '*'))} />
        <Tool icon="code" label={t.code} onPress={change(toggleCode)} />
        <Tool icon="link" label={t.link} onPress={change(insertLink)} />
      </span>
      <Tool icon="attach" label={t.file} onPress={() => picker.current?.click()} />
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          box.uploads.add(event.target.files ?? []);
          event.target.value = '';
        }}
      />
      <IconButton
        {...emojiButton}
        icon="emoji"
        label={t.emoji}
        size="small"
        isDisabled={isPreview}
      />
      <EmojiBeside
        beside={beside}
        label={t.emoji}
        placement="top start"
        onPick={(emoji) => type(`:${emoji.name}: `)}
      />
      <Tool
        icon={isPreview ? 'edit' : 'eye'}
        label={isPreview ? t.write : t.preview}
        onPress={() => onPreview(!isPreview)}
      />
    </div>
  );
}

function Tool({
  icon,
  label,
  onPress,
}: {
  readonly icon: 'bold' | 'italic' | 'code' | 'link' | 'attach' | 'edit' | 'eye';
  readonly label: string;
  readonly onPress: () => void;
}) {
  return (
    <Tooltip text={label}>
      <IconButton icon={icon} label={label} size="small" onPress={onPress} />
    </Tooltip>
  );
}
