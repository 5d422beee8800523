import { declareFor } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { type DueRow, listDue } from './due/lookups.ts'
import { buildPosition } from './due/rules.ts'
import { DuePage, DueQuery } from './due/schema.ts'
import { dueView } from './due/views.ts'

const listAccountDueWork = declareFor('self', 'account', {
  id: 'listAccountDueWork',
  route: 'GET /account/due',
  summary: 'List your due work',
  description:
    'Lists the assignments and quizzes that you have to complete, by deadline: in courses you have access to, in lessons that are open now. Work without a deadline comes last, and work that waits for grading is not listed.',
  query: DueQuery,
  returns: DuePage,
  example: { query: { kind: 'assignment' } },
  async handle(context) {
    const { query } = context
    const { rows, after } = parsePage(context)
    // All of it: whether a lesson is open is decided by rules over its history, and not by the database.
    const all = await listDue(context, query)
    const found = after === undefined ? all : all.filter(row => buildPosition(row).join(' ') > after.join(' '))
    return buildPage(context, found.slice(0, rows), {
      readPosition: buildPosition,
      renderViews: (page: readonly DueRow[]) => page.map(dueView),
      total: async () => all.length,
    })
  },
})

/** The operations of due work, in the order of the documentation. */
export const dueWorkOperations = [listAccountDueWork]
