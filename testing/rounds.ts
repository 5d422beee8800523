const WHOLE = 200

const rounds = Number(process.env.STOA_TEST_ROUNDS ?? WHOLE)

/** Whether tests that repeat themselves run all of their rounds; STOA_TEST_ROUNDS below 200 makes it a part of them. */
export const isWhole = rounds >= WHOLE

/** How many rounds a test runs that repeats itself: all `most`, or the share that STOA_TEST_ROUNDS is of 200, at least three. */
export const computeRounds = (most: number): number => Math.max(3, Math.round((most * rounds) / WHOLE))
