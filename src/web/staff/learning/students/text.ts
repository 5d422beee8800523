import { texts } from '#src/texts/index.ts'
import { staffText } from '../../pages/text.ts'
import { teachingText } from '../../teaching/text.ts'

const { common, studentRefusals: said } = texts.staff.students

/** The texts that several pages of students have, in every language; `{…}` is filled in. */
export const studentsText = common

/** The sentences for refusals on these pages. */
export const studentRefusals = { ...staffText.refusals, ...teachingText.refusals, ...said } as const
