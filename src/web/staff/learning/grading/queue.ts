import { AttemptPage, SubmissionPage } from '#src/areas/learning/index.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { createList, doneIn, page, readDone } from '#src/web/page/index.ts'
import { type TeacherContext, teachers } from '../../audience.ts'
import { linkTabs } from '../../console/frame.ts'
import { renderList } from '../../pages/list-page.ts'
import { addressWith, courseFilter } from '../../teaching/lists.ts'
import { namesFor } from '../../teaching/names.ts'
import { describeAttempt, describeWork, workColumns } from './entries.ts'
import { gradingText as text } from './text.ts'
import { courseIn, gradingPath } from './waiting.ts'

const PATH = '/staff/grading'

const isGradedIn = ({ query }: TeacherContext): boolean => query.get('show') === 'graded'

const buildList = <Returns extends typeof SubmissionPage | typeof AttemptPage>(
  context: TeacherContext,
  kind: 'works' | 'attempts',
  [operation, returns]: readonly [string, Returns],
) => {
  const isGraded = isGradedIn(context)
  const none = isGraded ? text.noneGraded : text.nothing
  return createList({
    path: PATH,
    operation,
    returns,
    query: [
      ['graded', String(isGraded)],
      ['limit', '15'],
      // What has waited longest comes first, and of what was graded the newest.
      ['sort', isGraded ? '-created_at' : 'created_at'],
    ],
    cursorName: kind,
    filters: { show: undefined, course_id: courseFilter(context) },
    asQuery: { show: () => [] },
    texts: {
      filters: { show: text.tabs.graded, course_id: texts.words.course },
      all: text[kind],
      none,
      empty: none,
    },
  })
}

const renderQueue = async (
  context: TeacherContext,
): Promise<{ readonly first: string | undefined; readonly body: Html }> => {
  const { t } = context
  const workList = buildList(context, 'works', ['listSubmissions', SubmissionPage])
  const attemptList = buildList(context, 'attempts', ['listQuizAttempts', AttemptPage])
  const [works, attempts] = await Promise.all([workList.read(context), attemptList.read(context)])
  const names = await namesFor(context, [...works.page.data, ...attempts.page.data])
  const lines = { context, names, courseId: courseIn(context) }
  const columns = workColumns(context)
  const hasNone = works.page.data.length + attempts.page.data.length === 0
  const first = works.page.data[0] ?? attempts.page.data[0]
  return {
    first: first && gradingPath(works.page.data.length > 0 ? 'works' : 'attempts', first.id, lines.courseId),
    body: html`${
      (hasNone || works.page.data.length > 0) &&
      renderList(context, workList, works, {
        heading: hasNone ? undefined : t(text.works, { n: works.page.total ?? works.page.data.length }),
        columns,
        rows: works.page.data.map(work => describeWork(work, lines)),
      })
    }${
      attempts.page.data.length > 0 &&
      renderList(context, attemptList, attempts, {
        heading: t(text.attempts, { n: attempts.page.total ?? attempts.page.data.length }),
        columns,
        rows: attempts.page.data.map(attempt => describeAttempt(attempt, lines)),
      })
    }`,
  }
}

/** GET /staff/grading: what waits to be graded, with what has waited longest first, or what was graded. */
export const gradingQueue = page(`GET ${PATH}`, teachers, async context => {
  const { t, language, request } = context
  const at = (show: string): string => addressWith(PATH, { show, course_id: courseIn(context) })
  const { first, body } = await renderQueue(context)
  const isGraded = isGradedIn(context)
  return context.frame({
    title: t(text.title),
    notice: doneIn(text.done, readDone(request), language),
    actions:
      isGraded || first === undefined ? undefined : html`<a class="button main" href="${first}">${t(text.start)}</a>`,
    tabs: linkTabs(t(text.tabs.label), at(isGraded ? 'graded' : ''), [
      { path: at(''), name: t(text.tabs.waiting) },
      { path: at('graded'), name: t(text.tabs.graded) },
    ]),
    isWide: true,
    hasCards: true,
    body,
  })
})
