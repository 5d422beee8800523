import { texts } from '#src/texts/index.ts'

/** The texts of the page of one plan, in every language; `{…}` is filled in. */
export const planText = texts.staff.plans.plan
