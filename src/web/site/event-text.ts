import { texts } from '#src/texts/index.ts'

/** The texts around the events of a school, in every language; `{…}` is filled in. */
export const eventText = texts.site.event
