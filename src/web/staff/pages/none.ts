import { fill, type Language, type Phrase } from '#src/contract/language.ts'

const goOn: Phrase = {
  en: 'None among the first ones. The list goes on: choose “Next page”.',
  pt: 'Nenhum resultado entre os primeiros. A lista continua: escolha “Página seguinte”.',
}

/** What a page without rows says; in a large school it may end before the list does, which then has a next page. */
export const noneOn = (none: Phrase, next: string | undefined, language: Language): string =>
  fill(next === undefined ? none : goOn, language)
