import { Member } from '#src/areas/people/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import {
  box,
  email,
  fieldsFor,
  form,
  mainButton,
  noticeFor,
  page,
  pasted,
  required,
  shownAgain,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { staffText } from '../../pages/text.ts'
import type { StaffSection } from '../../section.ts'

const { add: text, refusals } = staffText

const PATH = '/staff/people/new'

/** The fields of a new member; `invites` says whether a mail is sent. */
export const memberFields = fieldsFor<{ name: string; email: string; invites: boolean }>()(
  {
    name: { ...text.fields.name, error: refusals['invalid_body name'] },
    email: { ...text.fields.email, error: refusals['invalid_body email'] },
    invites: text.fields.invites,
  },
  { name: required(pasted({ most: 120 })), email: required(email()), invites: box() },
)

type Again = { readonly typed: Pairs; readonly refusal: Refusal }

const show = async (context: StaffContext, again?: Again): Promise<Reply> => {
  const { t, language } = context
  const typed = again?.typed ?? memberFields.pairs({ invites: true }, context)
  const rows = memberFields.rows({ language, typed, refusal: again?.refusal }, ['name', 'email', 'invites'])
  return context.frame({
    title: t(text.title),
    ...noticeFor(again?.refusal, language, { sets: [memberFields], said: refusals }),
    body: html`<p>${t(text.intro)}</p>
${context.form(html`${rows}${mainButton(t(text.button))}`)}
<p class="quiet"><a href="/staff/people">${t(text.back)}</a></p>`,
  })
}

/** GET and POST /staff/people/new. */
export const addMember: StaffSection = {
  pages: [
    page(`GET ${PATH}`, staff, context => show(context)),
    form(`POST ${PATH}`, staff, (context, typed) =>
      shownAgain(
        async () => {
          const { invites = false, ...member } = memberFields.body(typed, context)
          const body = { ...member, send_invitation: invites }
          const { id } = await context.call({ operation: 'createMember', body, returns: Member })
          return `/staff/people/${id}?done=${invites ? 'added_invited' : 'added'}`
        },
        refusal => show(context, { typed, refusal }),
      ),
    ),
  ],
}
