import type { Static } from 'typebox'
import { canManageEvent, type EventRow } from '#src/areas/events/events/index.ts'
import type { FormAnswer, StoredAnswer } from '#src/areas/publishing/index.ts'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import { localAt } from '#src/kit/local-time.ts'
import { shownCode } from '../rules.ts'
import type { RegistrationRow } from './conditions.ts'
import type { Registration } from './schema.ts'

/** What a reader learns of a registration: its own person everything, hosts no address without the scope for it. */
type Reader = { readonly seesEmail: boolean }

/** The person whose registration it is. */
export const asPerson: Reader = { seesEmail: true }

const hasScopeForPeople = (caller: Caller): boolean =>
  caller.grantId === undefined ||
  caller.scopes.has('students:read') ||
  (isStaff(caller) && caller.scopes.has('members:read'))

/** How a caller who manages the event reads its registrations. A page has no scopes, and shows what the role may see. */
export const buildReader = (caller: Caller, event: Pick<EventRow, 'is_host'>): Reader => ({
  seesEmail: canManageEvent(caller, event) && hasScopeForPeople(caller),
})

const answerView = ({ field_id, type, value, text }: StoredAnswer): Static<typeof FormAnswer> => ({
  field_id,
  type,
  value: typeof value === 'object' ? [...value] : value,
  ...(text === undefined ? {} : { text }),
})

/** The code of a confirmed seat as people read it; null while it admits nobody. */
export const readCode = ({ status, code }: Pick<RegistrationRow, 'status' | 'code'>): string | null =>
  status === 'confirmed' || status === 'checked_in' ? shownCode(code) : null

// An answer can be an address too.
const isSeen = ({ type }: StoredAnswer, { seesEmail }: Reader): boolean => seesEmail || type !== 'email'

/** What a reader sees of the answers of a registration. */
export const answersFor = ({ answers }: RegistrationRow, reader: Reader): StoredAnswer[] =>
  answers.filter(answer => isSeen(answer, reader))

/** The view of a registration. */
export const registrationView = (row: RegistrationRow, reader: Reader): Static<typeof Registration> => ({
  id: row.id,
  event_id: row.event_id,
  event_name: row.event_name,
  occurrence_id: row.occurrence_id,
  starts_at: { local: row.starts_local, time_zone: row.time_zone, utc: row.starts_at },
  ends_at: { local: localAt(row.ends_at, row.time_zone), time_zone: row.time_zone, utc: row.ends_at },
  ticket_type_id: row.ticket_type_id,
  ticket_name: row.ticket_name,
  price_id: row.price_id,
  member_id: row.member_id,
  order_id: row.order_id,
  status: row.status,
  no_show: row.status === 'confirmed' && row.is_over,
  attendee: { name: row.attendee_name, email: reader.seesEmail ? row.attendee_email : null },
  answers: answersFor(row, reader).map(answerView),
  code: readCode(row),
  hold_until: row.hold_until,
  confirmed_at: row.confirmed_at,
  checked_in_at: row.checked_in_at,
  cancelled_at: row.cancelled_at,
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
})
