import { defineTexts, useTexts } from '../../i18n/texts.ts';
import { Avatar } from '../avatar.tsx';
import { Badge, CountBadge } from '../badge.tsx';
import { Keys } from '../keys.tsx';
import { Row, Section } from './section.tsx';
import { texts as titles } from './texts.ts';

const texts = defineTexts({
  en: {
    sara: 'Sara Karimi',
    reza: 'Reza Ahmadi',
    maker: 'Maker B',
    bot: 'fills',
    neutral: 'Guest',
    accent: 'Owner',
    success: 'Open',
    warning: 'Halted',
    danger: 'Rejected',
    up: 'Buy',
    down: 'Sell',
  },
  fa: {
    sara: 'سارا کریمی',
    reza: 'رضا احمدی',
    maker: 'بازارگردان ب',
    bot: 'fills',
    neutral: 'مهمان',
    accent: 'مالک',
    success: 'باز',
    warning: 'متوقف',
    danger: 'رد شد',
    up: 'خرید',
    down: 'فروش',
  },
});

const tones = ['neutral', 'accent', 'success', 'warning', 'danger', 'up', 'down'] as const;

export function People() {
  const t = useTexts(texts);
  return (
    <Section name="people" title={useTexts(titles).people}>
      <Row>
        <Avatar id={1} name={t.sara} size="large" presence="active" />
        <Avatar id={2} name={t.reza} presence="active" />
        <Avatar id={3} name={t.maker} presence="idle" />
        <Avatar id={4} name="Ada Lovelace" presence="offline" />
        <Avatar id={5} name={t.bot} isBot />
        <Avatar id={6} name={t.sara} size="small" />
        {Array.from({ length: 6 }, (_, index) => (
          <Avatar key={index} id={index + 6} name={String.fromCharCode(65 + index)} />
        ))}
      </Row>
      <Row>
        {tones.map((tone) => (
          <Badge key={tone} tone={tone}>
            {t[tone]}
          </Badge>
        ))}
        <CountBadge count={1} />
        <CountBadge count={24} />
        <CountBadge count={1204} />
        <CountBadge count={7} isQuiet />
        <Keys keys="g t" />
        <Keys keys="Ctrl+K" />
      </Row>
    </Section>
  );
}
