import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { formOf, hidden } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { choose, line } from '../../forms/fields.ts'
import { inputs } from '../../pages/fields.ts'
import { coursesText } from '../courses/text.ts'
import { lessonText as text } from './lesson-text.ts'
import { lessonPath } from './place.ts'
import { type LessonShown, stateOf } from './shown.ts'

const formOfDrip = ({ mode, value, date, local_time }: LessonShown['drip']): Pairs => [
  ['mode', mode],
  ['value', value === null ? '' : String(value)],
  ['date', date ?? ''],
  ['local_time', local_time ?? ''],
]

/** When a lesson opens to learners. */
export const releasePart = (context: StaffContext, view: LessonShown): Html => {
  const { t, token } = context
  const { place, drip, again } = view
  const state = stateOf(context, view, ['drip'], formOfDrip(drip))
  const modes = Object.entries(text.modes).map(([value, phrase]) => ({ value, label: t(phrase) }))
  const zone = t(text.timeHint, { zone: drip.time_zone })
  const inside = html`${hidden({ act: 'drip', revision: drip.revision })}${choose(state, { name: 'mode', label: t(text.mode) }, modes)}
<div class="pair">${line(state, { name: 'value', label: t(text.days), hint: t(text.daysHint), attributes: inputs.number })}
${line(state, { name: 'date', label: t(text.date), hint: t(text.dateHint), attributes: inputs.day })}
${line(state, { name: 'local_time', label: t(text.time), hint: zone, attributes: html`type="time"` })}</div>
<button type="submit">${t(coursesText.save)}</button>`
  const isOpen = drip.mode !== 'immediate' || state.typed === again?.form
  return html`<details class="card" id="release"${isOpen && html` open`}><summary>${t(text.release)}</summary>
${formOf(lessonPath(place), token, inside)}</details>`
}
