import type { Static } from 'typebox'
import { mailStates, OutboxMailText, OutboxPage } from '#src/areas/school/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { html } from '#src/kit/html.ts'
import { fromId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { type Column, createList, momentColumn, page, renderName } from '#src/web/page/index.ts'
import { owners, type StaffContext, staff } from '../../audience.ts'
import { statusPill } from '../../console/frame.ts'
import { showList } from '../../pages/list-page.ts'
import type { StaffSection } from '../../section.ts'
import { facts } from '../../teaching/parts.ts'

const text = texts.staff.outbox.common
const { heads } = texts.staff.lists

const PATH = '/staff/outbox'

const list = createList({
  path: PATH,
  operation: 'listOutboxMails',
  returns: OutboxPage,
  filters: { state: Object.fromEntries(mailStates.map(one => [one, text.states[one]])) },
  texts: { filters: { state: text.state }, all: text.title, none: text.none, empty: text.none },
})

type Mail = Encoded<Static<typeof OutboxPage>>['data'][number]

// Owners can open each of them.
const buildColumns = (context: StaffContext): Column<Mail>[] => {
  const { t, viewer } = context
  return [
    {
      name: heads.subject,
      kind: 'main',
      cell: ({ id, subject, recipient }) =>
        viewer.role === 'owner'
          ? renderName(`${PATH}/${id}`, subject, recipient)
          : html`<b><bdi>${subject}</bdi></b><small class="sub"><bdi>${recipient}</bdi></small>`,
    },
    { name: text.state, kind: 'lead', cell: ({ state }) => statusPill(t(text.states[state]), state) },
    momentColumn(context, { name: text.when, at: ({ recorded_at }) => recorded_at }),
  ]
}

const outboxList = page(`GET ${PATH}`, staff, async context => {
  const { t } = context
  const shown = await list.read(context)
  const rows = shown.page.data
  const listed = showList(context, list, shown, { columns: buildColumns(context), rows })
  return context.frame({
    title: t(text.title),
    lead: t(text.intro),
    ...listed,
    body: html`${rows.some(({ state }) => state === 'written') && html`<p class="note">${t(text.written)}</p>`}${listed.body}`,
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
    badge: statusPill(t(text.states[state]), state),
    body: html`${facts([
      [t(text.to), recipient],
      [t(text.when), time(recorded_at)],
      [t(text.done), done_at === null ? undefined : time(done_at)],
      [t(texts.words.attempts), attempts > 1 ? String(attempts) : undefined],
      [t(text.error), error === null ? undefined : html`<code>${error}</code>`],
      [t(texts.words.file), state === 'written' ? html`<code>${file}</code>` : undefined],
    ])}
${mail.has_secrets && html`<p class="note">${t(state === 'written' ? text.secrets : text.secretsWaiting)}</p>`}
<h2>${t(texts.words.text)}</h2>
${mail.text === null ? html`<p>${t(text.gone)}</p>` : html`<p class="lines card">${mail.text.trim()}</p>`}`,
  })
})

/** GET /staff/outbox and /staff/outbox/:id. */
export const outbox: StaffSection = {
  pages: [outboxList, outboxMail],
}
