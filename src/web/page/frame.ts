import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import type { ModuleName } from '#src/kit/browser-modules.ts'
import { type Html, html } from '#src/kit/html.ts'
import { page, pageHeaders, redirectingPageHeaders } from '#src/kit/html-page.ts'
import { texts } from '#src/texts/index.ts'
import { type Choosing, renderLanguages } from './languages.ts'
import { addModules } from './modules.ts'

/** What is wrong with a field, which has this id on its page. */
export type FieldError = { readonly id: string; readonly text: string }

/** A success or an error shown at the top of a page, which leads to `fields`; `wait` in seconds after too many attempts. */
export type Notice = {
  readonly text: string
  readonly kind: 'done' | 'refused'
  readonly wait?: number
  readonly fields?: readonly FieldError[]
}

/** The parts of an account page. */
export type Framed = {
  /** The school, whose name links to its home page above the sheet. */
  readonly school: School
  readonly language: Language
  readonly title: string
  /** What is above the title. */
  readonly above?: Html | undefined
  readonly body: Html
  /** Whether it contains tables or many fields, which need a wider page. */
  readonly isWide?: boolean
  readonly notice?: Notice | undefined
  readonly status?: number
  /** Whether a form of it leads to another origin, such as the page of a payment provider. */
  readonly leadsAway?: boolean
  /** Who chooses another language below it; unset where nobody can. */
  readonly languages?: Omit<Choosing, 'language'> | undefined
  readonly headers?: Reply['headers']
  /** The modules of src/web/browser that make it better. */
  readonly scripts?: readonly ModuleName[]
}

const chooseStatus = ({ notice, status }: Framed): number => {
  if (status !== undefined) return status
  if (notice?.wait !== undefined) return 429
  return notice?.kind === 'refused' ? 400 : 200
}

/** What was done or is wrong, at the top of a page. */
export const renderNotice = ({ text, kind, fields }: Notice): Html => {
  if (kind === 'done') return html`<p class="done" role="status" id="done">${text}</p>`
  const links = fields?.map(({ id, text }) => html`<a class="line" href="#${id}">${text}</a>`)
  return html`<p class="note" role="alert" id="complaint">${links ?? text}</p>`
}

/** The notice above a form whose fields say what is wrong with them; it leads to each. */
export const buildErrorNotice = (errors: readonly FieldError[]): Notice => ({
  kind: 'refused',
  text: errors.map(({ text }) => text).join(' '),
  fields: errors,
})

/** Says on every page of a test school, whatever its frame, that no money moves in it. */
export const renderTestNote = ({ isTest }: Pick<School, 'isTest'>, language: Language): Html | false =>
  isTest && html`<p class="test-note">${fill(texts.site.common.testSchool, language)}</p>\n`

/** The response with a page; 400 with an error, 429 after too many attempts. */
export const replyWith = (view: Framed, body: string): Reply => {
  const { notice, leadsAway, headers, school, language, scripts } = view
  const retry: Record<string, string> =
    notice?.wait === undefined ? {} : { 'retry-after': String(Math.max(1, notice.wait)) }
  const reply = {
    status: chooseStatus(view),
    headers: { ...(leadsAway ? redirectingPageHeaders : pageHeaders), ...retry, ...headers },
    body,
  }
  return scripts === undefined ? reply : addModules(reply, scripts, { school, language })
}

/** An account page. */
export const framed = (view: Framed): Reply => {
  const { language, title, above, body, notice, school, isWide = false, languages } = view
  return replyWith(
    view,
    page({
      lang: language,
      title,
      isWide,
      brand: { name: school.name, look: school.look, href: '/' },
      body: html`${renderTestNote(school, language)}${above}<h1>${title}</h1>
${notice !== undefined && renderNotice(notice)}
${body}`,
      footer: languages && renderLanguages({ language, ...languages }),
    }),
  )
}

/** How a form is sent, and what modules do for it. */
export type FormTerms = {
  /** By which inputs and buttons elsewhere on the page belong to it. */
  readonly id?: string
  readonly hasFiles?: boolean
  /** Names it among those of its page whose text is kept in the browser until it is saved. Decision 267. */
  readonly draft?: string | undefined
  /** The act that shows it again with what was typed and stores nothing, for one whose parts change, such as the blocks of a page. */
  readonly again?: string
  /** Whether it shows what was typed and is not stored. */
  readonly isUnsaved?: boolean
  /** Who stored something last, and when. */
  readonly changed?: Changed | undefined
}

/** Who stored something, and the instant. */
export type Changed = { readonly by: string; readonly at: string }

const UNNAMED = ['token', 'revision', 'form_key']

/** The name of a form among those of its page whose text is kept: what it is about; undefined for a form without a text of several lines. */
export const nameDraft = ({ html: inside }: Html): string | undefined => {
  if (!inside.includes('<textarea')) return undefined
  const hidden = [...inside.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
  const about = hidden.flatMap(([, name = '', value]) => (UNNAMED.includes(name) ? [] : [`${name}=${value}`]))
  const button = /<button[^>]* name="act" value="([^"]*)"/.exec(inside)?.[1]
  return about.join(' ') || button || 'text'
}

/** The attributes by which modules keep what is typed into a form. */
export const renderDraft = ({ draft, again, isUnsaved = false, changed }: Omit<FormTerms, 'id' | 'hasFiles'>): Html =>
  draft === undefined
    ? html``
    : html` data-draft="${draft}" data-guard${again !== undefined && html` data-again="${again}"`}${isUnsaved && html` data-unsaved`}${changed && html` data-by="${changed.by}" data-at="${changed.at}"`}`

/** A form with its CSRF token; `action` is an address of ours. */
export const renderForm = (action: string, token: string, inside: Html, terms: FormTerms = {}): Html =>
  html`<form method="post" action="${action}"${terms.id && html` id="${terms.id}"`}${terms.hasFiles && html` enctype="multipart/form-data"`}${renderDraft(terms)}>
<input type="hidden" name="token" value="${token}">
${inside}
</form>`

/** The notice for a finished action, if the query names one of these. */
export const doneIn = (
  phrases: Readonly<Record<string, Phrase>>,
  done: string,
  language: Language,
): Notice | undefined => {
  const phrase = Object.hasOwn(phrases, done) ? phrases[done] : undefined
  return phrase && { kind: 'done', text: fill(phrase, language) }
}
