import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { hidden } from '#src/web/page/index.ts'

/** A form with one file. */
type FileForm = {
  readonly action: string
  readonly token: string
  readonly language: Language
  /** What is sent beside the file. */
  readonly fields: Readonly<Record<string, string | number>>
  /** Unique on the page. */
  readonly id: string
  readonly label: string
  readonly button: string
  /** The types of files that the browser offers, such as `image/png,image/webp`; all of them without. */
  readonly accept?: string
  readonly hint?: string
  /** Why the file that was chosen before is refused. */
  readonly error?: string | undefined
  /** How large the file may be, in a sentence, where it is not 1 GB. */
  readonly limit?: string
  /** More inputs, after the file. */
  readonly more?: Html
}

/** A file with its button that belong to a form elsewhere on the page, which has its token and its revision. */
type FilePart = Omit<FileForm, 'action' | 'token' | 'fields'> & {
  /** The id of the form. */
  readonly within: string
  /** What the button does. */
  readonly act: string
  /** The name of the file among those of the form. */
  readonly name?: string
}

const LIMIT: Phrase = texts.staff.uploads.fileForm.limit

const renderFile = (
  { language, id, label, accept, hint, error, limit }: Omit<FileForm, 'action' | 'token' | 'fields'>,
  attributes: Html,
): Html => {
  const about = [hint, limit ?? fill(LIMIT, language)].filter(text => text !== undefined).join(' ')
  return html`<label for="${id}">${label}</label>
<input id="${id}" type="file"${attributes}${accept !== undefined && html` accept="${accept}"`}${error !== undefined && html` aria-invalid="true"`} aria-describedby="${error !== undefined && `${id}-error `}${id}-hint">
<p class="quiet hint" id="${id}-hint">${about}</p>
${error !== undefined && html`<p class="field-error" id="${id}-error">${error}</p>\n`}`
}

/** A form that uploads one file; the token is its first field, and the file its field `file`. */
export const renderFileForm = (form: FileForm): Html => {
  const { action, token, fields, button, more } = form
  return html`<form method="post" action="${action}" enctype="multipart/form-data">
${hidden({ token, ...fields })}${renderFile(form, html` name="file" required`)}${more}<div class="buttons row"><button type="submit">${button}</button></div>
</form>`
}

/** The same as a part of a form with a text, which the button sends too, so that what was typed stays. */
export const renderFilePart = (part: FilePart): Html => {
  const { within, act, name = 'file', button, more } = part
  return html`<div class="file-part">
${renderFile(part, html` name="${name}" form="${within}"`)}${more}<div class="buttons row"><button type="submit" form="${within}" name="act" value="${act}">${button}</button></div>
</div>`
}
