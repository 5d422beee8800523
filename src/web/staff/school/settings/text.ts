// One thing: the texts of the pages of settings.
import { texts } from '#src/texts/index.ts'

/** The texts of the pages of settings, in every language. */
export const settingsText = texts.staff.settings.common
