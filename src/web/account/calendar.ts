import { AccountCalendar } from '#src/areas/events/index.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { doneIn, form, page, readDone, redirect } from '#src/web/page/index.ts'
import { owner } from './parts.ts'

const { calendar: text } = texts.account

const PATH = '/account/calendar'

/** GET and POST /account/calendar: the address of a person's calendar, which can be replaced. */
export const calendarPages = [
  page(`GET ${PATH}`, owner, async ({ t, form, call, frame, request, language }) => {
    const { url } = await call({ operation: 'getAccountCalendar', returns: AccountCalendar })
    return frame({
      title: t(texts.words.yourCalendar),
      notice: doneIn(text.done, readDone(request), language),
      body: html`<p>${t(text.about)}</p>
<label for="address">${t(text.address)}</label>
<input id="address" type="text" class="copy" value="${url}" readonly>
<p><a href="${url.replace(/^https?:/, 'webcal:')}">${t(text.open)}</a></p>
<p class="quiet">${t(text.secret)}</p>
<details class="card">
<summary>${t(text.replace)}</summary>
<p>${t(text.replaceAbout)}</p>
${form(html`<div class="buttons"><button type="submit">${t(text.replace)}</button></div>`)}
</details>
<p class="quiet"><a href="/account/registrations">${t(text.back)}</a></p>`,
    })
  }),
  form(`POST ${PATH}`, owner, async ({ call }) => {
    await call({ operation: 'revokeAccountCalendar' })
    return redirect(`${PATH}?done=replaced`)
  }),
]
