const WHOLE = 200

/**
 * How many rounds a test runs that repeats itself: `most`, or fewer with STOA_TEST_ROUNDS, of which 200 is all of them; at
 * least three.
 */
export const roundsOf = (most: number): number =>
  Math.max(3, Math.round((most * Number(process.env.STOA_TEST_ROUNDS ?? WHOLE)) / WHOLE))
