import { type EntitlementRow, staffSources } from '#src/areas/learning/access/index.ts'
import { type FieldError, problem, Refusal } from '#src/contract/problem.ts'
import { invalidBody } from '#src/contract/problems.ts'

/** The member has this access already. */
export const alreadyEnrolled = problem(
  409,
  'already_enrolled',
  'The member already has this access',
  'Staff gave the member access to this course for at least this time, and it is still active. Move its end with PATCH /enrollments/{id} instead.',
)

/** The entitlement has ended. */
export const entitlementEnded = problem(
  409,
  'entitlement_ended',
  'There is no active entitlement to change',
  'An entitlement that has ended stays as it was, so that the past can be explained. Give access again with POST /enrollments.',
)

/** The entitlement was not given by staff. */
export const notGrantedByStaff = problem(
  409,
  'not_granted_by_staff',
  'Staff did not give this access',
  'Access that was bought, subscribed to or comes with a group is changed where it comes from: in the order, the subscription or the group.',
)

/** Whether staff gave an entitlement, and may move or end it. */
export const isGrantedByStaff = ({ source }: Pick<EntitlementRow, 'source'>): boolean =>
  staffSources.some(staffSource => staffSource === source)

/** Whether an entitlement is over at an instant, whatever it was. */
export const isOver = ({ ends_at, revoked_at }: Pick<EntitlementRow, 'ends_at' | 'revoked_at'>, at: Date): boolean =>
  revoked_at !== null || (ends_at !== null && ends_at <= at)

/** The entitlements that name the course itself. */
export const named = (all: readonly EntitlementRow[]): EntitlementRow[] =>
  all.filter(({ item_type }) => item_type === 'course')

/** A requested period of access. */
export type Span = { readonly startsAt?: Date | undefined; readonly endsAt?: Date | undefined }

/** The period that a body asks for; a start in the past counts as now. */
export const readSpan = (
  input: { readonly starts_at?: Date | null | undefined; readonly ends_at?: Date | null | undefined },
  now: Date,
): Span => {
  const { starts_at: start, ends_at: end } = input
  return {
    ...(start && start > now ? { startsAt: start } : {}),
    ...(end ? { endsAt: end } : {}),
  }
}

/** The errors of a period. */
export const errorsOfSpan = ({ startsAt, endsAt }: Span, now: Date): FieldError[] => {
  if (endsAt === undefined) return []
  if (endsAt <= now) return [{ pointer: '/ends_at', code: 'past', message: 'is over already' }]
  return startsAt !== undefined && endsAt <= startsAt
    ? [{ pointer: '/ends_at', code: 'before_start', message: 'is not after starts_at' }]
    : []
}

const LAST = Number.POSITIVE_INFINITY

/** The active entitlement that staff gave for at least a period, if there is one. */
export const covering = (all: readonly EntitlementRow[], { startsAt, endsAt }: Span, now: Date) =>
  named(all).find(
    one =>
      isGrantedByStaff(one) &&
      !isOver(one, now) &&
      one.starts_at <= (startsAt ?? now) &&
      (one.ends_at?.getTime() ?? LAST) >= (endsAt?.getTime() ?? LAST),
  )

/** A refusal because of these errors. */
export const faulty = (errors: readonly FieldError[]): Refusal =>
  new Refusal(invalidBody, 'Some values are not allowed.', { errors })

/** The error of a body that names somebody or something unknown. */
export const unknown = (pointer: string, what: string): FieldError => ({
  pointer,
  code: 'unknown',
  message: `is not ${what}`,
})
