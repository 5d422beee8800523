import { ReportPage, ReportRows, Series } from '#src/areas/analytics/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidParameter, notFound } from '#src/contract/problems.ts'
import type { Pairs } from '#src/kit/form.ts'
import { exportList } from '../csv.ts'
import type { StaffSection } from '../section.ts'
import { type TeachingVisit, teachingPage } from '../teaching/visit.ts'
import { perform } from '../visit.ts'
import { figuresPage, type ShownSeries } from './page.ts'
import { reportPage } from './report-page.ts'
import { type Chosen, chosenIn, daysOf, PATH } from './request.ts'
import { analyticsText as text } from './text.ts'

const OF_SCHOOL = [
  'net_revenue',
  'mrr',
  'orders_paid',
  'new_members',
  'enrollments',
  'completions',
  'active_learners',
  'check_ins',
] as const
const OF_COURSES = ['enrollments', 'lesson_completions', 'completions', 'active_learners'] as const
const MONEY = new Set([
  ...['sales', 'refunds', 'sales_tax', 'discounts'],
  ...['mrr', 'new_mrr', 'expansion_mrr', 'contraction_mrr', 'churned_mrr', 'reactivated_mrr'],
])

// Lecturers who chose no course get the sum of theirs.
const queryFor = ({ isStaff }: TeachingVisit, metric: string, chosen: Chosen): Pairs => [
  ['metric', metric],
  ['interval', chosen.interval],
  ...daysOf(chosen),
  ...(chosen.course_id === '' ? [] : [['item_id', chosen.course_id] as const]),
  ...(chosen.course_id === '' && !isStaff ? [['breakdown', 'course'] as const] : []),
]

const readAll = (visit: TeachingVisit, chosen: Chosen): Promise<ShownSeries[]> => {
  const metrics = visit.isStaff && chosen.course_id === '' ? OF_SCHOOL : OF_COURSES
  return Promise.all(
    metrics.map(metric =>
      perform(visit, {
        operation: 'getMetricSeries',
        query: [...queryFor(visit, metric, chosen), ['compare', 'previous']],
        returns: Series,
      }),
    ),
  )
}

// Days that are none, or too many of them, are refused by the operation; the page says so.
const orRefused = async <T>(read: Promise<T>): Promise<T | undefined> => {
  try {
    return await read
  } catch (error) {
    if (error instanceof Refusal && error.problem === invalidParameter) return undefined
    throw error
  }
}

const listReports = async (visit: TeachingVisit) =>
  (await perform(visit, { operation: 'listReports', query: [['limit', '100']], returns: ReportPage })).data

const showFigures = async (visit: TeachingVisit): Promise<Reply> => {
  const chosen = chosenIn(visit)
  const [all, reports] = await Promise.all([orRefused(readAll(visit, chosen)), listReports(visit)])
  return figuresPage({ visit, chosen, all: all ?? [], reports, isRefused: all === undefined })
}

const showReport = async (visit: TeachingVisit): Promise<Reply> => {
  const chosen = chosenIn(visit)
  const name = visit.request.params.name ?? ''
  const report = (await listReports(visit)).find(one => one.name === name)
  if (report === undefined) throw new Refusal(notFound, 'There is no such report.')
  const cursor = visit.query.get('cursor') ?? ''
  const query: Pairs = [...daysOf(chosen), ...(cursor === '' ? [] : [['cursor', cursor] as const])]
  const shown = await orRefused(
    perform(visit, { operation: 'getReport', params: { name }, query, returns: ReportRows }),
  )
  return reportPage({ visit, chosen, shown, money: MONEY, ...report })
}

const exportSeries = (visit: TeachingVisit): Promise<Reply> => {
  const query = queryFor(visit, visit.request.params.metric ?? '', chosenIn(visit))
  return exportList(visit, { operation: 'getMetricSeries', query })
}

const exportReport = (visit: TeachingVisit): Promise<Reply> => {
  const params = { name: visit.request.params.name ?? '' }
  return exportList(visit, { operation: 'getReport', params, query: daysOf(chosenIn(visit)) })
}

/** GET /staff/analytics: figures over time and reports, for staff, and of their courses for lecturers. */
export const analytics: StaffSection = {
  entries: [{ path: PATH, name: text.title, about: text.about, least: 'lecturer' }],
  endpoints: parts => [
    teachingPage(`GET ${PATH}`, parts, showFigures),
    teachingPage(`GET ${PATH}/csv/:metric`, parts, exportSeries),
    teachingPage(`GET ${PATH}/reports/:name`, parts, showReport),
    teachingPage(`GET ${PATH}/reports/:name/csv`, parts, exportReport),
  ],
}
