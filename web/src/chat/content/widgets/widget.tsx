// Draws polls, lists of tasks and forms. An act is sent at once and drawn when the server says so: everybody sees the
// same. These are cards of the page: texts of any direction stand at its side, isolated.
import { useState, type FormEvent, type ReactNode } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { Icon } from '../../../ui/icon.tsx';
import type { IconName } from '../../../ui/icon-paths.ts';
import { TextField } from '../../../ui/text-field.tsx';
import { contentTexts } from '../texts.ts';
import { useContentWorld } from '../world.tsx';
import {
  newOptionOf,
  newTaskOf,
  nextIndex,
  strikeOf,
  voteOf,
  type PollOption,
  type Task,
  type Widget,
} from './read.ts';

interface WidgetProps {
  widget: Widget;
  message: { readonly id: number; readonly senderId: number };
}

/** Sends acts one after the other, and says if the last one was refused. */
function useActs(messageId: number) {
  const world = useContentWorld();
  const [isSending, setSending] = useState(false);
  const [isRefused, setRefused] = useState(false);
  const act = async (content: string): Promise<boolean> => {
    if (isSending) return false;
    setSending(true);
    setRefused(false);
    try {
      await world.addSubmessage(messageId, content);
      return true;
    } catch {
      setRefused(true);
      return false;
    } finally {
      setSending(false);
    }
  };
  return { act, isSending, isRefused };
}

type Acts = ReturnType<typeof useActs>;

export function WidgetView({ widget, message }: WidgetProps) {
  const acts = useActs(message.id);
  switch (widget.kind) {
    case 'poll':
      return <Poll {...widget} acts={acts} />;
    case 'todo':
      return <Todo {...widget} acts={acts} />;
    case 'form':
      return <Form {...widget} messageId={message.id} />;
  }
}

function Frame({
  icon,
  heading,
  note,
  isRefused,
  children,
}: {
  icon: IconName;
  heading: ReactNode;
  note?: string | undefined;
  isRefused: boolean;
  children: ReactNode;
}) {
  const t = useTexts(contentTexts);
  return (
    <div className="my-1 flex max-w-lg flex-col gap-2 rounded-control border border-line bg-background p-3 text-message">
      <div className="flex items-start gap-2">
        <Icon name={icon} className="mt-0.5 text-muted" />
        <p className="min-w-0 flex-1 font-semibold break-words">
          <bdi>{heading}</bdi>
        </p>
        {note !== undefined && <span className="shrink-0 text-small text-muted">{note}</span>}
      </div>
      {children}
      {isRefused && (
        <p role="alert" className="text-small text-danger">
          {t.notSaved}
        </p>
      )}
    </div>
  );
}

function Poll({
  question,
  options,
  acts,
}: {
  question: string;
  options: readonly PollOption[];
  acts: Acts;
}) {
  const t = useTexts(contentTexts);
  const world = useContentWorld();
  const most = Math.max(1, ...options.map(({ voterIds }) => voterIds.length));
  return (
    <Frame
      icon="chart"
      heading={question === '' ? t.noQuestion : question}
      isRefused={acts.isRefused}
    >
      <ul className="flex flex-col gap-1">
        {options.map((option) => (
          <Option key={option.key} option={option} most={most} acts={acts} />
        ))}
      </ul>
      <Adder
        label={t.newOption}
        act={t.addOption}
        add={(text) => {
          const keys = options.map(({ key }) => key);
          return acts.act(newOptionOf(nextIndex(keys, world.readerId), text));
        }}
        isSending={acts.isSending}
      />
    </Frame>
  );
}

