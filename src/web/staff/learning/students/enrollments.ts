import type { Static } from 'typebox'
import { EnrollmentPage, PendingEnrollmentPage, Student } from '#src/areas/learning/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Column,
  createList,
  doneIn,
  form,
  hidden,
  momentColumn,
  page,
  readDone,
  redirect,
  renderName,
  renderProgress,
  showEnd,
} from '#src/web/page/index.ts'
import { type TeacherContext, teachers } from '../../audience.ts'
import { statusPill } from '../../console/frame.ts'
import { downloadLinks } from '../../csv.ts'
import { renderPart, showList } from '../../pages/list-page.ts'
import { addressWith, courseFilter } from '../../teaching/lists.ts'
import { personName } from '../../teaching/names.ts'
import { studentsText } from './text.ts'

const { list: text } = texts.staff.students
const { enrollments: said, heads } = texts.staff.lists

/** Where the enrollments are. */
export const ENROLLMENTS = '/staff/enrollments'

const { unpublished: _unpublished, ...states } = studentsText.states

/** The states of access by which lists are filtered. */
export const stateFilter = states

type EnrollmentShown = Encoded<Static<typeof EnrollmentPage>>['data'][number]
type StudentShown = Encoded<Static<typeof Student>>

const buildList = (context: TeacherContext, student?: StudentShown) =>
  createList({
    path: ENROLLMENTS,
    operation: 'listEnrollments',
    returns: EnrollmentPage,
    sort: '-created_at',
    expand: ['member'],
    filters: {
      member_id: student && { [student.id]: { en: personName(student, context) } },
      course_id: courseFilter(context),
      state: stateFilter,
      completed: text.progresses,
    },
    asQuery: {
      // Nothing is missing where all that is required is done.
      completed: value =>
        value === 'ready'
          ? [
              ['completed', 'false'],
              ['percent_complete[gte]', '100'],
            ]
          : [['completed', value]],
    },
    texts: {
      filters: {
        member_id: heads.student,
        course_id: texts.words.course,
        state: texts.words.access,
        completed: text.progress,
      },
      all: text.all,
      none: text.none,
      empty: text.empty,
    },
  })

const renderAccess = ({ access: { state, until } }: EnrollmentShown, context: TeacherContext): Html => {
  const { t, language, viewer } = context
  const end = state === 'active' && until !== null && t(texts.words.until, { day: showEnd(until, language, viewer) })
  return html`${statusPill(t(studentsText.states[state]), state)}${end !== false && html`<small class="sub">${end}</small>`}`
}

const buildColumns = (context: TeacherContext): Column<EnrollmentShown>[] => {
  const { t, language } = context
  return [
    {
      name: heads.student,
      kind: 'main',
      cell: one =>
        renderName(
          `/staff/people/${one.member_id}`,
          personName(one.member ?? { name: '' }, context),
          one.member?.email ?? undefined,
        ),
    },
    {
      name: texts.words.course,
      cell: one => {
        const path = `/staff/students/${one.id}`
        return renderName(path, one.course_name, html`<a href="${path}#lessons">${t(said.exceptions)}</a>`)
      },
    },
    { name: texts.words.access, cell: one => renderAccess(one, context) },
    momentColumn(context, { name: heads.enrolled, sort: '-created_at', at: one => one.created_at }),
    momentColumn(context, { name: heads.lastActivity, kind: 'date c-low', at: one => one.last_activity_at }),
    {
      name: text.progress,
      kind: 'lead',
      cell: one => renderProgress(one.percent_complete, t(text.progress), language),
    },
  ]
}

type Pending = Encoded<Static<typeof PendingEnrollmentPage>>['data']

const renderPending = (context: TeacherContext, pending: Pending, courseId: string): Html | false => {
  const { t, courses } = context
  const label = t(texts.words.takeBack)
  const action = addressWith(ENROLLMENTS, { course_id: courseId })
  const columns: Column<Pending[number]>[] = [
    {
      name: texts.words.email,
      kind: 'main',
      cell: ({ email, course_id }) =>
        html`<bdi>${email}</bdi><small class="sub"><bdi>${courses.find(one => one.id === course_id)?.name}</bdi></small>`,
    },
    momentColumn(context, { name: heads.enrolled, at: ({ created_at }) => created_at }),
    {
      name: heads.change,
      kind: 'lead',
      cell: ({ id, email }) =>
        context.form(
          html`${hidden({ act: 'take_back', enrollment: id })}<button class="small" type="submit" aria-label="${label}: ${email}">${label}</button>`,
          action,
        ),
    },
  ]
  return (
    pending.length > 0 &&
    renderPart(context, {
      id: 'pending',
      title: t(text.pending),
      columns,
      rows: pending,
      below: html`${t(text.pendingAbout)}${context.isStaff && downloadLinks('listPendingEnrollments', context)}`,
    })
  )
}

const findPending = async (context: TeacherContext, courseId: string): Promise<Pending> => {
  const query = [['limit', '20'] as const, ...(courseId === '' ? [] : [['course_id', courseId] as const])]
  return (await context.call({ operation: 'listPendingEnrollments', query, returns: PendingEnrollmentPage })).data
}

/** GET and POST /staff/enrollments: who began which course, the newest first. */
export const enrollmentList = [
  page(`GET ${ENROLLMENTS}`, teachers, async context => {
    const { t, language, request, query, call } = context
    const id = (query.get('member_id') ?? '').trim()
    const student =
      id === '' ? undefined : await call({ operation: 'getStudent', params: { student_id: id }, returns: Student })
    const list = buildList(context, student)
    const shown = await list.read(context)
    const course = formField(shown.given, 'course_id')
    // What limits the list to people or progress leaves out those who are not here yet.
    const isWhole = shown.cursor === '' && shown.given.every(([name]) => name === 'course_id')
    const listed = showList(context, list, shown, {
      columns: buildColumns(context),
      rows: shown.page.data,
      action: html`<a class="button main" href="${addressWith('/staff/students/new', { member_id: id, course_id: course })}">${t(studentsText.enroll)}</a>`,
    })
    return context.frame({
      title: t(said.title),
      notice: doneIn(text.done, readDone(request), language),
      ...listed,
      body: html`${isWhole && renderPending(context, await findPending(context, course), course)}${listed.body}`,
    })
  }),
  form(`POST ${ENROLLMENTS}`, teachers, async (context, typed) => {
    if (formField(typed, 'act') !== 'take_back') throw new Refusal(formRefused, 'The form has no valid action.')
    const params = { enrollment_id: formField(typed, 'enrollment') }
    await context.call({ operation: 'deletePendingEnrollment', params })
    const course = (context.query.get('course_id') ?? '').trim()
    return redirect(addressWith(ENROLLMENTS, { course_id: course, done: 'taken_back' }))
  }),
]
