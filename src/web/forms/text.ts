import { texts } from '#src/texts/index.ts'

/** The texts of the pages of forms, in every language; `{…}` is filled in. */
export const formsText = texts.forms.common
