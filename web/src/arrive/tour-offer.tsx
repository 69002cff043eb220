// Offers the tour without getting in the way.
import { useTexts } from '../i18n/texts.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { useTourSeen } from './seen.ts';
import { texts } from './texts.ts';

export function TourOffer({ onStart }: { readonly onStart: () => void }) {
  const t = useTexts(texts);
  const { isSeen, markSeen } = useTourSeen();
  if (isSeen) return null;
  return (
    <div className="px-4 pt-3">
      <Banner>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <p className="min-w-56 flex-1 text-pretty">{t.offer}</p>
          <span className="flex gap-2">
            <Button size="small" variant="primary" onPress={onStart}>
              {t.start}
            </Button>
            <Button size="small" variant="quiet" onPress={markSeen}>
              {t.notNow}
            </Button>
          </span>
        </div>
      </Banner>
    </div>
  );
}
