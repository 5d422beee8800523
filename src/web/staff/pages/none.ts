import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import { texts } from '#src/texts/index.ts'

const goOn = texts.staff.none.goOn

/** What a page without rows says; in a large school it may end before the list does, which then has a next page. */
export const noneOn = (none: Phrase, next: string | undefined, language: Language): string =>
  fill(next === undefined ? none : goOn, language)
