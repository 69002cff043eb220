// Says that the session has ended: it was signed out elsewhere, it was too old, or somebody else signed in with this browser.
// What was written stays in this browser as drafts of this person, whom the next one to sign in may not be.
import { useTexts } from '../i18n/texts.ts';
import { Dialog } from '../ui/dialog.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { signInHref } from './sign-in.ts';
import { texts } from './texts.ts';

export default function SessionEnded() {
  const t = useTexts(texts);
  return (
    <Dialog
      title={t.sessionEnded}
      size="small"
      isAlert
      isLasting
      isOpen
      actions={
        <LinkButton href={signInHref(location)} variant="primary">
          {t.signInAgain}
        </LinkButton>
      }
    >
      <p>{t.sessionEndedWhy}</p>
    </Dialog>
  );
}
