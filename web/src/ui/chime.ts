// A short sound of two tones, made here: no file is loaded, and nothing plays before somebody has used the page.

/** In hertz, and when each begins, in seconds. */
const TONES = [
  [660, 0],
  [880, 0.12],
] as const;
const LASTS_S = 0.22;
const LOUDNESS = 0.12;

let context: AudioContext | undefined;

export function chime(): void {
  try {
    context ??= new AudioContext();
    const { destination, currentTime } = context;
    // Browsers hold sounds back until the page was used; they go on then.
    void context.resume();
    for (const [frequency, after] of TONES) {
      const tone = new OscillatorNode(context, { frequency });
      const gain = new GainNode(context, { gain: LOUDNESS });
      const start = currentTime + after;
      gain.gain.setValueAtTime(LOUDNESS, start);
      // To nearly nothing: a tone that is cut off clicks.
      gain.gain.exponentialRampToValueAtTime(0.0001, start + LASTS_S);
      tone.connect(gain).connect(destination);
      tone.start(start);
      tone.stop(start + LASTS_S);
    }
  } catch {
    // Without a sound the notice on the page is still there.
  }
}
