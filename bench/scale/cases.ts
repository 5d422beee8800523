import type { Operation } from '#src/contract/operation.ts'
import { type Ids, listValues, type Property } from './values.ts'

/** What a case measures of a list: its first page, its deepest page, its count, or everything as CSV; or another response. */
export type CaseKind = 'page' | 'deep' | 'count' | 'changes' | 'deep changes' | 'csv' | 'other'

/** A request that is measured at each size. */
export type Case = {
  readonly operation: Operation
  readonly kind: CaseKind
  readonly query: Readonly<Record<string, string>>
}

// The lists of tables that grow with the members, the enrollments or the orders; of others the first page is measured.
const LARGE = [
  'listAuditLog',
  'listMembers',
  'listGroupMembers',
  'listReviews',
  'listCourseReviews',
  'listEnrollments',
  'listCourseEnrollments',
  'listStudents',
  'listQuizAttempts',
  'listSubmissions',
  'listCourseCertificates',
  'listCouponRedemptions',
  'listProductHolders',
  'listPlanHolders',
  'listFormSubmissions',
  'listInvoices',
  'listOrders',
  'listRefunds',
  'listSubscriptions',
  'listComments',
  'listEventRegistrations',
]

const NOT_FILTERS = ['limit', 'cursor', 'after', 'sort', 'fields', 'expand', 'include_total']

/** The properties of the query of an operation. */
export const getQuery = ({ query }: Operation): Readonly<Record<string, Property>> =>
  (query as { properties?: Readonly<Record<string, Property>> } | undefined)?.properties ?? {}

/** Whether an operation is a list that is read page by page. */
export const isList = (operation: Operation): boolean =>
  operation.method === 'GET' && 'limit' in getQuery(operation) && !operation.path.startsWith('/analytics/reports/')

const listSorts = (operation: Operation): readonly string[] => getQuery(operation).sort?.enum ?? []

const listFilters = (operation: Operation, ids: Ids): Readonly<Record<string, string>>[] =>
  Object.entries(getQuery(operation))
    .filter(([name]) => !NOT_FILTERS.includes(name))
    .flatMap(([name, property]) => listValues(name, property, ids).map(value => ({ [name]: value })))

/** The cases of a list: each order, each filter in both directions, counts, the deepest pages, the order of commits and CSV. */
export const casesOfList = (operation: Operation, ids: Ids): readonly Case[] => {
  const make = (kind: CaseKind, query: Readonly<Record<string, string>>): Case => ({ operation, kind, query })
  if (!LARGE.includes(operation.id)) return [make('page', {})]
  const sorts = listSorts(operation)
  const filters = listFilters(operation, ids)
  const backwards = sorts.includes('-created_at') ? filters.map(filter => ({ ...filter, sort: '-created_at' })) : []
  const orders = [{}, ...sorts.map(sort => ({ sort }))]
  return [
    ...orders.map(query => make('page', query)),
    make('page', { limit: '100' }),
    ...orders.map(query => make('deep', query)),
    ...[...filters, ...backwards].map(query => make('page', query)),
    ...[{}, ...filters].map(query => make('count', { ...query, limit: '1', include_total: 'true' })),
    ...('after' in getQuery(operation) ? [make('changes', { after: '0' }), make('deep changes', {})] : []),
    ...(operation.csv === undefined ? [] : [make('csv', {})]),
  ]
}

const RANGES = { year: 365, 'all years': 3640 } as const

const buildRange = (days: number): Readonly<Record<string, string>> => {
  const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  return { from: day(days), to: day(1) }
}

/** The cases of the figures: a series of each metric by day over a year and by month over all years. */
export const casesOfSeries = (operation: Operation, metrics: readonly string[]): readonly Case[] =>
  metrics.flatMap(metric => [
    { operation, kind: 'other', query: { metric, interval: 'day', ...buildRange(RANGES.year) } },
    { operation, kind: 'other', query: { metric, interval: 'month', ...buildRange(RANGES['all years']) } },
  ])

/** The cases of a report: over a year and over all years. */
export const casesOfReport = (operation: Operation): readonly Case[] =>
  Object.values(RANGES).map(days => ({ operation, kind: 'other', query: buildRange(days) }))
