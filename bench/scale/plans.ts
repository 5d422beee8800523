import { writeFile } from 'node:fs/promises'
import type { Db, Statement } from '#src/contract/db.ts'
import { createDb } from '#src/db/connect.ts'
import { choosePage, type List, listStatement } from '#src/db/list.ts'
import { firstUuidAt } from '#src/kit/ids.ts'
import type { TestDatabase } from '#testing/database.ts'
import { captureStatement, openExplainer } from '#testing/plans.ts'
import { reviewList } from '../../src/areas/courses/reviews/queries.ts'
import { enrollmentList } from '../../src/areas/learning/enrollments/enrollments/queries.ts'
import { findNamedGroup } from '../../src/areas/learning/groups/group/queries.ts'
import { studentList } from '../../src/areas/learning/students/people/queries.ts'
import { subscriptionList } from '../../src/areas/memberships/subscriptions/subscription/conditions.ts'
import { listTags } from '../../src/areas/people/members/tags/queries.ts'
import { orderList } from '../../src/areas/shop/orders/order/list.conditions.ts'

const FOLDER = new URL('../../docs/plans/', import.meta.url)
const PAGE = { rows: 26, after: undefined }
const DAY = 86_400_000
const LONG_AGO = new Date(Date.now() - 3600 * DAY)
const ID = firstUuidAt(LONG_AGO.getTime())

type Choose = (db: Db) => Promise<Statement>
type Named = readonly [name: string, statement: Statement | Choose]

// As a list reads a page.
const page =
  (list: unknown, sort?: string): Choose =>
  db =>
    choosePage(db, list as List<{ id: string }>, sort, PAGE)

const deep = (list: unknown, sort: string, after: readonly string[]): Statement =>
  listStatement(list as List<{ id: string }>, sort, { rows: 26, after })

const families: Readonly<Record<string, (schoolId: string) => readonly Named[]>> = {
  people: school => [
    ['students', page(studentList(school, { enrolled: {} }))],
    ['students by name', page(studentList(school, { enrolled: {} }), 'name')],
    ['students by a word of one', page(studentList(school, { q: 'x', found: [ID], enrolled: {} }))],
    ['students by a word of most', page(studentList(school, { q: 'ana', found: 'most', enrolled: {} }))],
    ['students on hold', page(studentList(school, { enrolled: { state: 'held' } }))],
    ['the group of a list of its members', captureStatement(db => findNamedGroup(db, school, ID))],
    ['tags with the number of members', captureStatement(db => listTags(db, school, 26, undefined))],
  ],
  learning: school => [
    ['enrollments', page(enrollmentList(school, {}))],
    ['enrollments since an instant', page(enrollmentList(school, { createdFrom: LONG_AGO }))],
    ['the deepest page of enrollments', deep(enrollmentList(school, {}), '-created_at', [ID])],
    ['enrollments on hold', page(enrollmentList(school, { state: 'held' }))],
    ['enrollments whose access is yet to begin', page(enrollmentList(school, { state: 'upcoming' }))],
    ['enrollments that never gave access', page(enrollmentList(school, { state: 'none' }))],
    ['the deepest page of reviews by rating', deep(reviewList(school, {}), 'rating', ['5', ID])],
  ],
  sales: school => [
    ['orders', page(orderList(school, {}))],
    ['orders before an instant', page(orderList(school, { createdBefore: LONG_AGO }))],
    ['orders that were paid before an instant', page(orderList(school, { paidBefore: LONG_AGO }))],
    ['orders that were refunded in full', page(orderList(school, { statuses: ['refunded'] }))],
    ['orders by a word of most', page(orderList(school, { words: 'ana', found: 'most' }))],
    ['the deepest page of orders by payment', deep(orderList(school, {}), '-paid_at', [LONG_AGO.toISOString(), ID])],
    [
      'the deepest page of subscriptions by their next charge',
      deep(subscriptionList(school, {}), 'next_charge_at', [new Date(Date.now() + 360 * DAY).toISOString(), ID]),
    ],
  ],
}

const header = (family: string, rows: number): string =>
  [
    `-- Plans of lists of ${family} in a school with ${rows} members, enrollments and orders, with the blocks of 8 KB that each reads.`,
    '-- Written by: STOA_WRITE_PLANS=1 npm run bench -- scale',
  ].join('\n')

/** Writes the plans of a filled school to `docs/plans/scale-*.txt`, to be reviewed and committed. */
export const writePlans = async ({ appUrl }: TestDatabase, schoolId: string, rows: number): Promise<void> => {
  const { client, ask, close } = await openExplainer(appUrl, schoolId)
  const db = createDb(async ({ text, values }) => client.query(text, [...values]) as never)
  // Workers depend on the settings of the server.
  await client.query('set max_parallel_workers_per_gather = 0')
  for (const [family, statements] of Object.entries(families)) {
    const parts: string[] = []
    for (const [name, statement] of statements(schoolId)) {
      const { shape, blocks } = await ask(typeof statement === 'function' ? await statement(db) : statement)
      parts.push(`# ${name}: ${blocks} blocks\n${shape}\n`)
    }
    await writeFile(new URL(`scale-${family}.txt`, FOLDER), `${header(family, rows)}\n\n${parts.join('\n')}`)
  }
  await close()
}
