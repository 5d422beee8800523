import { inEach, type Phrase } from '#src/contract/language.ts'
import { texts } from '#src/texts/index.ts'

/** The texts of the pages with figures, in every language. */
export const analyticsText = texts.staff.analytics.common

/** The name of a metric or a dimension; one without a text here is shown as the API calls it. */
export const nameIn = (names: Readonly<Record<string, Phrase>>, name: string): Phrase =>
  names[name] ?? inEach(() => name.replaceAll('_', ' '))
