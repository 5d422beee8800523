import { fill, type Language, type Phrase, sentenceIn, toLanguage } from '#src/contract/language.ts'
import { isTable, type MailKind, type MailTable } from '#src/contract/mail.ts'
import { type Html, html } from '#src/kit/html.ts'
import { isRightToLeft } from '#src/kit/locale.ts'
import { cleanLine } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import { htmlTable, leftOut, type StoredRows, textTable } from './rows.ts'

/** A rendered mail: subject, plain text, and the same in simple HTML. */
type Rendered = { readonly subject: string; readonly text: string; readonly html: string }

/** What fills in a mail, as it is stored. */
export type StoredValues = Readonly<Record<string, string | StoredRows>>

/** What a school has above and below the text of every mail: its name stands where it has no image. */
export type MailFrame = {
  readonly name?: string | undefined
  readonly header?: { readonly src: string; readonly alt: string } | undefined
  readonly footer?: string | undefined
}

type Part = { readonly text: string; readonly html: Html }

const LONGEST_VALUE = 1000
const LINKS = ['link', 'account', 'unsubscribe']

const missing: Phrase = texts.identity.mail.render.missing

const paragraph = (words: string, alone: string | undefined): Part => {
  if (alone === 'code') return { text: words, html: html`<p><strong style="${CODE}">${words}</strong></p>` }
  if (alone !== undefined && LINKS.includes(alone))
    return { text: words, html: html`<p><a href="${words}">${words}</a></p>` }
  return { text: words, html: html`<p>${words}</p>` }
}

const tableParts = (table: MailTable, stored: StoredRows, language: Language): Part[] => {
  if (stored.rows.length === 0) return []
  const rest = leftOut(stored, language)
  const whole = { text: textTable(table, stored, language), html: htmlTable(table, stored, language) }
  return rest === undefined ? [whole] : [whole, paragraph(rest, undefined)]
}

const isRows = (value: string | StoredRows | undefined): value is StoredRows => typeof value === 'object'

// No colors: a reader in the dark scheme has those of their own.
const SHEET =
  "max-width:560px;margin:0 auto;padding:24px 20px;font:16px/1.6 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-variant-numeric:lining-nums;overflow-wrap:anywhere"
const CODE = 'font-size:32px;letter-spacing:0.12em'
const NAME = 'margin:0 0 24px;font-size:20px;font-weight:600'

const renderHeader = ({ header, name }: MailFrame): Html | undefined => {
  if (header !== undefined)
    return html`<p><img src="${header.src}" alt="${header.alt}" width="560" style="max-width:100%;height:auto"></p>\n`
  return name === undefined ? undefined : html`<p style="${NAME}">${cleanLine(name, LONGEST_VALUE)}</p>\n`
}

// Line by line, so that it has no invisible characters; in plain text after the usual separator (RFC 3676 §4.3).
const buildFooter = ({ footer }: MailFrame): Part[] => {
  if (footer === undefined) return []
  const lines = footer.split(/\r\n|[\n\r\u2028\u2029]/).map(line => cleanLine(line, LONGEST_VALUE))
  return [
    {
      text: `-- \n${lines.join('\n')}`,
      html: html`<hr>\n<p>${lines.map((line, at) => html`${at > 0 && html`<br>`}${line}`)}</p>`,
    },
  ]
}

/**
 * Renders a mail of a kind in the language of a locale; every value and cell becomes one line of visible text. It says
 * which files could not be attached.
 */
export const renderMail = (
  { subject, paragraphs }: MailKind,
  locale: string,
  input: StoredValues,
  { missingFiles = [], frame = {} }: { readonly missingFiles?: readonly string[]; readonly frame?: MailFrame } = {},
): Rendered => {
  const language = toLanguage(locale)
  const values = Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) =>
      isRows(value) ? [] : [[name, cleanLine(value, LONGEST_VALUE)] as const],
    ),
  )
  const parts = paragraphs.flatMap(part => {
    if (!isTable(part))
      return [paragraph(fill(part, language, values), /^\{(\w+)\}$/.exec(sentenceIn(part, language))?.[1])]
    const rows = input[part.rows]
    return isRows(rows) ? tableParts(part, rows, language) : []
  })
  const notes = missingFiles.map(name => paragraph(fill(missing, language, { name: cleanLine(name, 100) }), undefined))
  const all = [...parts, ...notes, ...buildFooter(frame)]
  const title = fill(subject, language, values)
  const body = html`<!doctype html>
<html lang="${language}"${isRightToLeft(language) && html` dir="rtl"`}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title}</title></head><body style="margin:0">
<div style="${SHEET}">
${renderHeader(frame)}${all.map(part => part.html)}
</div>
</body></html>
`
  return { subject: title, text: `${all.map(part => part.text).join('\n\n')}\n`, html: body.html }
}
