import { randomBytes } from 'node:crypto'
import { findMember } from '#src/areas/people/index.ts'
import type { StoredAnswer } from '#src/areas/publishing/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import { base32 } from '#src/kit/base.ts'
import { newUuid } from '#src/kit/ids.ts'
import { cleanLine, fold } from '#src/kit/text.ts'
import type { NewRegistration } from './queries.ts'

// 12 letters of 5 bits each.
const CODE_LENGTH = 12
const CODE_BYTES = 7
const CODE_MASK = 0x0f

const newCode = (): string => {
  const bytes = randomBytes(CODE_BYTES + 1)
  bytes[0] = (bytes[0] ?? 0) & CODE_MASK
  return base32(bytes, CODE_LENGTH)
}

type Attendee = { readonly name: string; readonly email?: string | undefined }

/** Seats that somebody registers for. */
export type Seating = {
  readonly eventId: string
  readonly occurrenceId: string
  readonly ticketTypeId: string | null
  readonly priceId: string | null
  readonly memberId: string | null
  readonly lineId: string | null
  readonly amount: number | null
  readonly quantity: number
  readonly attendees: readonly Attendee[]
  readonly answers?: readonly StoredAnswer[] | undefined
}

const readPerson = async ({ db, school }: TransactionContext, memberId: string | null): Promise<Attendee> => {
  const member = memberId === null ? undefined : await findMember(db, school.id, memberId)
  return { name: member?.name ?? '', email: member?.email }
}

/** A new registration for each seat; those without an attendee of their own are for the member. */
export const newRegistrations = async (context: TransactionContext, seating: Seating): Promise<NewRegistration[]> => {
  const { quantity, attendees, answers = [] } = seating
  const person = await readPerson(context, seating.memberId)
  return Array.from({ length: quantity }, (_, index) => {
    const { name, email } = attendees[index] ?? person
    return {
      // A millisecond apart, so that they keep the order of the attendees.
      id: newUuid(context.now.getTime() + index),
      event_id: seating.eventId,
      occurrence_id: seating.occurrenceId,
      ticket_type_id: seating.ticketTypeId,
      price_id: seating.priceId,
      member_id: seating.memberId,
      line_id: seating.lineId,
      amount: seating.amount,
      attendee_name: cleanLine(name, 120),
      attendee_email: email ?? null,
      name_folded: fold(name),
      words_folded: fold(`${name} ${email ?? ''}`),
      code: newCode(),
      answers,
    }
  })
}
