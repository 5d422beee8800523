import type { Static } from 'typebox'
import { mailStates, type OutboxMailText, type OutboxPage } from '#src/areas/school/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import type { Session } from '#src/identity/index.ts'
import { type Html, html } from '#src/kit/html.ts'
import { fromId } from '#src/kit/ids.ts'
import { framed, select, timeOf } from '#src/web/page/index.ts'
import { downloadLinks } from '../../csv.ts'
import { outboxText as text } from './text.ts'

const PATH = '/staff/outbox'

/** The filters of the outbox; an empty one does not filter. */
export type Filters = { readonly state: string; readonly cursor: string }

type MailShown = Encoded<Static<typeof OutboxPage>>['data'][number]

type Frame = { readonly school: School; readonly language: Language; readonly viewer: Session['member'] }

type ListView = Frame & {
  readonly filters: Filters
  readonly mails: readonly MailShown[]
  readonly next: string | undefined
}

const pathOf = (filters: Filters): string =>
  `${PATH}?${new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ''))}`

const item = ({ id, subject, recipient, state, recorded_at }: MailShown, { language, viewer }: Frame): Html => {
  const facts = html`<span class="quiet"><bdi>${recipient}</bdi> · ${fill(text.states[state], language)} · ${timeOf(new Date(recorded_at), language, viewer)}</span>`
  const name =
    viewer.role === 'owner'
      ? html`<a href="${PATH}/${id}"><bdi>${subject}</bdi></a>`
      : html`<strong><bdi>${subject}</bdi></strong><br>`
  return html`<li>${name}${facts}</li>
`
}

const search = ({ filters, language }: ListView): Html => {
  const any = { value: '', label: fill(text.any, language) }
  const choices = mailStates.map(value => ({ value, label: fill(text.states[value], language) }))
  return html`<form method="get" action="${PATH}" class="filter">
<div>${select('state', fill(text.state, language), filters.state, [any, ...choices])}</div>
<button type="submit">${fill(text.find, language)}</button>
</form>`
}

/** The mails of the school; owners can open each of them. */
export const listPage = (view: ListView): Reply => {
  const { language, mails, next, filters, viewer } = view
  const list = html`<ul class="list${viewer.role === 'owner' && html` menu`}">
${mails.map(mail => item(mail, view))}</ul>`
  return framed({
    school: view.school,
    language,
    title: fill(text.title, language),
    body: html`<p>${fill(text.intro, language)}</p>
${mails.some(({ state }) => state === 'written') && html`<p class="note">${fill(text.written, language)}</p>`}
${search(view)}
${mails.length === 0 ? html`<p>${fill(text.none, language)}</p>` : list}
${mails.length > 0 && downloadLinks('listOutboxMails', view, Object.entries(filters))}
${next !== undefined && html`<p><a rel="next" href="${pathOf({ ...filters, cursor: next })}">${fill(text.next, language)}</a></p>`}
${filters.cursor !== '' && html`<p><a href="${pathOf({ ...filters, cursor: '' })}">${fill(text.first, language)}</a></p>`}`,
  })
}

type MailView = Frame & { readonly mail: Encoded<Static<typeof OutboxMailText>> }

const factsOf = ({ mail, language, viewer }: MailView): Html => {
  const { recipient, state, recorded_at, done_at, error, attempts, id } = mail
  const at = (instant: string): string => timeOf(new Date(instant), language, viewer)
  const row = (name: (typeof text)['to'] | (typeof text)['when'] | (typeof text)['error'], value: Html): Html =>
    html`<div><dt>${fill(name, language)}</dt><dd>${value}</dd></div>\n`
  const file = fill(text.fileOf, language, { id: fromId('eml', id) ?? id })
  return html`<dl class="facts">
${row(text.to, html`<bdi>${recipient}</bdi>`)}${row(text.state, html`${fill(text.states[state], language)}`)}${row(text.when, html`${at(recorded_at)}`)}${done_at !== null && row(text.done, html`${at(done_at)}`)}${attempts > 1 && row(text.attempts, html`${attempts}`)}${error !== null && row(text.error, html`<code>${error}</code>`)}${state === 'written' && row(text.file, html`<code>${file}</code>`)}</dl>`
}

/** One mail with its text, without what only the recipient may read. */
export const mailPage = (view: MailView): Reply => {
  const { mail, language } = view
  const secrets = mail.state === 'written' ? text.secrets : text.secretsWaiting
  return framed({
    school: view.school,
    language,
    title: mail.subject,
    body: html`${factsOf(view)}
${mail.has_secrets && html`<p class="note">${fill(secrets, language)}</p>`}
<h2>${fill(text.text, language)}</h2>
${mail.text === null ? html`<p>${fill(text.gone, language)}</p>` : html`<p class="lines card">${mail.text.trim()}</p>`}
<p class="quiet"><a href="${PATH}">${fill(text.back, language)}</a></p>`,
  })
}