function Option({ option, most, acts }: { option: PollOption; most: number; acts: Acts }) {
  const t = useTexts(contentTexts);
  const world = useContentWorld();
  const { key, text, voterIds } = option;
  const isOwn = voterIds.includes(world.readerId);
  const names = voterIds.flatMap((id) => world.personName(id) ?? []);
  const count = voterIds.length === 0 ? t.noVotes : t.votes({ count: voterIds.length });
  return (
    <li>
      <button
        type="button"
        aria-pressed={isOwn}
        title={names.slice(0, 20).join(', ')}
        disabled={acts.isSending}
        className={classes(
          'relative flex min-h-control w-full cursor-pointer items-center gap-2 overflow-hidden rounded-control border px-3 text-start hover:bg-hover',
          isOwn ? 'border-accent' : 'border-line',
        )}
        onClick={() => void acts.act(voteOf(key, !isOwn))}
      >
        <span
          aria-hidden="true"
          className="absolute inset-y-0 start-0 bg-accent-tint"
          style={{ inlineSize: `${(voterIds.length / most) * 100}%` }}
        />
        <Icon
          name="check"
          className={classes('relative size-4 text-accent', !isOwn && 'invisible')}
        />
        <span className="relative min-w-0 flex-1 break-words">
          <bdi>{text}</bdi>
        </span>
        <span className="figures relative shrink-0 text-small text-muted">{count}</span>
      </button>
    </li>
  );
}

function Todo({ title, tasks, acts }: { title: string; tasks: readonly Task[]; acts: Acts }) {
  const t = useTexts(contentTexts);
  const world = useContentWorld();
  const done = tasks.filter(({ isDone }) => isDone).length;
  return (
    <Frame
      icon="list"
      heading={title === '' ? t.todo : title}
      note={tasks.length === 0 ? undefined : t.done({ done, all: tasks.length })}
      isRefused={acts.isRefused}
    >
      <ul className="flex flex-col">
        {tasks.map((task) => (
          <li key={task.key}>
            <label className="flex cursor-pointer items-start gap-2.5 rounded-control px-1 py-1 hover:bg-hover">
              <input
                type="checkbox"
                checked={task.isDone}
                disabled={acts.isSending}
                className="mt-1 size-4 shrink-0 accent-accent"
                onChange={() => void acts.act(strikeOf(task.key))}
              />
              <span className="min-w-0 flex-1 break-words">
                <span className={classes('block', task.isDone && 'text-muted line-through')}>
                  <bdi>{task.text}</bdi>
                </span>
                {task.description !== '' && (
                  <span className="block text-base text-muted">
                    <bdi>{task.description}</bdi>
                  </span>
                )}
              </span>
            </label>
          </li>
        ))}
      </ul>
      <Adder
        label={t.newTask}
        act={t.addTask}
        add={(text) => {
          const keys = tasks.map(({ key }) => key);
          return acts.act(newTaskOf(nextIndex(keys, world.readerId), text));
        }}
        isSending={acts.isSending}
      />
    </Frame>
  );
}

const TEXT_MAX = 1000;

function Adder({
  label,
  act,
  add,
  isSending,
}: {
  label: string;
  act: string;
  add: (text: string) => Promise<boolean>;
  isSending: boolean;
}) {
  const [text, setText] = useState('');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '' && (await add(text.trim()))) setText('');
  };
  return (
    <form className="flex items-end gap-2" onSubmit={(event) => void submit(event)}>
      <TextField
        label={label}
        isLabelHidden
        placeholder={label}
        value={text}
        onChange={setText}
        maxLength={TEXT_MAX}
        className="flex-1"
      />
      <Button type="submit" isDisabled={text.trim() === ''} isPending={isSending}>
        {act}
      </Button>
    </form>
  );
}

/** A bot's question. Choosing sends the answer as a message. */
function Form({
  heading,
  choices,
  messageId,
}: Extract<Widget, { kind: 'form' }> & { messageId: number }) {
  const { reply } = useContentWorld();
  return (
    <Frame icon="help" heading={heading} isRefused={false}>
      <ul className="flex flex-col gap-1">
        {choices.map((choice, index) => (
          <li key={index} className="flex items-center gap-3">
            <Button
              size="small"
              isDisabled={reply === undefined}
              aria-label={`${choice.name}: ${choice.text}`}
              onPress={() => reply?.(messageId, choice.reply)}
            >
              {choice.name}
            </Button>
            <span className="min-w-0 flex-1 break-words">
              <bdi>{choice.text}</bdi>
            </span>
          </li>
        ))}
      </ul>
    </Frame>
  );
}
