import { inEach, type Phrase } from '#src/contract/language.ts'
import { formatTime } from '#src/kit/format.ts'

/** The effect of ending a session, in words. */
export const sessionEffect = (browser: string | null, signedIn: Date, timeZone: string): Phrase => {
  const time = inEach(language => formatTime(signedIn, timeZone, language))
  return {
    en: `You are signed out in ${browser ?? 'the browser'} where you signed in on ${time.en}.`,
    pt: `A sua sessão termina em ${browser ?? 'o navegador'}, onde entrou em ${time.pt}.`,
  }
}
