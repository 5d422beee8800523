import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { page } from '#src/web/page/index.ts'
import { staff } from '../../audience.ts'
import { renderPart } from '../../pages/list-page.ts'
import { staffText } from '../../pages/text.ts'
import type { StaffSection } from '../../section.ts'

const { confirmations: text } = staffText

/** GET /staff/confirmations: the requests of apps that wait for the person; each is decided at /account/confirmations/:id. */
export const confirmations: StaffSection = {
  pages: [
    page('GET /staff/confirmations', staff, async context => {
      const { t, parts, request, session } = context
      const title = t(text.title)
      const rows = await parts.confirmations.listPending(request.school, session.member.id)
      return context.frame({
        title,
        ...(rows.length > 0 && { lead: t(text.intro) }),
        isWide: true,
        hasCards: true,
        body: renderPart(context, {
          id: 'waiting',
          title,
          isAlone: true,
          rows,
          none: t(text.none),
          columns: [
            {
              name: texts.staff.lists.heads.change,
              kind: 'main',
              cell: ({ id, summary }) =>
                html`<a href="/account/confirmations/${id}"><span lang="en">${summary}</span></a>`,
            },
            {
              name: texts.words.app,
              kind: 'lead',
              cell: ({ client }) =>
                html`<bdi>${client.name === '' ? t(texts.account.apps.unnamed) : client.name}</bdi>`,
            },
          ],
        }),
      })
    }),
  ],
}
