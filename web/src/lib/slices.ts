// Long work in slices: between them the page answers whoever uses it.

/** Work that can be interrupted wherever it yields. */
export type Work<T> = Generator<undefined, T>;

/** How long a slice lasts, in milliseconds: shorter than anybody notices. */
const LONGEST = 16;

/** How often work looks up, in turns of a loop. */
export const OFTEN = 512;

/** Does work without interruption. */
export function atOnce<T>(work: Work<T>): T {
  for (;;) {
    const next = work.next();
    if (next.done === true) return next.value;
  }
}

/** Does work in slices. */
export async function inSlices<T>(work: Work<T>, signal?: AbortSignal): Promise<T> {
  const pause = pauses(signal);
  for (;;) {
    const next = work.next();
    if (next.done === true) return next.value;
    const wait = pause();
    if (wait !== null) await wait;
  }
}

/** A function to be asked now and then: when a slice was long enough, it gives something to wait for. */
export function pauses(signal?: AbortSignal): () => Promise<void> | null {
  let since = performance.now();
  return () => {
    if (performance.now() - since < LONGEST) return null;
    return breath().then(() => {
      signal?.throwIfAborted();
      since = performance.now();
    });
  };
}

/** Waits until the page has done what it had to do. A timer would wait much longer in a page that is not in sight. */
function breath(): Promise<void> {
  return new Promise(resolve => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
