import type { Language, Phrase } from '#src/contract/language.ts'

/** A phrase in a language, its `{names}` filled in; the caller's template escapes it. */
export const fill = (
  phrase: Phrase,
  language: Language,
  values: Readonly<Record<string, string | number>> = {},
): string => phrase[language].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
