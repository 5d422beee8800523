import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { formOf, hidden } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { choose, line } from '../../forms/fields.ts'
import { lineIn, lineOrNull, numberOrNull } from '../../forms/values.ts'
import { folded, inputs } from '../../pages/fields.ts'
import { localText, pathOf } from './frame.ts'
import { type Again, type EventView, stateOf } from './shown.ts'
import { eventsText as text } from './text.ts'
import { timeFields, timeIn, timePairs } from './time-fields.ts'

const RULES: Readonly<Record<string, string>> = {
  daily: 'FREQ=DAILY',
  weekly: 'FREQ=WEEKLY',
  biweekly: 'FREQ=WEEKLY;INTERVAL=2',
  monthly: 'FREQ=MONTHLY',
}

const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

// The same day of the week in each month: the second Tuesday, or the last one.
const weekdayRule = (local: string): string => {
  const day = new Date(`${local.slice(0, 10)}T00:00Z`)
  const place = Math.ceil(day.getUTCDate() / 7)
  return `FREQ=MONTHLY;BYDAY=${place === 5 ? -1 : place}${DAYS[day.getUTCDay()] ?? 'MO'}`
}

const ruleIn = (form: Pairs): string | null => {
  const chosen = formField(form, 'repeats')
  if (chosen === 'once') return null
  if (chosen === 'weekday') return weekdayRule(lineIn(form, 'starts_at'))
  return RULES[chosen] ?? lineIn(form, 'rule').toUpperCase()
}

const commaDays = (form: Pairs): string[] =>
  lineIn(form, 'except')
    .split(',')
    .map(day => day.trim())
    .filter(day => day !== '')

/** The body of the change of dates that a form asks for. */
export const recurrenceIn = (form: Pairs) => {
  const rule = ruleIn(form)
  const time = timeIn(form)
  if (rule === null) return { rule, ...time }
  const until = lineOrNull(form, 'until')
  return { rule, ...time, until, count: numberOrNull(form, 'count'), except: commaDays(form) }
}

const storedOf = ({ event }: EventView): Pairs => {
  const { recurrence } = event
  const known = Object.keys(RULES).find(name => RULES[name] === recurrence?.rule)
  return [
    ...timePairs(event.starts_at, event.duration_minutes),
    ['repeats', recurrence === null ? 'once' : (known ?? 'own')],
    ['rule', recurrence?.rule ?? ''],
    ['count', recurrence?.count == null ? '' : String(recurrence.count)],
    ['until', recurrence?.until ?? ''],
    ['except', (recurrence?.except ?? []).join(', ')],
  ]
}

const previewOf = ({ dates }: Again, { t, language }: StaffContext): Html | false => {
  if (dates === undefined) return false
  const counts = (['added', 'removed', 'changed', 'kept'] as const).flatMap(name =>
    dates[name].length === 0 ? [] : [t(text.preview[name], { n: dates[name].length })],
  )
  const moved = dates.moved.map(({ starts_at: at }) => localText(at, language)).join('; ')
  return html`<div class="note" role="status"><ul>
${counts.map(count => html`<li>${count}</li>\n`)}${moved !== '' && html`<li>${t(text.preview.moved, { dates: moved })}</li>\n`}</ul></div>`
}

/** The form that says how an event repeats, and what a change would do. */
export const recurrenceForm = (context: StaffContext, view: EventView): Html => {
  const { t, language, token } = context
  const { event, again } = view
  const stored = storedOf(view)
  const state = stateOf(context, again, ['check_dates', 'dates'], stored)
  const rules = Object.entries(text.rules).map(([value, phrase]) => ({ value, label: t(phrase) }))
  const inside = html`${hidden({ revision: event.revision })}${timeFields(state, language, 'dates-')}
${choose(state, { name: 'repeats', label: t(text.repeats) }, rules)}
${line(state, { name: 'count', label: t(text.count), attributes: inputs.number })}
${line(state, { name: 'until', label: t(text.lastDay), attributes: inputs.day })}
${line(state, { name: 'except', label: t(text.except), hint: t(text.exceptHint), attributes: html`type="text" maxlength="2400"` })}
${line(state, { name: 'rule', label: t(text.rule), hint: t(text.ruleHint), attributes: html`type="text" maxlength="500"` })}
${again !== undefined && previewOf(again, context)}
<div class="buttons row"><button type="submit" name="act" value="check_dates">${t(text.previewDates)}</button>
<button class="main" type="submit" name="act" value="dates">${t(text.setDates)}</button></div>`
  return folded(t(text.repeat), formOf(pathOf(event), token, inside), state.typed !== stored)
}
