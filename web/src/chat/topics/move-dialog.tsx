// Renames a topic, or moves its messages to another topic or channel.
import { useState } from 'react';
import { FailureNotice } from '../../asked/failure.tsx';
import { useAct } from '../../asked/use-act.ts';
import { useTexts } from '../../i18n/texts.ts';
import { subscribedChannels } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { topicRights } from '../rights/rights.ts';
import { moveMessages, type MoveReach, type PartialMove, type TopicAt } from './acts.ts';
import { anchorOf } from './anchor.ts';
import { checkMove } from './check-move.ts';
import { texts } from './texts.ts';

export interface MoveTopicDialogProps {
  readonly at: TopicAt;
  /** The message from which messages go; without it the whole topic goes. */
  readonly fromId?: number | undefined;
  readonly isRename?: boolean | undefined;
  readonly onClose: () => void;
}

export function MoveTopicDialog({ at, fromId, isRename = false, onClose }: MoveTopicDialogProps) {
  const t = useTexts(texts);
  const store = useStore();
  const channels = useSelect(store, subscribedChannels);
  const max = store.state.organization.limits['topicLength'] ?? 60;
  const [topic, setTopic] = useState(at.topic);
  const [channelId, setChannelId] = useState(at.channelId);
  const [reach, setReach] = useState<MoveReach>(fromId === undefined ? 'whole' : 'from-here');
  const [tellOld, setTellOld] = useState(false);
  const [tellNew, setTellNew] = useState(!isRename);
  const [partial, setPartial] = useState<PartialMove>();
  const policy = store.state.channels.get(channelId)?.topicsPolicy;
  const problem = checkMove(at, { channelId, topic }, { max, policy });

  const move = useAct(async (part?: PartialMove) => {
    const messageId = part?.firstId ?? fromId ?? (await anchorOf(store, at));
    if (messageId === undefined) throw new Error(t.unknownTopic);
    const left = await moveMessages(store.client.chat, {
      messageId,
      reach: part === undefined ? reach : 'from-here',
      to: {
        ...(topic.trim() !== at.topic && { topic: topic.trim() }),
        ...(channelId !== at.channelId && { channelId }),
      },
      tellOld,
      tellNew,
    });
    setPartial(left);
    if (left === undefined) onClose();
  });

  const act = isRename ? t.renameAct : t.moveAct;
  return (
    <Dialog
      title={isRename ? t.renameTitle : t.moveTitle}
      isOpen
      onOpenChange={(isOpen) => isOpen || onClose()}
      actions={
        <>
          <Button onPress={onClose}>{t.cancel}</Button>
          <Button
            variant="primary"
            isPending={move.isRunning}
            isDisabled={problem !== undefined}
            onPress={() => void move.run(partial)}
          >
            {partial === undefined ? act : t.movePart({ count: partial.allowed })}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <FailureNotice what={isRename ? t.notRenamed : t.notMoved} error={move.error} />
        {partial !== undefined && <Banner tone="warning">{t.partial(partial)}</Banner>}
        {!isRename && topicRights(store.state, at.channelId).mayMoveOut && (
          <Select
            label={t.channel}
            value={String(channelId)}
            onChange={(id) => setChannelId(Number(id))}
            choices={channels.map(({ id, name }) => ({ value: String(id), label: name }))}
          />
        )}
        <TextField
          label={t.name}
          value={topic}
          onChange={setTopic}
          autoFocus
          error={
            problem === 'tooLong'
              ? t.tooLong({ count: Array.from(topic.trim()).length, max })
              : problem === 'needsName'
                ? t.needsName
                : undefined
          }
        />
        {fromId !== undefined && (
          <RadioGroup
            label={t.which}
            value={reach}
            onChange={(value) => setReach(value as MoveReach)}
            choices={[
              { value: 'from-here', label: t.fromHere },
              { value: 'one', label: t.onlyThis },
              { value: 'whole', label: t.whole },
            ]}
          />
        )}
        <div className="flex flex-col">
          <Checkbox isSelected={tellNew} onChange={setTellNew}>
            {t.tellNew}
          </Checkbox>
          <Checkbox isSelected={tellOld} onChange={setTellOld}>
            {t.tellOld}
          </Checkbox>
        </div>
        {problem === 'same' && topic !== at.topic && <p className="text-muted">{t.same}</p>}
      </div>
    </Dialog>
  );
}
