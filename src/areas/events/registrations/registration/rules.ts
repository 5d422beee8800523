import { buildFactAbout, type Fact, type FactPayload } from '#src/contract/fact.ts'
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
export const buildFact = <What extends Happening>(
  row: RegistrationIds,
  what: What,
  more?: Omit<FactPayload<`registration.${What}`>, keyof FactPayload<'registration.made'>>,
): Fact =>
  buildFactAbout(`registration.${what}`, toId('reg', row.id), {
    event_id: toId('evt', row.event_id),
    occurrence_id: toId('occ', row.occurrence_id),
    ...(row.member_id === null ? {} : { member_id: toId('mem', row.member_id) }),
    ...more,
  })
