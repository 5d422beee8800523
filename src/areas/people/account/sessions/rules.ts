import { fillEach, inEach, type Phrase } from '#src/contract/language.ts'
import { formatTime } from '#src/kit/format.ts'
import { texts } from '#src/texts/index.ts'

const text = texts.people.account.sessions.rules

/** The effect of ending a session, in words. */
export const sessionEffect = (browser: string | null, signedIn: Date, timeZone: string): Phrase =>
  fillEach(text.ended, {
    browser: browser ?? text.theBrowser,
    time: inEach(language => formatTime(signedIn, timeZone, language)),
  })
