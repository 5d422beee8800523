import { EventPage } from '#src/areas/events/index.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { page } from '#src/web/page/index.ts'
import { teachers } from '../../audience.ts'
import { showStatusList } from '../../pages/status-list.ts'
import type { StaffSection } from '../../section.ts'
import { buildPath, eventsPage, localText, PATH, statusBadge } from './frame.ts'

const { list: text } = texts.staff.events

const list = {
  path: PATH,
  operation: 'listEvents',
  returns: EventPage,
  sort: '-starts_at',
  statuses: text.statuses,
  texts: text,
}

/** GET /staff/events: the events of the school for staff, and those that they host for lecturers. */
export const eventListSection: StaffSection = {
  pages: [
    page(`GET ${PATH}`, teachers, async context =>
      eventsPage(context, {
        title: context.t(text.title),
        body: await showStatusList(context, list, ({ data }) =>
          data.map(event => {
            const when = localText(event.next_occurrence?.starts_at ?? event.starts_at, context.language)
            return html`<li><a href="${buildPath(event)}"><bdi>${event.name}</bdi></a><span class="quiet">${statusBadge(event, context)} ${when}</span></li>
`
          }),
        ),
      }),
    ),
  ],
}
