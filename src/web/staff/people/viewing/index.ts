import { Member } from '#src/areas/people/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { endView, startView } from '#src/identity/index.ts'
import { html } from '#src/kit/html.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { form, mainButton, noticeFor, page, redirect, shownAgain, VIEWING_PATH } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { staffText } from '../../pages/text.ts'
import type { StaffSection } from '../../section.ts'

const text = texts.staff.viewing

const START = '/staff/people/:id/view'

const readMember = ({ call, params }: StaffContext) =>
  call({ operation: 'getMember', params: { member_id: params.id ?? '' }, returns: Member })

// What is seen, and what is not, before it begins.
const showStart = async (context: StaffContext, refusal?: Refusal): Promise<Reply> => {
  const { t, language } = context
  const { id, name } = await readMember(context)
  return context.frame({
    title: t(text.startTitle, { name }),
    ...noticeFor(refusal, language, { said: { ...staffText.refusals, invalid_state: text.notPossible } }),
    body: html`<ul class="list">
<li>${t(text.seen, { name })}</li>
<li>${t(text.notSeen)}</li>
<li>${t(text.nothingChanged)}</li>
<li>${t(text.recorded, { name })}</li>
</ul>
${context.form(mainButton(t(text.start, { name })))}
<p class="quiet"><a href="/staff/people/${id}">${t(text.back, { name })}</a></p>`,
  })
}

const start = async ({ call, request, school, session, params }: StaffContext): Promise<string> => {
  const named = { member_id: params.id ?? '' }
  const { id } = await call({ operation: 'startMemberView', params: named, returns: Member })
  const memberId = fromId('mem', id) ?? ''
  await request.database.statements(school.id, db => startView(db, school.id, session.id, memberId))
  return '/'
}

const showRunning = async ({ t, time, call, form: buildForm, frame, session: { view } }: StaffContext) => {
  const title = t(text.title)
  if (view === undefined) return frame({ title, body: html`<p>${t(text.none)}</p>` })
  const params = { member_id: toId('mem', view.memberId) }
  const { name } = await call({ operation: 'getMember', params, returns: Member })
  return frame({
    title,
    body: html`<p>${t(text.running, { name, time: t(text.until, { time: time(view.until) }) })}</p>
${buildForm(mainButton(t(text.button, { name })))}
<p><a href="/">${t(text.toSite, { name })}</a> · <a href="/learn">${t(text.toCourses, { name })}</a></p>`,
  })
}

const end = async ({ call, request, school, session: { id, view } }: StaffContext): Promise<Reply> => {
  if (view === undefined) return redirect(VIEWING_PATH)
  const params = { member_id: toId('mem', view.memberId) }
  await request.database.statements(school.id, db => endView(db, school.id, id))
  await call({ operation: 'endMemberView', params })
  return redirect(`/staff/people/${params.member_id}`)
}

/** GET and POST /staff/people/:id/view and /staff/viewing: seeing the school as somebody else begins and ends. Decision 273. */
export const viewing: StaffSection = {
  pages: [
    page(`GET ${START}`, staff, context => showStart(context)),
    form(`POST ${START}`, staff, context =>
      shownAgain(
        () => start(context),
        refusal => showStart(context, refusal),
      ),
    ),
    page(`GET ${VIEWING_PATH}`, staff, showRunning),
    form(`POST ${VIEWING_PATH}`, staff, end),
  ],
}
