import { html } from '#src/kit/html.ts'
import { waitingList } from '#src/web/account/index.ts'
import { page } from '#src/web/page/index.ts'
import { staff } from '../../audience.ts'
import { staffLink } from '../../pages/link.ts'
import { staffText } from '../../pages/text.ts'
import type { StaffSection } from '../../section.ts'

const { confirmations: text } = staffText

/** GET /staff/confirmations: the requests of apps that wait for the person; each is decided at /account/confirmations/:id. */
export const confirmations: StaffSection = {
  pages: [
    page('GET /staff/confirmations', staff, async context => {
      const { t, language, parts, request, session } = context
      const waiting = await parts.confirmations.listPending(request.school, session.member.id)
      return context.frame({
        title: t(text.title),
        body: html`<p>${t(waiting.length === 0 ? text.none : text.intro)}</p>
${waiting.length > 0 && waitingList(waiting, language)}
${staffLink(language)}`,
      })
    }),
  ],
}
