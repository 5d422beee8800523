import { declareFor } from '#src/contract/operation.ts'
import { toId } from '#src/kit/ids.ts'
import { findCounter, raiseCounter } from './queries.ts'
import { buildToken, CALENDARS } from './rules.ts'
import { AccountCalendar } from './schema.ts'

const getAccountCalendar = declareFor('self', 'account', {
  id: 'getAccountCalendar',
  route: 'GET /account/calendar',
  summary: 'Get your calendar address',
  description:
    'Returns the address of an iCalendar feed with the dates that you are registered for or host, with private places and the addresses of meetings. Whoever has the address sees them; DELETE makes it void.',
  returns: AccountCalendar,
  async handle({ db, school, caller, keyFor }) {
    const memberId = caller.member.id
    const counter = (await findCounter(db, school.id, memberId)) ?? 0
    const token = buildToken(keyFor(CALENDARS), { schoolId: school.id, memberId, counter })
    return { url: `${school.baseUrl}/calendar/${token}.ics` }
  },
})

const revokeAccountCalendar = declareFor('self', 'account', {
  id: 'revokeAccountCalendar',
  route: 'DELETE /account/calendar',
  summary: 'Revoke your calendar address',
  description: 'Makes the address of your calendar void. GET returns another one from then on.',
  returns: undefined,
  async handle({ db, school, caller, changed, record }) {
    const memberId = caller.member.id
    await raiseCounter(db, school.id, memberId)
    const member = toId('mem', memberId)
    changed({ ids: [member], fields: ['calendar'], memberId })
    record({ type: 'account.calendar_revoked', payload: { member_id: member } })
  },
})

/** The operations of a person's calendar. */
export const calendarOperations = [getAccountCalendar, revokeAccountCalendar]
