import { ReportPage, ReportRows, Series } from '#src/areas/analytics/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidParameter, notFound } from '#src/contract/problems.ts'
import type { Pairs } from '#src/kit/form.ts'
import { page } from '#src/web/page/index.ts'
import { type TeacherContext, teachers } from '../audience.ts'
import { exportList } from '../csv.ts'
import type { StaffSection } from '../section.ts'
import { figuresPage, reportsPage, type ShownSeries } from './page.ts'
import { reportPage } from './report-page.ts'
import { type Chosen, chosenIn, listDays, PATH } from './request.ts'

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
const queryFor = ({ isStaff }: TeacherContext, metric: string, chosen: Chosen): Pairs => [
  ['metric', metric],
  ['interval', chosen.interval],
  ...listDays(chosen),
  ...(chosen.course_id === '' ? [] : [['item_id', chosen.course_id] as const]),
  ...(chosen.course_id === '' && !isStaff ? [['breakdown', 'course'] as const] : []),
]

const readAll = (context: TeacherContext, chosen: Chosen): Promise<ShownSeries[]> => {
  const metrics = context.isStaff && chosen.course_id === '' ? OF_SCHOOL : OF_COURSES
  return Promise.all(
    metrics.map(metric =>
      context.call({
        operation: 'getMetricSeries',
        query: [...queryFor(context, metric, chosen), ['compare', 'previous']],
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

const listReports = async (context: TeacherContext) =>
  (await context.call({ operation: 'listReports', query: [['limit', '100']], returns: ReportPage })).data

const showFigures = async (context: TeacherContext): Promise<Reply> => {
  const chosen = chosenIn(context)
  const all = await orRefused(readAll(context, chosen))
  return figuresPage({ context, chosen, all: all ?? [], isRefused: all === undefined })
}

const showReport = async (context: TeacherContext): Promise<Reply> => {
  const chosen = chosenIn(context)
  const name = context.params.name ?? ''
  const report = (await listReports(context)).find(one => one.name === name)
  if (report === undefined) throw new Refusal(notFound, 'There is no such report.')
  const cursor = context.query.get('cursor') ?? ''
  const query: Pairs = [...listDays(chosen), ...(cursor === '' ? [] : [['cursor', cursor] as const])]
  const shown = await orRefused(context.call({ operation: 'getReport', params: { name }, query, returns: ReportRows }))
  return reportPage({ context, chosen, shown, money: MONEY, ...report })
}

const exportSeries = (context: TeacherContext): Promise<Reply> => {
  const query = queryFor(context, context.params.metric ?? '', chosenIn(context))
  return exportList(context, { operation: 'getMetricSeries', query })
}

const exportReport = (context: TeacherContext): Promise<Reply> => {
  const params = { name: context.params.name ?? '' }
  return exportList(context, { operation: 'getReport', params, query: listDays(chosenIn(context)) })
}

/** GET /staff/analytics: figures over time and reports, for staff, and of their courses for lecturers. */
export const analytics: StaffSection = {
  pages: [
    page(`GET ${PATH}`, teachers, showFigures),
    page(`GET ${PATH}/csv/:metric`, teachers, exportSeries),
    page(`GET ${PATH}/reports`, teachers, async context => reportsPage(context, await listReports(context))),
    page(`GET ${PATH}/reports/:name`, teachers, showReport),
    page(`GET ${PATH}/reports/:name/csv`, teachers, exportReport),
  ],
}
