/** The storage keys of a picture's thumbnails: a still one, and an animated one. */
export const stillKey = (storageKey: string): string => `${storageKey}.still`;
export const movingKey = (storageKey: string): string => `${storageKey}.moving`;

export const thumbnailKeysOf = (storageKey: string): string[] => [
  stillKey(storageKey),
  movingKey(storageKey),
];
