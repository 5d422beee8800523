import type { Reply } from '#src/contract/endpoint.ts'
import {
  type ActiveCode,
  type CodeBinding,
  findCode,
  proveByMailedCode,
  provenReply,
  readBrowser,
  requestSignInCode,
  type Session,
} from '#src/identity/index.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { form, hidden, mainButton, page, redirect, returnTo } from '#src/web/page/index.ts'
import { showCodePage } from './code-page.ts'
import { type Complaint, changeText } from './complaint.ts'
import { type AccountContext, owner } from './parts.ts'

const { confirm: text } = texts.account

const CONFIRM = '/account/confirm'
const PATH = `${CONFIRM}/code`

const withReturn = (path: string, to: string): string => `${path}?${new URLSearchParams({ return_to: to })}`

// The code is bound to the session in which it was requested.
const buildPlace = (session: Session): CodeBinding & { readonly purpose: 'confirm' } => ({
  boundTo: sha256(`session:${session.id}`),
  purpose: 'confirm',
})

/** Mails a code with which the person confirms who they are and leads to the page for it, or says why not. */
export const sendConfirmCode = async (context: AccountContext, to: string): Promise<Reply | Complaint> => {
  const { request, parts, school, session, viewer, language: locale } = context
  const link = (code: string): string => `${school.siteOrigin}${PATH}?code=${code}`
  const plan = { email: viewer.email, locale, place: buildPlace(session), returnTo: to, link }
  return (await requestSignInCode(request, parts, plan)) ?? redirect(withReturn(PATH, to))
}

type Shown = { readonly to: string; readonly complaint?: Complaint }

const showCode = ({ to, complaint }: Shown, context: AccountContext): Reply => {
  const { t, viewer } = context
  return showCodePage(
    {
      path: PATH,
      intro: t(changeText.code.intro, { email: viewer.email }),
      button: t(text.button),
      again: withReturn(CONFIRM, to),
      hidden: hidden({ return_to: to }),
      complaint,
    },
    context,
  )
}

// Opening the link of the mail has no effect, since a scanner may do so.
const showButton = (to: string, code: string, { t, form: formFor, frame, viewer }: AccountContext): Reply =>
  frame({
    title: t(text.title),
    body: html`<p>${t(texts.words.signedInAs)}: <bdi>${viewer.name}</bdi> (<bdi>${viewer.email}</bdi>)</p>
${formFor(html`${hidden({ return_to: to, code })}${mainButton(t(text.button))}`, PATH)}`,
  })

const find = ({ request, school, session }: AccountContext): Promise<ActiveCode | undefined> =>
  request.database.statements(school.id, db => findCode(db, school.id, buildPlace(session)))

// The same form posted twice gets the same cookie twice.
const prove = async (context: AccountContext, email: string, typed: string, to: string): Promise<Reply | Complaint> => {
  const { request, session, parts } = context
  const place = { ...buildPlace(session), email }
  const proof = await proveByMailedCode(request, parts.secret, place, typed)
  if (proof.kind === 'too_many') return { error: 'too_many_tries', wait: proof.wait }
  if (proof.kind !== 'proven' || proof.memberId !== session.member.id) return { error: 'code' }
  let isFirst = false
  const within = { session, presented: readBrowser(request).session ?? '', address: to }
  const reply = await provenReply(request, within, parts.secret, {
    // RFC 8176: a one-time password.
    amr: ['otp'],
    confirm: async db => {
      isFirst = await proof.confirm(db)
      return isFirst
    },
  })
  if (isFirst && reply !== undefined) await proof.settle()
  return reply ?? { error: 'code' }
}

const readReturn = (typed: Pairs): string => returnTo(formField(typed, 'return_to'))

/** GET and POST /account/confirm/code: the page for the code from the mail, or the button after its link. */
export const confirmCodePages = [
  page(`GET ${PATH}`, owner, async context => {
    const { query } = context
    const found = await find(context)
    const to = found?.return_to ?? returnTo(query.get('return_to') ?? '')
    if (found === undefined || found.is_used) return redirect(withReturn(CONFIRM, to))
    const code = query.get('code')
    return code === null ? showCode({ to }, context) : showButton(to, code.slice(0, 20), context)
  }),
  form(
    `POST ${PATH}`,
    owner,
    async (context, typed) => {
      const to = readReturn(typed)
      const found = await find(context)
      if (found === undefined) return redirect(withReturn(CONFIRM, to))
      const proven = await prove(context, found.email, formField(typed, 'code'), to)
      return 'error' in proven ? showCode({ to, complaint: proven }, context) : proven
    },
    // A sign-in is a proof too.
    readReturn,
  ),
]
