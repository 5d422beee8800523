import type { Static } from 'typebox'
import type { LessonDrip } from '#src/areas/courses/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  box,
  choice,
  day,
  type Field,
  fieldsFor,
  line,
  markdown,
  optionalLine,
  optionalLocalTime,
  required,
  whole,
} from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { lessonEditor } from '../../texts/index.ts'
import { coursesText } from '../courses/text.ts'
import type { LessonView } from './place.ts'

const { lesson: text } = texts.staff.lessons

/** When a lesson opens to learners. */
export type DripView = Encoded<Static<typeof LessonDrip>>

const seconds: Field<number | null> = {
  ...whole(),
  read(form, name, reader) {
    const read = whole().read(form, name, reader)
    if (read !== null && read > 59) refuseInvalid([{ pointer: '/seconds', code: 'maximum', message: 'is at most 59' }])
    return read
  },
}

/** The fields of the form of a lesson. */
export const lessonFields = fieldsFor<LessonView & { minutes: number | null; seconds: number | null }>()(
  { ...text.fields, comments: coursesText.comments },
  {
    name: required(line({ most: 200 })),
    body: markdown({ most: 200_000, rows: 14, editor: lessonEditor }),
    embed_url: optionalLine({ most: 2000 }),
    starts_at_local: optionalLocalTime(),
    time_zone: optionalLine({ most: 64 }),
    meeting_url: optionalLine({ most: 2000 }),
    minutes: whole(),
    seconds,
    preview: box(),
    required_for_completion: box(),
    comments: choice(['open', 'closed', 'off']),
  },
)

/** The rows of fields that only lessons of a type have. */
export const chooseRows = ({ type }: LessonView) => {
  if (type === 'embed') return ['embed_url'] as const
  return type === 'live' ? ([['starts_at_local', 'time_zone'], 'meeting_url'] as const) : []
}

const ofTypes = ['embed_url', 'starts_at_local', 'time_zone', 'meeting_url']

const isOnForm = (lesson: LessonView, name: string): boolean => {
  const rows: readonly string[] = chooseRows(lesson).flat()
  return !ofTypes.includes(name) || rows.includes(name)
}

/** What the form of a lesson says, as `updateLesson` takes it. Refuses numbers that are none as errors of their fields. */
export const lessonBody = (context: StaffContext, typed: Pairs, lesson: LessonView) => {
  const { minutes, seconds, ...body } = lessonFields.body(
    typed,
    context,
    lessonFields.names.filter(name => isOnForm(lesson, name)),
  )
  const isTimed = minutes != null || seconds != null
  return {
    ...body,
    // Minutes and seconds, since nobody counts a lesson in seconds.
    duration_seconds: isTimed ? (minutes ?? 0) * 60 + (seconds ?? 0) : null,
    // A form that was opened before the field existed keeps the switch.
    comments: body.comments || lesson.comments,
    ...(body.starts_at_local === null ? { time_zone: null } : {}),
  }
}

/** A lesson as its form shows it; `timeZone` is that of the school, for a meeting without one. */
export const lessonPairs = (context: StaffContext, lesson: LessonView, timeZone: string): Pairs => {
  const { duration_seconds: all, time_zone = timeZone, body = '' } = lesson
  const minutes = all === null ? null : Math.floor(all / 60)
  const seconds = all === null || all % 60 === 0 ? null : all % 60
  const pairs = lessonFields.pairs({ ...lesson, body, time_zone: time_zone ?? timeZone, minutes, seconds }, context)
  return pairs.filter(([name]) => isOnForm(lesson, name))
}

const time: Field<string | null> = {
  ...optionalLine({ most: 5 }),
  read: (form, name) => formField(form, name).trim().slice(0, 5) || null,
  control: ({ name, typed, about }) =>
    html`<input id="${name}" name="${name}" type="time" value="${formField(typed, name)}"${about}>`,
}

/** The fields of the form that says when a lesson opens. */
export const dripFields = fieldsFor<DripView>()(text.drip, {
  mode: choice(['immediate', 'days_after_enrollment', 'on_date', 'after_previous']),
  value: whole(),
  date: day(),
  local_time: time,
})

/** What this form says; each mode has fields of its own. */
export const dripBody = (context: StaffContext, typed: Pairs) => {
  const mode = formField(typed, 'mode')
  if (mode === 'immediate') return { mode }
  return dripFields.body(typed, context, ['mode', mode === 'on_date' ? 'date' : 'value', 'local_time'])
}
