import { randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import { Assignment, Enrollment, Extension, Progress, StudentLessonAvailability } from '#src/areas/learning/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, notFound } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { toInstant } from '#src/kit/local-time.ts'
import { texts } from '#src/texts/index.ts'
import {
  buildOutcome,
  factList,
  fieldsFor,
  form,
  hidden,
  localTime,
  optionalLocalTime,
  orNothing,
  page,
  type Refused,
  revisionIn,
  shownAgain,
  text as textField,
} from '#src/web/page/index.ts'
import { type TeacherContext, teachers } from '../../audience.ts'
import { personName } from '../../teaching/names.ts'
import { studentRefusals } from './text.ts'

const { lesson: text, enrollment: said } = texts.staff.students

const openFields = fieldsFor<{ readonly opens_at: string | null }>()(text.openFields, { opens_at: optionalLocalTime() })

const extensionFields = fieldsFor<{ readonly due_at: string; readonly note: string }>()(text.extensionFields, {
  due_at: localTime(),
  note: textField({ most: 1000 }),
})

type LessonView = {
  readonly context: TeacherContext
  readonly enrollment: Encoded<Static<typeof Enrollment>>
  readonly lesson: Encoded<Static<typeof Progress>>['lessons'][number]
  readonly availability: Encoded<Static<typeof StudentLessonAvailability>>
  /** The deadline that everybody has, where the lesson is an assignment, and that of the student. */
  readonly assignment: Encoded<Static<typeof Assignment>> | undefined
  readonly extension: Encoded<Static<typeof Extension>> | undefined
  readonly refused: Refused | undefined
}

const readLesson = async (context: TeacherContext): Promise<Omit<LessonView, 'refused'>> => {
  const { call, params } = context
  const enrollment = await call({
    operation: 'getEnrollment',
    params: { enrollment_id: params.id ?? '' },
    expand: ['member'],
    returns: Enrollment,
  })
  const student = { student_id: enrollment.member_id }
  const progress = await call({
    operation: 'getStudentProgress',
    params: student,
    query: [['course_id', enrollment.course_id]],
    returns: Progress,
  })
  const lesson = progress.lessons.find(one => one.lesson_id === params.lesson)
  if (lesson === undefined) throw new Refusal(notFound, 'The course has no such lesson.')
  const place = { ...student, lesson_id: lesson.lesson_id }
  const availability = await call({
    operation: 'getStudentLessonAvailability',
    params: place,
    returns: StudentLessonAvailability,
  })
  const found = { context, enrollment, lesson, availability }
  if (lesson.type !== 'assignment') return { ...found, assignment: undefined, extension: undefined }
  const ofLesson = { lesson_id: lesson.lesson_id }
  const [assignment, extension] = await Promise.all([
    orNothing(call({ operation: 'getAssignment', params: ofLesson, returns: Assignment })),
    orNothing(call({ operation: 'getExtension', params: place, returns: Extension })),
  ])
  return { ...found, assignment, extension }
}

// What can be done for one student with one lesson.
const acts = ['open', 'follow', 'extend', 'drop', 'complete', 'undo'] as const

type Act = (typeof acts)[number]

const isOffered: Readonly<Record<Act, (view: LessonView) => boolean>> = {
  open: ({ availability }) => !availability.is_open,
  follow: ({ availability }) => availability.override !== null,
  extend: ({ lesson }) => lesson.type === 'assignment',
  drop: ({ extension }) => extension !== undefined,
  complete: ({ lesson }) => lesson.completed_at === null,
  undo: ({ lesson }) => lesson.completed_at !== null,
}

// A deadline keeps the zone in which it was set.
const zoneFor = ({ extension, context }: LessonView): string => extension?.due_at.time_zone ?? context.timeZone

const renderFields = (act: Act, view: LessonView): Html | undefined => {
  const { context, extension, refused } = view
  const isRefused = refused?.act === act
  const { language, timeZone } = context
  const refusal = isRefused ? refused.refusal : undefined
  const state = { language, refusal, timeZone: act === 'open' ? timeZone : zoneFor(view) }
  if (act === 'open') return openFields.rows({ ...state, typed: isRefused ? refused.typed : [] }, ['opens_at'])
  if (act !== 'extend') return undefined
  const stored: Pairs =
    extension === undefined
      ? []
      : [
          ['due_at', extension.due_at.local],
          ['note', extension.note ?? ''],
        ]
  return extensionFields.rows({ ...state, typed: isRefused ? refused.typed : stored }, ['due_at', 'note'])
}

const renderAct = (act: Act, view: LessonView): Html => {
  const { context, extension, refused } = view
  const { t, form } = context
  const { title, about, button } = text.acts[act]
  const named = { act, form_key: randomUUID(), ...(extension === undefined ? {} : { revision: extension.revision }) }
  return html`<details class="card"${refused?.act === act && html` open`}>
<summary>${t(title)}</summary>
<p class="quiet">${t(about)}</p>
${form(html`${hidden(named)}${renderFields(act, view)}<div class="buttons"><button type="submit">${t(button)}</button></div>`)}
</details>
`
}

const renderFacts = ({ context, enrollment, lesson, availability, assignment, extension }: LessonView): Html => {
  const { t, time, day } = context
  const { is_open: isOpen, opens_at: opens, reason, override } = availability
  const state = isOpen ? said.open : reason === 'no_access' ? said.noAccess : said.locked
  return factList([
    [t(texts.words.course), enrollment.course_name],
    [t(text.available), !isOpen && opens !== null ? t(said.opens, { day: time(opens) }) : t(state)],
    [t(text.exception), override === null ? undefined : time(override.opens_at)],
    [t(text.due), assignment?.due_at == null ? undefined : time(assignment.due_at.utc)],
    [t(text.extension), extension === undefined ? undefined : time(extension.due_at.utc)],
    [t(texts.words.noteForStaff), extension?.note ?? undefined],
    [
      t(said.progress),
      lesson.completed_at === null
        ? undefined
        : t(said.done_by[lesson.completed_by ?? 'self'], { day: day(lesson.completed_at) }),
    ],
  ])
}

const showLesson = async (context: TeacherContext, refused?: Refused): Promise<Reply> => {
  const view = { ...(await readLesson(context)), refused }
  const { t } = context
  const name = personName(view.enrollment.member ?? { name: '' }, context)
  return context.frame({
    title: t(text.title, { lesson: view.lesson.name, name }),
    ...buildOutcome(context, refused?.refusal, {
      sets: [openFields, extensionFields],
      done: text.done,
      said: studentRefusals,
    }),
    body: html`${renderFacts(view)}
${acts.filter(act => isOffered[act](view)).map(act => renderAct(act, view))}
<p class="quiet"><a href="/staff/students/${view.enrollment.id}">${t(text.back, { name })}</a></p>`,
  })
}

const buildCall = (act: Act, typed: Pairs, view: LessonView): PageCall<undefined> => {
  const { enrollment, lesson, context } = view
  const params = { student_id: enrollment.member_id, lesson_id: lesson.lesson_id }
  const revision = formField(typed, 'revision') === '' ? {} : { revision: revisionIn(typed) }
  if (act === 'complete') return { operation: 'completeStudentLesson', params }
  if (act === 'undo') return { operation: 'undoStudentLessonCompletion', params }
  if (act === 'follow') return { operation: 'deleteStudentLessonAvailability', params }
  if (act === 'drop') return { operation: 'deleteExtension', params, ...revision }
  if (act === 'open') {
    const { opens_at: local } = openFields.body(typed, context)
    const body = local == null ? {} : { opens_at: toInstant({ local, time_zone: context.timeZone }).toISOString() }
    return { operation: 'setStudentLessonAvailability', params, body }
  }
  const { due_at: local = '', note = '' } = extensionFields.body(typed, context)
  const body = { due_at: { local, time_zone: zoneFor(view) }, note: note === '' ? null : note }
  return { operation: 'setExtension', params, body, ...revision }
}

/** GET and POST /staff/students/:id/lessons/:lesson: what holds for one student in one lesson, and exceptions for them. */
export const studentLesson = [
  page('GET /staff/students/:id/lessons/:lesson', teachers, context => showLesson(context)),
  form('POST /staff/students/:id/lessons/:lesson', teachers, async (context, typed) => {
    const act = acts.find(one => one === formField(typed, 'act'))
    if (act === undefined) throw new Refusal(formRefused, 'The form has no valid action.')
    const view = { ...(await readLesson(context)), refused: undefined }
    return shownAgain(
      async () => {
        await context.call(buildCall(act, typed, view))
        return `${context.request.path}?done=${act}`
      },
      refusal => showLesson(context, { act, typed, refusal }),
    )
  }),
]
