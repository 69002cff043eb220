// What belongs to the person alone: settings, drafts, scheduled messages, reminders, snippets, views.
import type {
  AlertWordsEvent,
  DraftsAddEvent,
  DraftsRemoveEvent,
  DraftsUpdateEvent,
  NavigationViewAddEvent,
  NavigationViewRemoveEvent,
  NavigationViewUpdateEvent,
  OnboardingStepsEvent,
  RemindersAddEvent,
  RemindersRemoveEvent,
  SavedSnippetsAddEvent,
  SavedSnippetsRemoveEvent,
  SavedSnippetsUpdateEvent,
  ScheduledMessagesAddEvent,
  ScheduledMessagesRemoveEvent,
  ScheduledMessagesUpdateEvent,
  UserSettingsUpdateEvent,
} from '@rialto/sdk';
import { draftFrom, reminderFrom, scheduledFrom, snippetFrom } from '../convert.ts';
import { changed, UNCHANGED, type Changed, type State } from '../state.ts';

export function applySettings(state: State, { property, value }: UserSettingsUpdateEvent): Changed {
  state.settings = { ...state.settings, [property]: value };
  if (property !== 'enable_drafts_synchronization' || value !== false) return changed('settings');
  // Somebody who stops synchronising has no drafts at the server any more.
  state.drafts.clear();
  return changed('settings', 'drafts');
}

export function applyDrafts(
  state: State,
  event: DraftsAddEvent | DraftsUpdateEvent | DraftsRemoveEvent,
): Changed {
  const ownId = state.own.userId;
  if (event.op === 'remove') state.drafts.delete(event.draft_id);
  else {
    for (const row of event.op === 'add' ? event.drafts : [event.draft]) {
      state.drafts.set(row.id, draftFrom(row, ownId));
    }
  }
  return changed('drafts');
}

export function applyScheduled(
  state: State,
  event: ScheduledMessagesAddEvent | ScheduledMessagesUpdateEvent | ScheduledMessagesRemoveEvent,
): Changed {
  const ownId = state.own.userId;
  if (event.op === 'remove') state.scheduled.delete(event.scheduled_message_id);
  else {
    const rows = event.op === 'add' ? event.scheduled_messages : [event.scheduled_message];
    for (const row of rows) {
      state.scheduled.set(row.scheduled_message_id, scheduledFrom(row, ownId));
    }
  }
  return changed('scheduled');
}

export function applyReminders(
  state: State,
  event: RemindersAddEvent | RemindersRemoveEvent,
): Changed {
  if (event.op === 'remove') state.reminders.delete(event.reminder_id);
  else for (const row of event.reminders) state.reminders.set(row.reminder_id, reminderFrom(row));
  return changed('reminders');
}

export function applySnippets(
  state: State,
  event: SavedSnippetsAddEvent | SavedSnippetsUpdateEvent | SavedSnippetsRemoveEvent,
): Changed {
  if (event.op === 'remove') state.snippets.delete(event.saved_snippet_id);
  else state.snippets.set(event.saved_snippet.id, snippetFrom(event.saved_snippet));
  return changed('snippets');
}

export function applyView(
  state: State,
  event: NavigationViewAddEvent | NavigationViewUpdateEvent | NavigationViewRemoveEvent,
): Changed {
  if (event.op === 'add') {
    const { fragment, is_pinned, name } = event.navigation_view;
    state.navigationViews.set(fragment, { fragment, isPinned: is_pinned, name });
    return changed('navigationViews');
  }
  const known = state.navigationViews.get(event.fragment);
  if (known === undefined) return UNCHANGED;
  if (event.op === 'remove') state.navigationViews.delete(event.fragment);
  else {
    const { is_pinned: isPinned = known.isPinned, name = known.name } = event.data;
    state.navigationViews.set(event.fragment, { ...known, isPinned, name });
  }
  return changed('navigationViews');
}

export function applyAlertWords(state: State, event: AlertWordsEvent): Changed {
  state.alertWords = event.alert_words;
  return changed('alertWords');
}

export function applyOnboarding(state: State, event: OnboardingStepsEvent): Changed {
  state.onboarding = event.onboarding_steps.map(({ name }) => name);
  return changed('onboarding');
}
