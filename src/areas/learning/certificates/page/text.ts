import type { Phrase } from '#src/contract/language.ts'
import { texts } from '#src/texts/index.ts'
import type { Status } from '../certificates/rules.ts'

/** The status of a certificate, in words. */
export const statusText: Readonly<Record<Status, Phrase>> = texts.learning.certificates.page.status

/** The other texts of the page and the PDF of a certificate. */
export const words = texts.learning.certificates.page.words
