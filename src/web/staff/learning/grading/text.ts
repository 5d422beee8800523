import { texts } from '#src/texts/index.ts'
import { fileRefusals } from '../../files/uploads/index.ts'
import { staffText } from '../../pages/text.ts'
import { teachingText } from '../../teaching/text.ts'

const { common, gradingRefusals: said } = texts.staff.grading

/** The texts of the pages on which work is graded, in every language; `{…}` is filled in. */
export const gradingText = common

/** The sentences for refusals on these pages. */
export const gradingRefusals = { ...staffText.refusals, ...teachingText.refusals, ...said, ...fileRefusals } as const
