import { DuePage, DueQuery, dueView, listDue, placeOf } from '#src/areas/students/index.ts'
import { operation } from '#src/contract/operation.ts'
import { closePage, openPage } from '#src/contract/page.ts'

const listAccountDue = operation({
  id: 'listAccountDue',
  route: 'GET /account/due',
  summary: 'What one has to hand in or to pass, what is due first before the rest',
  description:
    'Assignments and quizzes in courses that one may use now, in lessons that are open now. What waits to be graded is not due, and what is due at no time comes last; due_at[gte] and due_at[lt] leave that out.',
  scope: 'account:read',
  who: 'self',
  mode: 'read',
  query: DueQuery,
  returns: DuePage,
  example: { query: { kind: 'assignment' } },
  async handle(context) {
    const { query } = context
    const { rows, after } = openPage(context)
    // All of it: whether a lesson is open is decided by rules over its history, and not by the database.
    const all = await listDue(context, query)
    const found = after === undefined ? all : all.filter(row => placeOf(row).join(' ') > after.join(' '))
    return closePage(context, found.slice(0, rows), {
      positionOf: placeOf,
      itemOf: dueView,
      total: async () => all.length,
    })
  },
})

/** What one has to do, in the order of the documentation. */
export const dueOperations = [listAccountDue]
