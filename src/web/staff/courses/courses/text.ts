import { texts } from '#src/texts/index.ts'
import { fileRefusals } from '../../files/uploads/index.ts'
import { staffText } from '../../pages/text.ts'

const { common, changed, courseRefusals: said } = texts.staff.courses

/** The texts that several pages of courses have, in every language; `{…}` is filled in. */
export const coursesText = common

/** The sentences for refusals on the pages of courses. */
export const courseRefusals = { ...staffText.refusals, ...fileRefusals, precondition_failed: changed, ...said } as const
