import { mailStates, OutboxMailText, OutboxPage } from '#src/areas/school/index.ts'
import { type Html, html } from '#src/kit/html.ts'
import { fromId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { page, select } from '#src/web/page/index.ts'
import { owners, staff } from '../../audience.ts'
import { downloadLinks } from '../../csv.ts'
import type { StaffSection } from '../../section.ts'
import { turning } from '../../teaching/lists.ts'
import { facts } from '../../teaching/parts.ts'

const text = texts.staff.outbox.common

const PATH = '/staff/outbox'

// The mails of the school; owners can open each of them.
const outboxList = page(`GET ${PATH}`, staff, async context => {
  const { t, time, call, query: typed, viewer } = context
  const filters = { state: (typed.get('state') ?? '').trim(), cursor: (typed.get('cursor') ?? '').trim() }
  const query = Object.entries(filters).filter(([, value]) => value !== '')
  const { data: mails, next_cursor: next } = await call({ operation: 'listOutboxMails', query, returns: OutboxPage })
  const opensMails = viewer.role === 'owner'
  const rows = mails.map(({ id, subject, recipient, state, recorded_at }): Html => {
    const name = opensMails
      ? html`<a href="${PATH}/${id}"><bdi>${subject}</bdi></a>`
      : html`<strong><bdi>${subject}</bdi></strong><br>`
    return html`<li>${name}<span class="quiet"><bdi>${recipient}</bdi> · ${t(text.states[state])} · ${time(recorded_at)}</span></li>
`
  })
  const choices = mailStates.map(value => ({ value, label: t(text.states[value]) }))
  const any = { value: '', label: t(texts.words.any) }
  return context.frame({
    title: t(text.title),
    body: html`<p>${t(text.intro)}</p>
${mails.some(({ state }) => state === 'written') && html`<p class="note">${t(text.written)}</p>`}
<form method="get" action="${PATH}" class="filter">
<div>${select('state', t(text.state), filters.state, [any, ...choices])}</div>
<button type="submit">${t(texts.words.show)}</button>
</form>
${rows.length === 0 ? html`<p>${t(text.none)}</p>` : html`<ul class="list${opensMails && html` menu`}">\n${rows}</ul>`}
${rows.length > 0 && downloadLinks('listOutboxMails', context, Object.entries(filters))}
${turning(context, PATH, { parameters: filters, next })}`,
  })
})

// One mail with its text, without what only the recipient may read.
const outboxMail = page(`GET ${PATH}/:id`, owners, async context => {
  const { t, time, call, params } = context
  const mail = await call({ operation: 'getOutboxMail', params: { mail_id: params.id ?? '' }, returns: OutboxMailText })
  const { recipient, state, recorded_at, done_at, error, attempts, id } = mail
  const file = t(text.fileOf, { id: fromId('eml', id) ?? id })
  return context.frame({
    title: mail.subject,
    body: html`${facts([
      [t(text.to), recipient],
      [t(text.state), t(text.states[state])],
      [t(text.when), time(recorded_at)],
      [t(text.done), done_at === null ? undefined : time(done_at)],
      [t(texts.words.attempts), attempts > 1 ? String(attempts) : undefined],
      [t(text.error), error === null ? undefined : html`<code>${error}</code>`],
      [t(texts.words.file), state === 'written' ? html`<code>${file}</code>` : undefined],
    ])}
${mail.has_secrets && html`<p class="note">${t(state === 'written' ? text.secrets : text.secretsWaiting)}</p>`}
<h2>${t(texts.words.text)}</h2>
${mail.text === null ? html`<p>${t(text.gone)}</p>` : html`<p class="lines card">${mail.text.trim()}</p>`}
<p class="quiet"><a href="${PATH}">${t(text.back)}</a></p>`,
  })
})

/** GET /staff/outbox and /staff/outbox/:id. */
export const outbox: StaffSection = {
  pages: [outboxList, outboxMail],
}
