import type { Phrase } from '#src/contract/language.ts'
import { texts } from '#src/texts/index.ts'

/** The texts around the content of a school's site, in every language; `{…}` is filled in. */
export const siteText = texts.site.common

/** A phrase for one and a phrase for every other number. */
export type Counted = { readonly one: Phrase; readonly other: Phrase }
