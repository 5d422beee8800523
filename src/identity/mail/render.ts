import { fill, type Language, sentenceIn, toLanguage } from '#src/contract/language.ts'
import { defaultStyle, type MailStyle } from '#src/contract/look.ts'
import { isButton, isSmall, isTable, type MailButton, type MailKind, type MailPart } from '#src/contract/mail.ts'
import { type Html, html } from '#src/kit/html.ts'
import { isRightToLeft } from '#src/kit/locale.ts'
import { computeInitials } from '#src/kit/mark.ts'
import { cleanLine } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import { htmlTable, leftOut, type StoredRows, textTable } from './rows.ts'
import { buildStyles, darkSheet, type Styles } from './style.ts'

/** A rendered mail: subject, plain text, and the same in HTML. */
type Rendered = { readonly subject: string; readonly text: string; readonly html: string }

/** What fills in a mail, as it is stored. */
export type StoredValues = Readonly<Record<string, string | StoredRows>>

/** What every mail of a school has around its text; images are addresses. */
export type MailFrame = {
  readonly name?: string | undefined
  /** Stands in place of the logo, in the width of the mail. */
  readonly header?: string | undefined
  readonly logo?: string | undefined
  /** The logo in the dark scheme, where it is another one. */
  readonly logoDark?: string | undefined
  /** Whether the logo has the name of the school in it. */
  readonly isWordmark?: boolean
  readonly footer?: string | undefined
  readonly style?: MailStyle
  /** Whether somebody reads replies. */
  readonly takesReplies?: boolean
}

type Part = { readonly text: string; readonly html: Html }

const LONGEST_VALUE = 1000
const words = texts.identity.mail.render

// What one mail is rendered with.
type Context = {
  readonly language: Language
  readonly styles: Styles
  readonly values: Readonly<Record<string, string>>
  readonly tables: Readonly<Record<string, StoredRows>>
}

// A number such as ORD-33 stays on one line of a heading.
const keepNumbers = (heading: string): string => heading.replaceAll(/(?<=[A-Z0-9])-(?=\d)/g, '\u2011')

/** Six digits in two groups of three, as they are easier to remember. */
const groupDigits = (code: string): string => code.replace(/^(\d{3})(\d{3})$/, '$1 $2')

const paragraph = (text: string, { styles }: Context): Part => ({
  text,
  html: html`<p style="${styles.text}">${text}</p>`,
})

const smallParagraph = (text: string, { styles }: Context): Part => ({
  text,
  html: html`<p class="quiet" style="${styles.small}">${text}</p>`,
})

// In the text without a space, since programs offer to copy six digits.
const codePart = (code: string, { styles }: Context): Part => ({
  text: code,
  html: html`<p class="page" style="${styles.code}">${groupDigits(code)}</p>`,
})

const buttonPart = ({ button, to }: MailButton, { language, values, styles }: Context): Part => {
  const [label, address] = [fill(button, language, values), fill(to, language, values)]
  return {
    text: `${label}:\n${address}`,
    html: html`<p style="${styles.action}"><a class="fill" href="${address}" style="${styles.button}">${label}</a></p>`,
  }
}

const buildParts = (part: MailPart, context: Context): Part[] => {
  const { language, values, tables, styles } = context
  if (isTable(part)) {
    const stored = tables[part.rows]
    if (stored === undefined || stored.rows.length === 0) return []
    const rest = leftOut(stored, language)
    const table = { text: textTable(part, tables, language), html: htmlTable(part, tables, language, styles) }
    return rest === undefined ? [table] : [table, paragraph(rest, context)]
  }
  if (isButton(part)) return [buttonPart(part, context)]
  if (isSmall(part)) return [smallParagraph(fill(part.small, language, values), context)]
  const text = fill(part, language, values)
  return [sentenceIn(part, language) === '{code}' ? codePart(text, context) : paragraph(text, context)]
}

// What turns off mails of a kind; only who may turn them off has the address.
const mutePart = ({ mute }: MailKind, { language, values, styles }: Context): Part | undefined => {
  const { unsubscribe } = values
  if (mute === undefined || unsubscribe === undefined) return undefined
  const reason = fill(words.oneOf, language, { title: sentenceIn(mute.title, language) })
  const off = fill(words.turnOff, language)
  return {
    text: `${reason}\n${off}:\n${unsubscribe}`,
    html: html`<p class="quiet" style="${styles.small}">${reason}<br><a class="link" href="${unsubscribe}" style="${styles.link}">${off}</a></p>`,
  }
}

