import { setTimeout as pause } from 'node:timers/promises'

const PATIENCE_MS = 30_000

/** Polls until a condition holds; rejects with its description after a timeout. */
export const until = async (
  holds: () => Promise<boolean>,
  awaited: string,
  patience: number = PATIENCE_MS,
): Promise<void> => {
  const end = performance.now() + patience
  // A last look after the timeout: on a busy machine one look may take longer than it.
  for (let isLast = false; !(await holds()); isLast = performance.now() > end) {
    if (isLast) throw new Error(`did not come: ${awaited}`)
    await pause(20)
  }
}
