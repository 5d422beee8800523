import { fill, languageOf } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { cleanLine } from '#src/kit/text.ts'
import { type MailKind, mails } from './text.ts'

/** A rendered mail: subject, plain text, and the same in simple HTML. */
type Rendered = { readonly subject: string; readonly text: string; readonly html: string }

const LONGEST_VALUE = 1000

const isKind = (kind: string): kind is MailKind => Object.hasOwn(mails, kind)

const paragraph = (words: string, values: Readonly<Record<string, string>>): Html => {
  if (words === values.code) return html`<p><strong>${words}</strong></p>`
  if (words === values.link || words === values.account) return html`<p><a href="${words}">${words}</a></p>`
  return html`<p>${words}</p>`
}

/** Renders a mail of a kind in the language of a locale; every value becomes one line of visible text. */
export const renderMail = (kind: string, locale: string, input: Readonly<Record<string, string>>): Rendered => {
  if (!isKind(kind)) throw new Error(`there is no mail of the kind ${kind}`)
  const language = languageOf(locale)
  const values = Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, cleanLine(value, LONGEST_VALUE)]),
  )
  const { subject, paragraphs } = mails[kind]
  const words = paragraphs.map(phrase => fill(phrase, language, values))
  const title = fill(subject, language, values)
  const body = html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${title}</title></head><body>
${words.map(line => paragraph(line, values))}
</body></html>
`
  return { subject: title, text: `${words.join('\n\n')}\n`, html: body.html }
}
