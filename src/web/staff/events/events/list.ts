import { EventPage } from '#src/areas/events/index.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { type Column, createList, momentColumn, page, renderName } from '#src/web/page/index.ts'
import { type StaffContext, teachers } from '../../audience.ts'
import { showList } from '../../pages/list-page.ts'
import type { StaffSection } from '../../section.ts'
import { buildPath, type EventShown, eventsPage, PATH, statusBadge } from './frame.ts'

const { fields, list: text } = texts.staff.events
const { heads } = texts.staff.lists

const list = createList({
  path: PATH,
  operation: 'listEvents',
  returns: EventPage,
  query: [['managed', 'true']],
  sort: '-starts_at',
  filters: { q: 'search', status: text.statuses },
  texts: { ...text, filters: { q: text.search, status: texts.words.status }, all: texts.words.events },
})

const buildColumns = (context: StaffContext): Column<EventShown>[] => {
  const { t } = context
  return [
    {
      name: texts.words.name,
      kind: 'main',
      sort: 'name',
      cell: event => renderName(buildPath(event), event.name, t(fields.kind.choices[event.kind])),
    },
    { name: texts.words.status, kind: 'lead', cell: event => statusBadge(event, context) },
    momentColumn(context, {
      name: heads.nextDate,
      sort: '-starts_at',
      at: ({ next_occurrence: next, starts_at: first }) => (next?.starts_at ?? first).utc,
    }),
    {
      name: texts.words.registrations,
      kind: 'low',
      cell: event => html`<a href="${buildPath(event)}/registrations">${t(texts.words.show)}</a>`,
    },
  ]
}

/** GET /staff/events: the events of the school for staff, and those that they host for lecturers. */
export const eventListSection: StaffSection = {
  pages: [
    page(`GET ${PATH}`, teachers, async context => {
      const { t } = context
      const shown = await list.read(context)
      return eventsPage(context, {
        title: t(text.title),
        ...showList(context, list, shown, {
          columns: buildColumns(context),
          rows: shown.page.data,
          action: html`<a class="button main" href="${PATH}/new">${t(text.create)}</a>`,
        }),
      })
    }),
  ],
}
