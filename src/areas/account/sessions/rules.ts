import type { Phrase } from '#src/contract/language.ts'

const minuteOf = (at: Date, language: 'en' | 'pt'): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(at)

/** The effect of ending a session, in words. */
export const sessionEffect = (browser: string | null, signedIn: Date): Phrase => ({
  en: `You are signed out in ${browser ?? 'the browser'} where you signed in on ${minuteOf(signedIn, 'en')} UTC.`,
  pt: `A sua sessão termina em ${browser ?? 'o navegador'}, onde entrou em ${minuteOf(signedIn, 'pt')} UTC.`,
})
