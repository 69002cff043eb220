// Draws pictures that are not stored: avatars without an upload, the organization's icon, a loading sign.
import { createHash } from 'node:crypto';
import { CLEAR, drawInTwo, drawSoft, type Color } from './png.ts';

/** Three points, for a picture that is on its way. It is not animated. */
export const LOADING_PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 20" width="60" height="20" fill="#777"><circle cx="10" cy="10" r="5"/><circle cx="30" cy="10" r="5"/><circle cx="50" cy="10" r="5"/></svg>`;

const ICON_PIXELS = 128;
const GROUND = 0x1f3a5fff;
const STONE = 0xf2e6cfff;
const WATER = 0x7fb2d9ff;

let icon: Buffer | undefined;

/** A bridge over water: the organization's icon until it uploads its own. Drawn at the first request. */
export function drawRealmIcon(): Buffer {
  icon ??= drawSoft(ICON_PIXELS, (x, y) =>
    iconColor((x * 100) / ICON_PIXELS, (y * 100) / ICON_PIXELS),
  );
  return icon;
}

/** The colour at a point of a square of 100 by 100. */
function iconColor(x: number, y: number): Color {
  const [left, up] = [Math.max(20 - x, x - 80, 0), Math.max(20 - y, y - 80, 0)];
  if (left * left + up * up > 400) return CLEAR;
  if (y < 68 && y > arch(x, 10, 14) && (x < 22 || x > 78 || y < arch(x, 22, 34))) return STONE;
  return isWave(x, y) ? WATER : GROUND;
}

/** The height of an arch with its feet at 68, from `left` to its mirror image, rising to `crown`. */
function arch(x: number, left: number, crown: number): number {
  const t = (x - left) / (100 - 2 * left);
  if (t < 0 || t > 1) return 68;
  return 68 * ((1 - t) ** 2 + t ** 2) + 2 * crown * t * (1 - t);
}

/** A line of four waves, round at its ends. */
function isWave(x: number, y: number): boolean {
  const along = Math.min(Math.max(x, 10), 90);
  const phase = (Math.PI * (along - 10)) / 20;
  const height = 78 - 3.5 * Math.sin(phase);
  const slope = (-3.5 * Math.PI * Math.cos(phase)) / 20;
  return (x - along) ** 2 + (y - height) ** 2 / (1 + slope * slope) <= 2.5 ** 2;
}

/** Dark enough to contrast with the light background. */
const COLORS = [
  0xa4363bff, 0x9a4a12ff, 0x7a5b00ff, 0x4f6b1aff, 0x1f6f43ff, 0x12706fff, 0x1d6394ff, 0x3f51b0ff,
  0x6a45a8ff, 0x94398cff, 0x6b4f3aff, 0x4a5560ff,
] as const;
/** How far the background is mixed towards white. */
const LIGHT = 0.86;
/** A pattern has five fields a side, of which the right two mirror the left two, and a margin of half a field. */
const FIELDS = 5;

/**
 * A pattern for the user's number, in one of the colours: always the same, and different enough to recognise people. It
 * reveals nothing of the name, so strangers may see it.
 */
export function drawAvatar(userId: number, pixels: number): Buffer {
  const seed = createHash('sha256').update(`avatar of ${userId}`).digest();
  const dark = COLORS[userId % COLORS.length] ?? COLORS[0];
  const field = pixels / (FIELDS + 1);
  const isDark = (x: number, y: number): boolean => {
    const [column, row] = [Math.floor(x / field - 0.5), Math.floor(y / field - 0.5)];
    if (column < 0 || row < 0 || column >= FIELDS || row >= FIELDS) return false;
    const half = Math.min(column, FIELDS - 1 - column);
    return ((seed[row * 3 + half] ?? 0) & 1) === 1;
  };
  return drawInTwo(pixels, [lightOf(dark), dark], isDark);
}

function lightOf(color: Color): Color {
  const tint = (shift: number) => {
    const part = (color >>> shift) & 255;
    return Math.round(part + (255 - part) * LIGHT);
  };
  return ((tint(24) << 16) | (tint(16) << 8) | tint(8)) * 256 + 255;
}