// Line by line, so that it has no invisible characters; in plain text after the usual separator (RFC 3676 §4.3).
const footerPart = ({ footer }: MailFrame, { styles }: Context): Part | undefined => {
  if (footer === undefined) return undefined
  const lines = footer.split(/\r\n|[\n\r\u2028\u2029]/).map(line => cleanLine(line, LONGEST_VALUE))
  return {
    text: `-- \n${lines.join('\n')}`,
    html: html`<p class="quiet" style="${styles.small}">${lines.map((line, at) => html`${at > 0 && html`<br>`}${line}`)}</p>`,
  }
}

const renderName = ({ name = '', logo, logoDark, isWordmark }: MailFrame, styles: Styles): Html => {
  const text = cleanLine(name, 200)
  const beside = html` <strong style="vertical-align:middle;margin-inline-start:8px">${text}</strong>`
  if (logo === undefined)
    return html`<span class="fill" style="${styles.mark};vertical-align:middle" aria-hidden="true">${computeInitials(text)}</span>${beside}`
  const dark = logoDark !== undefined && html`<source srcset="${logoDark}" media="(prefers-color-scheme: dark)">`
  return html`<picture>${dark}<img src="${logo}" alt="${isWordmark && text}" height="44" style="${styles.logo};vertical-align:middle"></picture>${!isWordmark && beside}`
}

const renderHeader = (frame: MailFrame, styles: Styles): Html | undefined => {
  const { header, name } = frame
  if (header !== undefined)
    return html`<p style="margin:0"><img src="${header}" alt="${cleanLine(name ?? '', 200)}" width="560" style="${styles.header}"></p>\n`
  return name === undefined ? undefined : html`<p style="margin:0">${renderName(frame, styles)}</p>\n`
}

type Content = { readonly title: string; readonly heading: string; readonly main: Html[]; readonly foot: Html[] }

// Tables lay it out, since some programs know no other way.
const renderDocument = ({ title, heading, main, foot }: Content, frame: MailFrame, { language, styles }: Context) => {
  const isFull = foot.length > 0
  return html`<!doctype html>
<html lang="${language}"${isRightToLeft(language) && html` dir="rtl"`}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title}</title>
${darkSheet(frame.style ?? defaultStyle)}</head><body class="page" style="${styles.body}"><main>
<table role="presentation" class="page" style="${styles.page}" cellspacing="0" cellpadding="0"><tr><td style="padding:24px 12px">
<table role="presentation" class="box" style="${styles.box}" width="560" align="center" cellspacing="0" cellpadding="0">
<tr><td class="fill" style="${styles.bar}"></td></tr>
<tr><td class="ink" style="${styles.inner}">
${renderHeader(frame, styles)}<h1 class="ink" style="${styles.heading}">${keepNumbers(heading)}</h1>
${main}
</td></tr>
${isFull && html`<tr><td class="quiet line" style="${styles.foot}">\n${foot}\n</td></tr>\n`}</table>
</td></tr></table>
</main></body></html>
`
}

const isRows = (value: string | StoredRows): value is StoredRows => typeof value === 'object'

const buildContext = (locale: string, input: StoredValues, frame: MailFrame): Context => {
  const values: Record<string, string> = {}
  const tables: Record<string, StoredRows> = {}
  for (const [name, value] of Object.entries(input))
    if (isRows(value)) tables[name] = value
    else values[name] = cleanLine(value, LONGEST_VALUE)
  return { language: toLanguage(locale), styles: buildStyles(frame.style ?? defaultStyle), values, tables }
}

/**
 * Renders a mail of a kind in the language of a locale; every value and cell becomes one line of visible text. It says
 * which files could not be attached.
 */
export const renderMail = (
  kind: MailKind,
  locale: string,
  input: StoredValues,
  { missingFiles = [], frame = {} }: { readonly missingFiles?: readonly string[]; readonly frame?: MailFrame } = {},
): Rendered => {
  const context = buildContext(locale, input, frame)
  const { language, values } = context
  const notes = missingFiles.map(name =>
    paragraph(fill(words.missing, language, { name: cleanLine(name, 100) }), context),
  )
  const main = [...kind.paragraphs.flatMap(part => buildParts(part, context)), ...notes]
  const replies = frame.takesReplies === true ? smallParagraph(fill(words.replies, language), context) : undefined
  const foot = [replies, mutePart(kind, context), footerPart(frame, context)].filter(part => part !== undefined)
  const grouped = { ...values, ...(values.code === undefined ? {} : { code: groupDigits(values.code) }) }
  const title = fill(kind.subject, language, grouped)
  const heading = kind.heading === undefined ? title : fill(kind.heading, language, grouped)
  const content = { title, heading, main: main.map(part => part.html), foot: foot.map(part => part.html) }
  const lines = [...(kind.heading === undefined ? [] : [heading]), ...[...main, ...foot].map(part => part.text)]
  return { subject: title, text: `${lines.join('\n\n')}\n`, html: renderDocument(content, frame, context).html }
}
