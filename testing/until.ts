import { setTimeout as pause } from 'node:timers/promises'

const PATIENCE_MS = 30_000

/** Asks again until something holds; rejects with what was awaited when it does not come. */
export const until = async (holds: () => Promise<boolean>, awaited: string): Promise<void> => {
  const end = performance.now() + PATIENCE_MS
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`did not come: ${awaited}`)
    await pause(20)
  }
}
