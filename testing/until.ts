import { setTimeout as pause } from 'node:timers/promises'

const PATIENCE_MS = 30_000
// A look costs as much as what it waits for: the longer that takes, the rarer they are.
const [SHORTEST_MS, LONGEST_MS, SHARE] = [20, 200, 0.1]

/** Polls until a condition holds; rejects with its description after a timeout. */
export const until = async (
  holds: () => Promise<boolean>,
  awaited: string,
  patience: number = PATIENCE_MS,
): Promise<void> => {
  const begun = performance.now()
  const end = begun + patience
  // A last look after the timeout: on a busy machine one look may take longer than it.
  for (let isLast = false; !(await holds()); isLast = performance.now() > end) {
    if (isLast) throw new Error(`did not come: ${awaited}`)
    await pause(Math.min(LONGEST_MS, SHORTEST_MS + (performance.now() - begun) * SHARE))
  }
}
