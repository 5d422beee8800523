import { texts } from '#src/texts/index.ts'

/** The texts of the learning pages, in every language; `{…}` is filled in. */
export const learnText = texts.learn.common
