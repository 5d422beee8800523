import type { Static } from 'typebox'
import { Assignment } from '#src/areas/learning/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  box,
  choice,
  fieldsFor,
  fileForm,
  hiddenFor,
  line,
  markdown,
  optionalLocalTime,
  page,
  revisionIn,
  selectMany,
  shownAgain,
  whole,
} from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import { plainEditor, previewButton } from '../../texts/index.ts'
import { renderCoursePage } from '../courses/frame.ts'
import { coursesText } from '../courses/text.ts'
import { aboveLesson, lessonPath, type Place, readPlace } from './place.ts'

const { assignment: text } = texts.staff.lessons

type AssignmentView = Encoded<Static<typeof Assignment>>

// Numbers without which there is a default are left out where they are empty.
const defaulted = ['max_files', 'max_points', 'passing_points'] as const

type Body = Omit<AssignmentView, (typeof defaulted)[number]> & {
  readonly [name in (typeof defaulted)[number]]: number | null
} & { readonly due_at_local: string | null; readonly due_at_time_zone: string }

const assignmentFields = fieldsFor<Body>()(text.fields, {
  instructions: markdown({ most: 200_000, rows: 10, editor: plainEditor('instructions') }),
  kinds: selectMany(['text', 'files', 'link']),
  max_files: whole(),
  max_resubmissions: whole(),
  max_points: whole(),
  passing_points: whole(),
  due_at_local: optionalLocalTime(),
  due_at_time_zone: line({ most: 64 }),
  due_days_after_enrollment: whole(),
  late: choice(['allowed', 'refused']),
  required: box(),
})

const blank: Partial<AssignmentView> = {
  kinds: ['text', 'files', 'link'],
  max_files: 5,
  max_resubmissions: 3,
  max_points: 100,
  passing_points: 50,
  late: 'allowed',
  required: true,
}

const readAssignmentPlace = async (context: StaffContext): Promise<Place> => {
  const place = await readPlace(context)
  if (place.lesson.type !== 'assignment') throw new Refusal(notFound, 'The lesson is not an assignment.')
  return place
}

const findAssignment = async ({ call }: StaffContext, { lesson }: Place): Promise<AssignmentView | undefined> => {
  try {
    return await call({ operation: 'getAssignment', params: { lesson_id: lesson.id }, returns: Assignment })
  } catch (error) {
    // The lesson is there before its assignment.
    if (error instanceof Refusal && error.problem === notFound) return undefined
    throw error
  }
}

const showAssignment = async (context: StaffContext, typed?: Pairs, refusal?: Refusal): Promise<Reply> => {
  const { t, language, form, school } = context
  const place = await readAssignmentPlace(context)
  const assignment = await findAssignment(context, place)
  const { local = '', time_zone = school.timeZone } = assignment?.due_at ?? {}
  const stored = { ...(assignment ?? blank), due_at_local: local, due_at_time_zone: time_zone }
  const state = { language, typed: typed ?? assignmentFields.pairs(stored, context), refusal }
  const inside = html`${hiddenFor(state, assignment?.revision ?? 0)}
${assignmentFields.rows(state, ['instructions', 'kinds', ['max_files', 'max_resubmissions'], ['max_points', 'passing_points']])}
<fieldset><legend>${t(texts.words.due)}</legend>
<p class="quiet">${t(text.dueAbout)}</p>
${assignmentFields.rows(state, [['due_at_local', 'due_at_time_zone', 'due_days_after_enrollment'], 'late'])}</fieldset>
${assignmentFields.rows(state, ['required'])}
<div class="buttons row"><button class="main" type="submit">${t(texts.words.save)}</button></div>
${previewButton(t, 'instructions')}`
  // The instructions were sanitized by the operation that returned them.
  const shown = { html: assignment?.instructions_html ?? '' }
  return renderCoursePage(context, {
    title: t(text.title, { name: place.lesson.name }),
    above: aboveLesson(context, place, true),
    refusal,
    sets: [assignmentFields],
    body: html`<p class="course-head"><a href="/learn/${place.course.slug}/${place.lesson.id}">${t(coursesText.asStudent)}</a></p>
${form(inside)}
${shown.html !== '' && html`<section class="card preview"><h2>${t(text.preview)}</h2><div class="prose">${shown}</div></section>`}`,
  })
}

const bodyIn = (context: StaffContext, typed: Pairs) => {
  const { due_at_local: local, due_at_time_zone: time_zone, ...fields } = assignmentFields.body(typed, context)
  const isGiven = ([name, value]: readonly [string, unknown]): boolean =>
    value !== null || !defaulted.some(one => one === name)
  const due_at = local == null ? null : { local, time_zone }
  return { ...Object.fromEntries(Object.entries(fields).filter(isGiven)), due_at }
}

const PATH = '/staff/courses/:course/lessons/:lesson/assignment'

/** GET and POST …/assignment: what learners hand in for a lesson, and until when. */
export const assignmentEditor = [
  page(`GET ${PATH}`, courseTeachers, context => showAssignment(context)),
  fileForm(`POST ${PATH}`, courseTeachers, async (context, { form }) => {
    const place = await readAssignmentPlace(context)
    return shownAgain(
      async () => {
        const params = { lesson_id: place.lesson.id }
        const call = { operation: 'setAssignment', params, body: bodyIn(context, form), revision: revisionIn(form) }
        await context.call({ ...call, returns: Assignment })
        return `${lessonPath(place)}/assignment?done=saved`
      },
      refusal => showAssignment(context, form, refusal),
    )
  }),
]
