import { randomUUID } from 'node:crypto'
import { Event } from '#src/areas/events/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { form, formKeyIn, hidden, mainButton, page, shownAgain } from '#src/web/page/index.ts'
import { type StaffContext, teachers } from '../../audience.ts'
import type { StaffSection } from '../../section.ts'
import { newFields } from './fields.ts'
import { buildPath, eventsPage, PATH } from './frame.ts'

const { common: text, list } = texts.staff.events

const show = (context: StaffContext, again?: { readonly typed: Pairs; readonly refusal: Refusal }): Promise<Reply> => {
  const { t, language, timeZone } = context
  const typed: Pairs = again?.typed ?? [
    ['time_zone', timeZone],
    ['duration_minutes', '60'],
  ]
  const key = formField(typed, 'form_key') || randomUUID()
  const rows = newFields.rows({ language, typed, refusal: again?.refusal }, newFields.names)
  return eventsPage(context, {
    title: t(list.create),
    above: [],
    again,
    fields: newFields,
    body: html`<p>${t(text.createAbout)}</p>
${context.form(html`${hidden({ form_key: key })}${rows}${mainButton(t(list.create))}`)}`,
  })
}

/** GET and POST /staff/events/new. */
export const eventCreation: StaffSection = {
  // The list leads to it.
  pages: [
    page(`GET ${PATH}/new`, teachers, context => show(context)),
    form(`POST ${PATH}/new`, teachers, (context, typed) =>
      shownAgain(
        async () => {
          const body = newFields.body(typed, context)
          const call = { operation: 'createEvent', body, ...formKeyIn(typed), returns: Event }
          return `${buildPath(await context.call(call))}?done=created`
        },
        refusal => show(context, { typed, refusal }),
      ),
    ),
  ],
}
