import { useLocale } from '../i18n/locale.tsx';
import { partsOf, percentSign, type NumberStyle } from '../i18n/number.ts';
import { useTexts } from '../i18n/texts.ts';
import { classes } from './classes.ts';
import { Icon } from './icon.tsx';
import { texts } from './texts.ts';

export interface AmountProps extends NumberStyle {
  /** An exact decimal. */
  value: string;
  /** Printed behind it: a number never stands without its unit, unless the column's head has it. */
  unit?: string | undefined;
  className?: string | undefined;
}

/** A number: figures of one width, from left to right, the zeros that only fill up dim. Its thousands are drawn by the
 *  style sheet, so that a copy has plain digits. */
export function Amount({ value, unit, className, decimals, isChange }: AmountProps) {
  const locale = useLocale();
  const { sign, groups, separator, point, fraction, padding } = partsOf(value, locale, {
    decimals,
    isChange,
  });
  const isFilled = fraction === '' && padding !== '';
  return (
    <bdi dir="ltr" className={classes('figures whitespace-nowrap', className)}>
      {sign}
      {groups.map((group, index) => (
        // Groups differ by their place alone.
        <span
          key={index}
          {...(index === 0
            ? {}
            : { 'data-before': separator, className: 'before:content-[attr(data-before)]' })}
        >
          {group}
        </span>
      ))}
      {!isFilled && point}
      {fraction}
      {padding !== '' && (
        <span className="text-muted">
          {isFilled && point}
          {padding}
        </span>
      )}
      {unit !== undefined && (
        <span className="text-muted">{unit === '%' ? percentSign(locale) : `\u00a0${unit}`}</span>
      )}
    </bdi>
  );
}

/** A change: arrow, sign and colour say the same. Readers hear the word. */
export function Change({ value, unit = '%', decimals = 2, className }: AmountProps) {
  const t = useTexts(texts);
  const isUp = !value.startsWith('-');
  const isNought = !/[1-9]/u.test(value);
  return (
    <span
      className={classes(
        'inline-flex items-center align-middle',
        isNought ? 'text-muted' : isUp ? 'text-up' : 'text-down',
        className,
      )}
      data-change={isNought ? 'none' : isUp ? 'up' : 'down'}
    >
      {!isNought && (
        <Icon
          name={isUp ? 'triangleUp' : 'triangleDown'}
          label={isUp ? t.up : t.down}
          className="size-4"
        />
      )}
      <Plain value={value} decimals={decimals} unit={unit} />
    </span>
  );
}

/** All in one colour: dim zeros in a coloured number would look like another number. */
function Plain({ value, decimals, unit }: AmountProps) {
  const locale = useLocale();
  const parts = partsOf(value, locale, { decimals, isChange: true });
  return (
    <bdi dir="ltr" className="figures whitespace-nowrap">
      {parts.sign}
      {parts.groups.join(parts.separator)}
      {parts.point}
      {parts.fraction}
      {parts.padding}
      {unit === '%' ? percentSign(locale) : `\u00a0${unit}`}
    </bdi>
  );
}
