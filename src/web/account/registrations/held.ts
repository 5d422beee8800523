import { RegistrationPage } from '#src/areas/events/index.ts'
import type { Field } from '#src/areas/publishing/index.ts'
import { texts } from '#src/texts/index.ts'
import { completeField } from '#src/web/questions/index.ts'
import type { VisitorContext } from '../parts.ts'
import { CANCELABLE, type OwnRegistration } from './shown.ts'

const { again: text, statuses } = texts.account.registrations

/** The id of the question; those of events have no hyphen. */
export const AGAIN = 'one-more'

const isHeld = ({ status }: OwnRegistration): boolean => status === 'checked_in' || CANCELABLE.includes(status)

/** Asks who has a seat of a date already, or waits for one, whether they want one more; nothing for others. */
export const askAgain = async (
  { call, session, t }: Pick<VisitorContext, 'call' | 'session' | 't'>,
  occurrenceId: string,
): Promise<Field[]> => {
  if (session === undefined) return []
  const query = [
    ['occurrence_id', occurrenceId],
    ['limit', '100'],
  ] as const
  const { data } = await call({ operation: 'listAccountRegistrations', query, returns: RegistrationPage })
  const held = data.filter(isHeld).map(({ attendee, status }) => `${attendee.name} (${t(statuses[status])})`)
  if (held.length === 0) return []
  const help = t(text.held, { seats: held.join(', ') })
  return [completeField({ id: AGAIN, type: 'consent', label: t(text.wanted), help, required: true })]
}
