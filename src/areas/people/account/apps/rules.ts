import { fillEach, type Phrase } from '#src/contract/language.ts'
import { texts } from '#src/texts/index.ts'

/** The effect of disconnecting an app, in words. */
export const appEffect = (name: string): Phrase => fillEach(texts.people.account.apps.rules.disconnected, { name })
