import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { hidden } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'

const text = texts.staff.peopleList

/** What can be done with several people at once. */
export const bulkActs = ['enroll', 'tag', 'group', 'export'] as const

/** One of these. */
export type BulkAct = (typeof bulkActs)[number]

/** The bar that acts on the people who are ticked, or on everybody whom the filter finds; nothing is done before it was shown. */
export const renderBulk = ({ t }: StaffContext, given: Pairs, total = 0): Html =>
  html`<form class="bulk" id="bulk" method="get" action="/staff/people/bulk" aria-label="${t(text.bulk.label)}">${hidden(Object.fromEntries(given))}
<span><span data-chosen>${t(text.bulk.chosen)}</span>${given.length > 0 && html` <label><input type="checkbox" name="all" value="yes"> ${t(text.bulk.all, { n: total })}</label>`}</span>
${bulkActs.map(act => html`<button type="submit" class="small" name="act" value="${act}">${t(text.bulk.acts[act].button)}</button>\n`)}</form>
`
