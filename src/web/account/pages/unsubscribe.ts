import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import { html } from '#src/kit/html.ts'
import { framed, mainButton } from '#src/web/page/index.ts'
import { unsubscribeText as text } from './unsubscribe-text.ts'

type UnsubscribeView = {
  readonly school: School
  readonly language: Language
  /** The mails, as the page names them. */
  readonly title: Phrase
  /** The address of the page itself. */
  readonly action: string
}

const values = ({ school, language, title }: UnsubscribeView) => ({ school: school.name, mails: fill(title, language) })

/** The page with the button that turns off mails. Its form has no token: whoever has its address may send it. */
export const unsubscribePage = (view: UnsubscribeView): Reply => {
  const { language, action } = view
  return framed({
    school: view.school,
    language,
    title: fill(text.title, language),
    body: html`<p>${fill(text.what, language, values(view))}</p>
<form method="post" action="${action}">
${mainButton(fill(text.button, language))}
</form>
<p class="quiet">${fill(text.others, language)}</p>`,
  })
}

/** The page after mails were turned off. */
export const unsubscribedPage = (view: UnsubscribeView): Reply => {
  const { language } = view
  return framed({
    school: view.school,
    language,
    title: fill(text.title, language),
    notice: { kind: 'done', text: fill(text.done, language, values(view)) },
    body: html`<p class="quiet">${fill(text.others, language)}</p>
<p class="quiet"><a href="/account/emails">${fill(text.emails.title, language)}</a></p>`,
  })
}
