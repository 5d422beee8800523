import type { Use } from '#src/contract/items.ts'
import type { OfferedAccess } from '#src/contract/offer.ts'
import { type FieldError, problem } from '#src/contract/problem.ts'
import { isDay } from '#src/kit/local-time.ts'
import { buildDefaults, merged } from '#src/kit/patch.ts'
import { cleanLine } from '#src/kit/text.ts'
import type { PlanRow, PlanValues } from './queries.ts'
import { type PlanInput, PlanSettings } from './schema.ts'

/** Another plan has the external id. */
export const planExternalIdTaken = problem(
  409,
  'plan_external_id_taken',
  'Another plan has this external_id',
  'An external_id names one plan of the school. Find which at /membership-plans/external:{value}.',
)

/** Somebody holds or held the plan, or something refers to it. */
export const planInUse = problem(
  409,
  'plan_in_use',
  'The plan is or was in use',
  'A plan is deleted only as a draft, when nobody holds or held it and nothing refers to it. `in_use` lists what uses it now. Archive the plan instead.',
)

/** The type of a plan decides the access of those who hold it and its prices. */
export const planTypeFixed = problem(
  409,
  'plan_type_fixed',
  'The type of the plan cannot change',
  'The type of a plan changes only while nobody holds or held it and no price of the other kind is on sale. Create another plan instead.',
)

/** Why a plan with these uses cannot be deleted, in words. */
export const whyInUse = (uses: readonly Use[]): string => {
  if (uses.length === 0) return 'Somebody held the plan.'
  const kinds = [...new Set(uses.map(({ kind }) => kind.replaceAll('_', ' ')))]
  return `The plan is still in use by: ${kinds.join(', ')}.`
}

/** The values of a new plan: the defaults of the schema, else empty. */
export const BLANK: PlanValues = {
  ...buildDefaults(PlanSettings),
  name: '',
  slug: '',
  description: '',
  plan_type: 'lifetime',
  benefits: [],
  visibility: 'listed',
  length_days: null,
  length_months: null,
  seo_title: null,
  seo_description: null,
}

const buildLength = (length: PlanInput['length']) => ({
  length_days: length !== null && 'days' in length ? length.days : null,
  length_months: length !== null && 'months' in length ? length.months : null,
})

const line = (text: string | null, length: number): string | null => text && cleanLine(text, length)

/** The values of a plan after a change. */
export const mergeInput = (
  before: PlanValues,
  { seo, length, name, benefits, ...input }: Partial<PlanInput>,
): PlanValues => ({
  ...merged<PlanValues>(before, input),
  ...(length === undefined ? {} : buildLength(length)),
  ...(seo === undefined ? {} : { seo_title: line(seo.title, 120), seo_description: line(seo.description, 320) }),
  name: name === undefined ? before.name : cleanLine(name, 200),
  benefits: benefits?.map(text => cleanLine(text, 200)) ?? before.benefits,
})

const fieldError = (pointer: string, code: string, message: string): FieldError => ({ pointer, code, message })

const errorsOfEnd = ({ plan_type: type, ends_on: day }: PlanValues, today: string | undefined): FieldError[] => {
  if (type !== 'fixed_date') return day === null ? [] : [fieldError('/ends_on', 'unwanted', `does not go with ${type}`)]
  if (day === null) return [fieldError('/ends_on', 'missing', 'says until which day the plan gives access')]
  if (!isDay(day)) return [fieldError('/ends_on', 'day', 'is not a day')]
  return today !== undefined && day < today ? [fieldError('/ends_on', 'past', 'is over already')] : []
}

const errorsOfLength = ({ plan_type: type, length_days: days, length_months: months }: PlanValues): FieldError[] => {
  const hasLength = days !== null || months !== null
  if (type === 'fixed_length')
    return hasLength ? [] : [fieldError('/length', 'missing', 'says for how long the plan gives access')]
  return hasLength ? [fieldError('/length', 'unwanted', `does not go with ${type}`)] : []
}

/** The errors of values that do not fit together; `today` is given where the last day is new. */
export const errorsOfPlan = (values: PlanValues, today: string | undefined): FieldError[] => [
  ...(values.name === '' ? [fieldError('/name', 'empty', 'must contain a visible character')] : []),
  ...values.benefits.flatMap((text, index) =>
    text === '' ? [fieldError(`/benefits/${index}`, 'empty', 'must contain a visible character')] : [],
  ),
  ...errorsOfEnd(values, today),
  ...errorsOfLength(values),
]

/** For how long a purchase of a plan gives access. */
export const accessOfPlan = (plan: Pick<PlanRow, 'plan_type' | 'ends_at' | 'length_days' | 'length_months'>) => {
  const { plan_type: type, ends_at: until, length_days: days, length_months: months } = plan
  if (type === 'recurring') return { forSubscription: true } satisfies OfferedAccess
  if (until !== null) return { until } satisfies OfferedAccess
  if (days !== null) return { days } satisfies OfferedAccess
  return months === null ? null : ({ months } satisfies OfferedAccess)
}
