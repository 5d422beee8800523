import type { Static } from 'typebox'
import { OutboxPage } from '#src/areas/school/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { type Column, page, renderTable } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { type PillKind, pill } from '../../console/frame.ts'
import { addressWith } from '../../teaching/lists.ts'
import { framePerson } from './frame.ts'
import { buildQuery, type Person, personPath, readPerson } from './read.ts'

const text = texts.staff.personPage
const { states } = texts.staff.outbox.common

type Mail = Encoded<Static<typeof OutboxPage>>['data'][number]

const KINDS: Readonly<Record<Mail['state'], PillKind>> = {
  sent: 'good',
  waiting: 'info',
  written: 'hollow',
  failed: 'bad',
}

const readMails = ({ call, query }: StaffContext, id: string) =>
  call({
    operation: 'listOutboxMails',
    query: buildQuery(id, 50, query.get('cursor') ?? ''),
    returns: OutboxPage,
  })

// Owners read mails that were not sent; nobody reads the others here.
const buildColumns = ({ t, time, viewer }: StaffContext): Column<Mail>[] => [
  {
    name: text.subject,
    kind: 'main',
    cell: ({ id, subject, recipient }) =>
      html`${viewer.role === 'owner' ? html`<a href="/staff/outbox/${id}"><bdi>${subject}</bdi></a>` : html`<b><bdi>${subject}</bdi></b>`}<small class="sub"><bdi>${recipient}</bdi></small>`,
  },
  {
    name: texts.words.status,
    kind: 'lead',
    cell: ({ state, error }) =>
      html`${pill(t(states[state]), KINDS[state])}${error !== null && html`<small class="sub">${error}</small>`}`,
  },
  { name: texts.words.date, kind: 'date', cell: ({ recorded_at }) => time(recorded_at) },
]

const formatConsent = ({ marketing_consent: consent }: Person, { t, day }: StaffContext): string => {
  const { granted, at, source } = consent
  if (at === null) return t(text.consents.never)
  return t(granted ? text.consents.granted : text.consents.withdrawn, { day: day(at), source: source ?? '–' })
}

/** GET /staff/people/:id/mails: the mails to a member of the last 30 days, and whether they arrived. */
export const mailsPart = page('GET /staff/people/:id/mails', staff, async context => {
  const { t } = context
  const person = await readPerson(context)
  const { data, next_cursor: next } = await readMails(context, person.id)
  const more = addressWith(`${personPath(person.id)}/mails`, { cursor: next ?? '' })
  return framePerson(context, person, 'mails', {
    body: html`<div class="stack"><section class="card flush">
<header><h2>${t(text.mails)}</h2></header>
${data.length === 0 ? html`<div class="empty"><p>${t(text.noMails)}</p></div>` : renderTable(context, { caption: t(text.mails), columns: buildColumns(context), rows: data })}
${next !== undefined && html`<div class="pages"><a class="button small" rel="next" href="${more}">${t(texts.words.nextPage)}</a></div>`}
</section>
<section class="card"><h2>${t(text.consents.title)}</h2><p>${formatConsent(person, context)}</p></section></div>`,
  })
})
