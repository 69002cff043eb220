/** Where the small forms of a picture are kept: one that stands still, and one that moves. */
export const stillKey = (storageKey: string): string => `${storageKey}.still`;
export const movingKey = (storageKey: string): string => `${storageKey}.moving`;

export const thumbnailKeysOf = (storageKey: string): string[] => [
  stillKey(storageKey),
  movingKey(storageKey),
];
