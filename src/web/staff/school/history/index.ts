import type { Static } from 'typebox'
import { AuditPage } from '#src/areas/school/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { html } from '#src/kit/html.ts'
import { daysAfter, isDay } from '#src/kit/local-time.ts'
import { isVisible } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import { type Column, createList, dayStart, page } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import type { StaffSection } from '../../section.ts'

const text = texts.staff.history

const PATH = '/staff/history'

type Entry = Encoded<Static<typeof AuditPage>>['data'][number]

const list = createList({
  path: PATH,
  operation: 'listAuditLog',
  returns: AuditPage,
  filters: { from: 'day', until: 'day' },
  asQuery: {
    from: (day, { viewer }) => (isDay(day) ? [['created_at[gte]', dayStart(day, viewer)]] : []),
    until: (day, { viewer }) => (isDay(day) ? [['created_at[lt]', dayStart(daysAfter(day, 1), viewer)]] : []),
  },
  texts: { filters: text.filters, all: text.title, found: texts.words.found, none: text.none, empty: text.none },
})

const nameActor = ({ actor }: Entry, { t }: StaffContext) => {
  const { kind, member } = actor
  if (member === undefined) return t(kind === 'member' ? texts.words.removedMember : text.actors[kind])
  const name = isVisible(member.name) ? member.name : t(texts.words.removedMember)
  return html`<a href="/staff/people/${member.id}"><bdi>${name}</bdi></a>`
}

const buildColumns = (context: StaffContext): Column<Entry>[] => [
  {
    name: text.what,
    kind: 'main',
    cell: ({ operation, fields }) =>
      html`<span lang="en">${context.parts.summaries.get(operation) ?? operation}</span>${fields.length > 0 && html`<small class="sub"><code>${fields.join(', ')}</code></small>`}`,
  },
  { name: text.who, cell: entry => nameActor(entry, context) },
  { name: text.on, kind: 'low', cell: ({ resource_ids: ids }) => html`<code>${ids.slice(0, 3).join(' ')}</code>` },
  {
    name: texts.words.date,
    kind: 'date c-lead',
    cell: ({ created_at: at }) => html`<time datetime="${at}">${context.time(at)}</time>`,
  },
]

/** GET /staff/history: who did what in the school. */
export const history: StaffSection = {
  pages: [
    page(`GET ${PATH}`, staff, async context => {
      const { t } = context
      const shown = await list.read(context)
      return context.frame({
        title: t(text.title),
        lead: t(text.about),
        isWide: true,
        hasCards: true,
        body: list.table(context, shown, { columns: buildColumns(context), rows: shown.page.data }),
      })
    }),
  ],
}
