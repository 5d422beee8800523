import { randomUUID } from 'node:crypto'
import {
  AttemptPage,
  CertificatePage,
  Enrollment,
  Explanation,
  Progress,
  Student,
  SubmissionPage,
} from '#src/areas/learning/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Column,
  doneIn,
  factList,
  form,
  hidden,
  noticeFor,
  page,
  type Refused,
  readDone,
  renderName,
  renderProgress,
  shownAgain,
} from '#src/web/page/index.ts'
import { type TeacherContext, teachers } from '../../audience.ts'
import { statusPill } from '../../console/frame.ts'
import { renderPart } from '../../pages/list-page.ts'
import { namesFor, personName } from '../../teaching/names.ts'
import { describeAttempt, describeWork, workColumns } from '../grading/entries.ts'
import { buildCall, readAct } from './access-acts.ts'
import { accessPart } from './access-part.ts'
import { certificatesPart } from './certificates-part.ts'
import type { EnrollmentShown, EnrollmentView } from './enrollment-view.ts'
import { studentRefusals, studentsText } from './text.ts'

const { enrollment: text } = texts.staff.students
const { heads } = texts.staff.lists

// Whoever has signed in needs no invitation.
const invitation = ({ isInvited, context: { t, form } }: EnrollmentView): Html | false =>
  isInvited &&
  html`<div class="note">${t(text.invited)}${form(html`${hidden({ act: 'invite' })}<button class="small" type="submit">${t(text.invite)}</button>`)}</div>`

const renderFacts = ({ enrollment, context }: EnrollmentView): Html => {
  const { t, day, language } = context
  const { completed_at: completed, last_activity_at: active, percent_complete: n, source, created_at } = enrollment
  return html`<section class="card" aria-label="${t(texts.words.course)}">
${renderProgress(n, t(text.progress), language)}
${factList([
  [t(texts.words.course), enrollment.course_name],
  [t(text.since), `${day(created_at)} (${t(studentsText.sources[source])})`],
  [t(text.progress), completed === null ? undefined : t(text.completedOn, { day: day(completed) })],
  [t(text.lastSeen), active === null ? undefined : day(active)],
])}</section>`
}

// The person, and all that they began.
const linkPerson = ({ enrollment, context }: EnrollmentView): Html => {
  const { t } = context
  const all = `/staff/enrollments?${new URLSearchParams({ member_id: enrollment.member_id })}`
  return html`<a class="button" href="${all}">${t(text.allOfPerson)}</a><a class="button" href="/staff/people/${enrollment.member_id}">${t(text.person)}</a>`
}

type Lesson = NonNullable<EnrollmentView['progress']>['lessons'][number]

const formatState = (lesson: Lesson, { context: { t, day } }: EnrollmentView): string => {
  const { completed_at: at, completed_by: by, is_open: isOpen, opens_at: opens, reason } = lesson
  if (at !== null) return t(text.done_by[by ?? 'self'], { day: day(at) })
  if (isOpen) return t(text.open)
  if (opens !== null) return t(text.opens, { day: day(opens) })
  return t(reason === 'no_access' ? text.noAccess : text.locked)
}

const lessonForm = (lesson: Lesson, { context }: EnrollmentView): Html => {
  const { t, form } = context
  const act = lesson.completed_at === null ? 'complete' : 'undo'
  const label = t(text.lessonActs[act])
  const inside = html`${hidden({ act, lesson: lesson.lesson_id })}<button class="small" type="submit" aria-label="${label}: ${lesson.name}">${label}</button>`
  return form(inside)
}

const lessonColumns = (view: EnrollmentView): Column<Lesson>[] => [
  {
    name: texts.words.lesson,
    kind: 'main',
    cell: lesson =>
      renderName(
        `/staff/students/${view.enrollment.id}/lessons/${lesson.lesson_id}`,
        lesson.name,
        !lesson.required_for_completion && view.context.t(text.optional),
      ),
  },
  { name: texts.words.status, cell: lesson => formatState(lesson, view) },
  { name: heads.change, kind: 'lead', cell: lesson => lessonForm(lesson, view) },
]

const lessonsPart = (view: EnrollmentView): Html | false => {
  const { progress, context } = view
  if (progress === undefined) return false
  const { lessons, completed_count: n, required_count: all } = progress
  return renderPart(context, {
    id: 'lessons',
    title: context.t(text.lessons, { n, all }),
    columns: lessonColumns(view),
    rows: lessons,
    none: context.t(text.noLessons),
  })
}

