import type { Fact } from '#src/contract/fact.ts'
import { toId } from '#src/kit/ids.ts'

/** What a fact about a registration names. */
export type RegistrationIds = {
  readonly id: string
  readonly event_id: string
  readonly occurrence_id: string
  readonly member_id: string | null
}

type Happening =
  | 'made'
  | 'approved'
  | 'declined'
  | 'offered'
  | 'offer_passed'
  | 'confirmed'
  | 'cancelled'
  | 'moved'
  | 'answered'
  | 'checked_in'
  | 'check_in_undone'
  | 'expired'

/** The fact that something happened to a registration. */
export const buildFact = (
  row: RegistrationIds,
  what: Happening,
  more: Readonly<Record<string, string>> = {},
): Fact => ({
  type: `registration.${what}`,
  payload: {
    registration: toId('reg', row.id),
    event: toId('evt', row.event_id),
    occurrence: toId('occ', row.occurrence_id),
    ...(row.member_id === null ? {} : { member: toId('mem', row.member_id) }),
    ...more,
  },
})
