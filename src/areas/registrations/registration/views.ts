import type { Static } from 'typebox'
import { canManageEvent, type EventRow } from '#src/areas/events/index.ts'
import type { FormAnswer, StoredAnswer } from '#src/areas/form-submissions/index.ts'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import { shownCode } from '../rules.ts'
import type { RegistrationRow } from './conditions.ts'
import type { Registration } from './schema.ts'

/** What a reader learns of a registration: its own person everything, hosts no address without the scope for it. */
type Reader = { readonly seesEmail: boolean; readonly seesCode: boolean }

/** The person whose registration it is. */
export const asPerson: Reader = { seesEmail: true, seesCode: true }

/** How a caller who manages the event reads its registrations. A page has no scopes, and shows what the role may see. */
export const readerOf = (caller: Caller, event: Pick<EventRow, 'is_host'>): Reader => ({
  seesEmail:
    isStaff(caller) ||
    (canManageEvent(caller, event) && (caller.grantId === undefined || caller.scopes.has('students:read'))),
  seesCode: true,
})

const answerView = ({ field_id, type, value, text }: StoredAnswer): Static<typeof FormAnswer> => ({
  field_id,
  type,
  value: typeof value === 'object' ? [...value] : value,
  ...(text === undefined ? {} : { text }),
})

const hasCode = ({ status }: RegistrationRow): boolean => status === 'confirmed' || status === 'checked_in'

/** The view of a registration. */
export const registrationView = (row: RegistrationRow, reader: Reader): Static<typeof Registration> => ({
  id: row.id,
  event_id: row.event_id,
  event_name: row.event_name,
  occurrence_id: row.occurrence_id,
  starts_at: { local: row.starts_local, time_zone: row.time_zone, utc: row.starts_at },
  ticket_type_id: row.ticket_type_id,
  ticket_name: row.ticket_name,
  price_id: row.price_id,
  member_id: row.member_id,
  order_id: row.order_id,
  status: row.status,
  no_show: row.status === 'confirmed' && row.is_over,
  attendee: { name: row.attendee_name, email: reader.seesEmail ? row.attendee_email : null },
  answers: row.answers.map(answerView),
  code: reader.seesCode && hasCode(row) ? shownCode(row.code) : null,
  hold_until: row.hold_until,
  confirmed_at: row.confirmed_at,
  checked_in_at: row.checked_in_at,
  cancelled_at: row.cancelled_at,
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
})
