import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { doneIn, formOf, framed } from '#src/web/page/index.ts'

const text = texts.account.calendar

type CalendarView = {
  readonly school: School
  readonly language: Language
  readonly token: string
  readonly done: string
  readonly url: string
}

/** The address of a person's calendar. */
export const calendarPage = ({ school, language, token, done, url }: CalendarView): Reply =>
  framed({
    ...{ school, language },
    title: fill(text.title, language),
    notice: doneIn(text.done, done, language),
    body: html`<p>${fill(text.about, language)}</p>
<label for="address">${fill(text.address, language)}</label>
<input id="address" type="text" class="copy" value="${url}" readonly>
<p><a href="${url.replace(/^https?:/, 'webcal:')}">${fill(text.open, language)}</a></p>
<p class="quiet">${fill(text.secret, language)}</p>
<details class="card">
<summary>${fill(text.replace, language)}</summary>
<p>${fill(text.replaceAbout, language)}</p>
${formOf('/account/calendar', token, html`<div class="buttons"><button type="submit">${fill(text.replace, language)}</button></div>`)}
</details>
<p class="quiet"><a href="/account/registrations">${fill(text.back, language)}</a></p>`,
  })
