import { Account } from '#src/areas/people/index.ts'
import { type MailChoice, marketing, notifications } from '#src/contract/mail.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { form, mainButton, page, redirect } from '#src/web/page/index.ts'
import { backLink } from './links.ts'
import { owner } from './parts.ts'

const { emails: text, others } = texts.account.unsubscribe

/** GET and POST /account/emails: which e-mails a person wants. */
export const emailsPages = [
  page('GET /account/emails', owner, async ({ t, form, call, frame, school, language }) => {
    const account = await call({ operation: 'getAccount', returns: Account })
    const wanted = { ...account.notifications, [marketing.key]: account.marketing_consent.granted }
    const box = ({ key, title }: MailChoice) =>
      html`<div class="scope"><input type="checkbox" id="${key}" name="mail" value="${key}"${wanted[key] && html` checked`}><label for="${key}">${t(title)}</label></div>
`
    return frame({
      title: t(texts.words.emailsYouReceive),
      body: html`<p>${t(text.intro, { school: school.name })}</p>
${form(html`${[...notifications, marketing].map(box)}${mainButton(t(texts.words.save))}`)}
<p class="quiet">${t(others)}</p>
${backLink(language)}`,
    })
  }),
  form('POST /account/emails', owner, async ({ call }, typed) => {
    const isTicked = (key: string): boolean => typed.some(([name, value]) => name === 'mail' && value === key)
    const body = {
      notifications: Object.fromEntries(notifications.map(({ key }) => [key, isTicked(key)])),
      marketing_consent: { granted: isTicked(marketing.key) },
    }
    await call({ operation: 'updateAccount', body })
    return redirect('/account?done=profile')
  }),
]