const workPart = (view: EnrollmentView): Html | false => {
  const { works, attempts, context, names } = view
  if (works.length + attempts.length === 0) return false
  const lines = { context, names, isOfOne: true }
  return renderPart(context, {
    id: 'work',
    title: context.t(text.work),
    columns: workColumns(context, true),
    rows: [
      ...works.map(work => describeWork(work, lines)),
      ...attempts.map(attempt => describeAttempt(attempt, lines)),
    ],
  })
}

const readEnrollment = (context: TeacherContext): Promise<EnrollmentShown> =>
  context.call({
    operation: 'getEnrollment',
    params: { enrollment_id: context.params.id ?? '' },
    expand: ['member'],
    returns: Enrollment,
  })

// What is read about a course that was removed, or of a person who was erased, is missing.
const unlessGone = async <Found>(found: Promise<Found>): Promise<Found | undefined> => {
  try {
    return await found
  } catch (error) {
    if (error instanceof Refusal && error.problem === notFound) return undefined
    throw error
  }
}

const readLearning = async (context: TeacherContext, { member_id: member, course_id: course }: EnrollmentShown) => {
  const query: Pairs = [
    ['member_id', member],
    ['course_id', course],
    ['sort', '-created_at'],
    ['limit', '50'],
  ]
  const [progress, works, attempts] = await Promise.all([
    unlessGone(
      context.call({
        operation: 'getStudentProgress',
        params: { student_id: member },
        query: [['course_id', course]],
        returns: Progress,
      }),
    ),
    context.call({ operation: 'listSubmissions', query, returns: SubmissionPage }),
    context.call({ operation: 'listQuizAttempts', query, returns: AttemptPage }),
  ])
  return { progress, works: works.data, attempts: attempts.data }
}

const readAccess = async (context: TeacherContext, { member_id: member, course_id: course }: EnrollmentShown) => {
  const [student, access, certificates] = await Promise.all([
    unlessGone(context.call({ operation: 'getStudent', params: { student_id: member }, returns: Student })),
    unlessGone(
      context.call({
        operation: 'explainStudentAccess',
        params: { student_id: member },
        query: [
          ['course_id', course],
          ['language', context.language],
        ],
        returns: Explanation,
      }),
    ),
    unlessGone(
      context.call({
        operation: 'listCourseCertificates',
        params: { course_id: course },
        query: [['member_id', member]],
        returns: CertificatePage,
      }),
    ),
  ])
  return { isInvited: student?.status === 'invited', access, certificates: certificates?.data ?? [] }
}

// Progress by lesson, work, certificates, and why the person has access.
const showEnrollment = async (context: TeacherContext, refused?: Refused): Promise<Reply> => {
  const { t, language, request } = context
  const enrollment = await readEnrollment(context)
  const [learning, access, names] = await Promise.all([
    readLearning(context, enrollment),
    readAccess(context, enrollment),
    namesFor(context, [enrollment]),
  ])
  const view = { context, enrollment, ...learning, ...access, names, refused, formKey: randomUUID() }
  const certificates = certificatesPart(view)
  return context.frame({
    title: personName(enrollment.member ?? { name: '' }, context),
    notice: doneIn(text.done, readDone(request), language),
    ...noticeFor(refused?.refusal, language, { said: studentRefusals }),
    lead: enrollment.member?.email,
    badge: statusPill(t(studentsText.states[enrollment.access.state]), enrollment.access.state),
    actions: linkPerson(view),
    isWide: true,
    hasCards: true,
    body: html`<div class="split">
<div class="stack">${workPart(view)}${lessonsPart(view)}</div>
<div class="stack">${invitation(view)}${renderFacts(view)}
${certificates !== false && html`<section class="card">${certificates}</section>\n`}<section class="card">${accessPart(view)}</section></div>
</div>`,
  })
}

/** GET and POST /staff/students/:id: one enrollment, its progress and its access. */
export const enrollmentDetails = [
  page('GET /staff/students/:id', teachers, context => showEnrollment(context)),
  form('POST /staff/students/:id', teachers, async (context, typed) => {
    const act = readAct(typed)
    const { id: enrollmentId, member_id: memberId, course_id: courseId } = await readEnrollment(context)
    const subject = { enrollmentId, memberId, courseId, timeZone: context.school.timeZone }
    return shownAgain(
      async () => {
        await context.call(buildCall(act, typed, subject))
        return `${context.request.path}?done=${act}`
      },
      refusal => showEnrollment(context, { act, typed, refusal }),
    )
  }),
]
