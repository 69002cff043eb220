// Whether a finger, or the momentum that it left behind, moves the scroller. A scroll position that is written
// meanwhile stops the movement or is lost, so the scroller writes nothing until rest.

const REST_MS = 150;

export interface Motion {
  isMoving(): boolean;
  stop(): void;
}

/** Watches `element`, and says when it comes to rest. */
export function watchMotion(element: HTMLElement, onRest: () => void): Motion {
  let touching = false;
  let moving = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const controller = new AbortController();
  const options = { passive: true, capture: true, signal: controller.signal };
  const waitForRest = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (touching) return;
      moving = false;
      onRest();
    }, REST_MS);
  };
  const release = (event: TouchEvent) => {
    touching = event.touches.length > 0;
    if (!touching) waitForRest();
  };
  element.addEventListener(
    'touchstart',
    () => {
      touching = true;
      moving = true;
      clearTimeout(timer);
    },
    options,
  );
  element.addEventListener('touchend', release, options);
  element.addEventListener('touchcancel', release, options);
  element.addEventListener(
    'scroll',
    () => {
      if (moving && !touching) waitForRest();
    },
    options,
  );
  return {
    isMoving: () => moving,
    stop() {
      clearTimeout(timer);
      controller.abort();
    },
  };
}
