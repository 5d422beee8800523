import { type MailChoice, mailKindsByName } from '#src/contract/mail.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { muteMails, readUnsubscribeToken } from '#src/identity/index.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { mainButton, publicPage, visitors } from '#src/web/page/index.ts'
import type { VisitorContext } from './parts.ts'

const { unsubscribe: text } = texts.account

type Link = { readonly memberId: string; readonly choice: MailChoice }

const readLink = ({ school, params, parts }: VisitorContext): Link => {
  const read = readUnsubscribeToken(parts.secret, school.id, params.token ?? '')
  const choice = read && mailKindsByName(parts.mailKinds).get(read.kind)?.mute
  if (read === undefined || choice === undefined) throw new Refusal(notFound, 'There is no such link.')
  return { memberId: read.memberId, choice }
}

const buildValues = ({ school, t }: VisitorContext, { choice }: Link) => ({
  school: school.name,
  mails: t(choice.title),
})

/**
 * GET and POST /unsubscribe/{token}, the link of mails that a person may turn off. GET changes nothing, since programs that
 * check mails open every link; POST needs no session. Neither shows whose link it is.
 */
export const unsubscribePages = [
  publicPage('GET /unsubscribe/:token', visitors, async (context: VisitorContext) => {
    const { t, frame, request } = context
    return frame({
      title: t(text.title),
      // Without a token: whoever has its address may send the form.
      body: html`<p>${t(text.what, buildValues(context, readLink(context)))}</p>
<form method="post" action="${request.path}">
${mainButton(t(text.button))}
</form>
<p class="quiet">${t(text.others)}</p>`,
    })
  }),
  // RFC 8058 §3.2: the mail program of the recipient sends this, without cookies, as a form of either type. Its body says
  // nothing that the address does not, so it is not read.
  publicPage('POST /unsubscribe/:token', visitors, async (context: VisitorContext) => {
    const { t, frame, request, school } = context
    const { requestId } = request
    const link = readLink(context)
    await request.database.transaction(school.id, (db, now) =>
      muteMails({ db, school, now, requestId }, link.memberId, link.choice),
    )
    return frame({
      title: t(text.title),
      notice: { kind: 'done', text: t(text.done, buildValues(context, link)) },
      body: html`<p class="quiet">${t(text.others)}</p>
<p class="quiet"><a href="/account/emails">${t(texts.words.emailsYouReceive)}</a></p>`,
    })
  }),
]
