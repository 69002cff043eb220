// What react-aria says by itself, in Persian: it ships without it. The build puts these texts into its dictionaries
// (aria-languages.ts), under the names that its packages have.
type Word = string | ((values: Record<string, string>) => string);

export const persian: Readonly<Record<string, Readonly<Record<string, Word>>>> = {
  overlays: { dismiss: 'بستن' },
  menu: {
    longPressMessage: 'برای باز کردن فهرست، انگشت را نگه دارید یا Alt و پیکان پایین را بزنید',
  },
  searchfield: { 'Clear search': 'پاک کردن جست‌وجو' },
  tag: { removeDescription: 'برای برداشتن، Delete را بزنید.', removeButtonLabel: 'برداشتن' },
  combobox: { buttonLabel: 'نمایش پیشنهادها', listboxLabel: 'پیشنهادها' },
  grid: {
    select: 'انتخاب',
    selectedAll: 'همه انتخاب شدند.',
    selectedItem: (v) => `${v['item']} انتخاب شد.`,
    deselectedItem: (v) => `${v['item']} از انتخاب درآمد.`,
    longPressToSelect: 'برای انتخاب، انگشت را نگه دارید.',
  },
  calendar: {
    previous: 'پیشین',
    next: 'پسین',
    selectedDateDescription: (v) => `روز انتخاب‌شده: ${v['date']}`,
    todayDate: (v) => `امروز، ${v['date']}`,
    todayDateSelected: (v) => `امروز، ${v['date']}، انتخاب‌شده`,
    dateSelected: (v) => `${v['date']}، انتخاب‌شده`,
    minimumDate: 'نخستین روز ممکن',
    maximumDate: 'آخرین روز ممکن',
  },
  datepicker: {
    year: 'سال',
    month: 'ماه',
    day: 'روز',
    hour: 'ساعت',
    minute: 'دقیقه',
    second: 'ثانیه',
    calendar: 'تقویم',
    selectedDateDescription: (v) => `روز انتخاب‌شده: ${v['date']}`,
    selectedTimeDescription: (v) => `ساعت انتخاب‌شده: ${v['time']}`,
  },
  components: { selectPlaceholder: 'انتخاب کنید' },
};
