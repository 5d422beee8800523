import { texts } from '#src/texts/index.ts'

/** The texts about assignments, in every language; `{…}` is filled in. */
export const workText = texts.learn.work
