import type { Phrase } from '#src/contract/language.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { texts } from '#src/texts/index.ts'

const { cannotContinue } = texts.http

const titles: Readonly<Record<string, Phrase>> = texts.http.titles

/** The title of the page of a refusal, in every language; one without texts has that of its problem in English. */
export const chooseTitle = (error: Refusal | OAuthError): Phrase => {
  if (error instanceof OAuthError) return cannotContinue
  const { code, title } = error.problem
  return titles[code] ?? { ...cannotContinue, en: title }
}
