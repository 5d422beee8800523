import { randomUUID } from 'node:crypto'
import { Event } from '#src/areas/events/index.ts'
import { School } from '#src/areas/school/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { form, formKeyIn, formOf, hidden, page, shownAgain } from '#src/web/page/index.ts'
import { type StaffContext, teachers } from '../../audience.ts'
import { errorsIn, noticeFor } from '../../forms/errors.ts'
import { line } from '../../forms/fields.ts'
import { lineIn } from '../../forms/values.ts'
import type { StaffSection } from '../../section.ts'
import { eventsPage, listAbove, PATH, pathOf } from './frame.ts'
import { eventRefusals, eventsText as text } from './text.ts'
import { timeFields, timeIn } from './time-fields.ts'

const FIELDS = ['name', 'starts_at', 'duration_minutes']

const showForm = async (context: StaffContext, sent?: Pairs, refusal?: Refusal): Promise<Reply> => {
  const { t, language, token } = context
  const { time_zone: zone } = await context.call({ operation: 'getSchool', returns: School })
  const typed: Pairs = sent ?? [
    ['time_zone', zone],
    ['duration_minutes', '60'],
  ]
  const errors = errorsIn(refusal, language, text.errors)
  const state = { typed, errors }
  const key = formField(typed, 'form_key') || randomUUID()
  const inside = html`${hidden({ form_key: key })}${line(state, { name: 'name', label: t(text.name), attributes: html`type="text" maxlength="200" required` })}
${timeFields(state, language, '')}
<div class="buttons row"><button class="main" type="submit">${t(text.create)}</button></div>`
  return eventsPage(context, {
    title: t(text.create),
    above: [listAbove(language)],
    refusal,
    notice: noticeFor(refusal, language, { errors, fields: FIELDS, refusals: eventRefusals }),
    body: html`<p>${t(text.createAbout)}</p>\n${formOf(`${PATH}/new`, token, inside)}`,
  })
}

const submit = (context: StaffContext, form: Pairs): Promise<Reply> => {
  const create = async () => {
    const body = { name: lineIn(form, 'name'), ...timeIn(form) }
    const event = await context.call({ operation: 'createEvent', body, ...formKeyIn(form), returns: Event })
    return `${pathOf(event)}?done=created`
  }
  return shownAgain(create, refusal => showForm(context, form, refusal))
}

/** GET and POST /staff/events/new. */
export const eventCreation: StaffSection = {
  // The list leads to it.
  entries: [],
  pages: [page(`GET ${PATH}/new`, teachers, context => showForm(context)), form(`POST ${PATH}/new`, teachers, submit)],
}
