import { fill, type Language } from '#src/contract/language.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { type FormState, line } from '../../forms/fields.ts'
import { lineIn, numberOrNull } from '../../forms/values.ts'
import { inputs } from '../../pages/fields.ts'
import { eventsText as text } from './text.ts'

/** When something begins and how long it takes; `prefix` makes the ids unique on a page. */
export const timeFields = (state: FormState, language: Language, prefix: string): Html =>
  html`${line(state, { name: 'starts_at', id: `${prefix}starts_at`, label: fill(text.starts, language), attributes: html`type="datetime-local" required` })}
${line(state, { name: 'time_zone', id: `${prefix}time_zone`, label: fill(text.zone, language), hint: fill(text.zoneHint, language), attributes: html`type="text" maxlength="64" required` })}
${line(state, { name: 'duration_minutes', id: `${prefix}duration_minutes`, label: fill(text.minutes, language), attributes: inputs.number })}`

/** The stored values of these fields. */
export const timePairs = (
  { local, time_zone }: { readonly local: string; readonly time_zone: string },
  minutes: number,
): Pairs => [
  ['starts_at', local],
  ['time_zone', time_zone],
  ['duration_minutes', String(minutes)],
]

/** What was typed into these fields, as the API takes it. */
export const timeIn = (form: Pairs) => ({
  starts_at: { local: lineIn(form, 'starts_at').slice(0, 16), time_zone: lineIn(form, 'time_zone') },
  duration_minutes: numberOrNull(form, 'duration_minutes'),
})
