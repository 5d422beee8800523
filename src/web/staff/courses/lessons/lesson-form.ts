import { refuseInvalid } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { isChecked, lineIn, lineOrNull, numberOrNull, textIn } from '../../forms/values.ts'
import type { LessonView } from './place.ts'

type Body = Record<string, unknown>

// Minutes and seconds, since nobody counts a lesson in seconds.
const durationIn = (form: Pairs): number | null => {
  const [minutes, seconds] = [numberOrNull(form, 'minutes'), numberOrNull(form, 'seconds')]
  if (seconds !== null && seconds > 59)
    refuseInvalid([{ pointer: '/seconds', code: 'maximum', message: 'is at most 59' }])
  return minutes === null && seconds === null ? null : (minutes ?? 0) * 60 + (seconds ?? 0)
}

const partsIn = (form: Pairs, type: LessonView['type']): Body => {
  if (type === 'embed') return { embed_url: lineOrNull(form, 'embed_url') }
  if (type !== 'live') return {}
  const starts = lineOrNull(form, 'starts_at_local')
  return {
    starts_at_local: starts?.slice(0, 16) ?? null,
    time_zone: starts === null ? null : lineOrNull(form, 'time_zone'),
    meeting_url: lineOrNull(form, 'meeting_url'),
  }
}

/** What the form of a lesson says, as `updateLesson` takes it. Refuses numbers that are none as errors of their fields. */
export const lessonIn = (form: Pairs, { type, comments }: LessonView): Body => ({
  name: lineIn(form, 'name'),
  status: formField(form, 'status'),
  preview: isChecked(form, 'preview'),
  required_for_completion: isChecked(form, 'required_for_completion'),
  duration_seconds: durationIn(form),
  // A form that was opened before the field existed keeps the switch.
  comments: formField(form, 'comments') || comments,
  body: textIn(form, 'body'),
  ...partsIn(form, type),
})

const box = (is: boolean): string => (is ? 'yes' : '')

/** A lesson as its form shows it; `timeZone` is that of the school, for a meeting without one. */
export const formOfLesson = (lesson: LessonView, timeZone: string): Pairs => {
  const seconds = lesson.duration_seconds
  return [
    ['name', lesson.name],
    ['status', lesson.status],
    ['preview', box(lesson.preview)],
    ['required_for_completion', box(lesson.required_for_completion)],
    ['minutes', seconds === null ? '' : String(Math.floor(seconds / 60))],
    ['seconds', seconds === null || seconds % 60 === 0 ? '' : String(seconds % 60)],
    ['comments', lesson.comments],
    ['body', lesson.body ?? ''],
    ['embed_url', lesson.embed_url ?? ''],
    ['starts_at_local', lesson.starts_at_local ?? ''],
    ['time_zone', lesson.time_zone ?? timeZone],
    ['meeting_url', lesson.meeting_url ?? ''],
  ]
}
