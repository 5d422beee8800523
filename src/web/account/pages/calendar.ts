import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import { html } from '#src/kit/html.ts'
import { doneIn, formOf, framed } from './frame.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

const text = {
  title: say('Your calendar', 'O seu calendário'),
  about: say(
    'Subscribe to this address in your calendar app. It has the dates that you are registered for or host, and follows when one is moved or cancelled.',
    'Subscreva este endereço na sua aplicação de calendário. Tem as datas em que está inscrito ou que recebe, e acompanha-as quando mudam ou são canceladas.',
  ),
  address: say('Address of your calendar', 'Endereço do seu calendário'),
  open: say('Open in a calendar app', 'Abrir numa aplicação de calendário'),
  secret: say(
    'Whoever has the address sees your dates, with private places and links to meetings. Do not share it.',
    'Quem tiver o endereço vê as suas datas, com locais privados e ligações para reuniões. Não o partilhe.',
  ),
  replace: say('Replace the address', 'Substituir o endereço'),
  replaceAbout: say(
    'The address above stops working at once, everywhere. You get another one.',
    'O endereço acima deixa de funcionar de imediato, em toda a parte. Recebe outro.',
  ),
  back: say('Back to your registrations', 'Voltar às suas inscrições'),
  done: {
    replaced: say(
      'This is your new address. The earlier one is void.',
      'Este é o novo endereço. O anterior já não serve.',
    ),
  },
} as const

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
