import type { Phrase } from '#src/contract/language.ts'

/** The rows behind a position in a list whose newest stand first and, at one instant, those with the greater id. */
export const behind = <Row>(
  rows: readonly Row[],
  positionOf: (row: Row) => readonly [at: string, id: string],
  after: readonly string[] | undefined,
): Row[] => {
  const keyOf = (row: Row): string => positionOf(row).join(' ')
  const newestFirst = [...rows].sort((a, b) => (keyOf(a) > keyOf(b) ? -1 : 1))
  return after === undefined ? newestFirst : newestFirst.filter(row => keyOf(row) < after.join(' '))
}

/** What it means to disconnect an app, in words. */
export const appEffect = (name: string): Phrase => ({
  en: `The app “${name}” loses all access to your account.`,
  pt: `A aplicação «${name}» perde todo o acesso à sua conta.`,
})

const minuteOf = (at: Date, language: 'en' | 'pt'): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(at)

/** What it means to end a session, in words. */
export const sessionEffect = (browser: string | null, signedIn: Date): Phrase => ({
  en: `You are signed out in ${browser ?? 'the browser'} where you signed in on ${minuteOf(signedIn, 'en')} UTC.`,
  pt: `A sua sessão termina em ${browser ?? 'o navegador'}, onde entrou em ${minuteOf(signedIn, 'pt')} UTC.`,
})
