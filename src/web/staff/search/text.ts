import { texts } from '#src/texts/index.ts'

/** The texts of the search, in every language. */
export const searchText = texts.staff.search.common
