import type { Language } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { type FileInput, hidden, renderFileInput, renderLibraryButton } from '#src/web/page/index.ts'

/** A form with one input for files. */
type FileForm = Omit<FileInput, 'name' | 'isRequired'> & {
  readonly action: string
  readonly token: string
  readonly language: Language
  /** What is sent beside the file. */
  readonly fields: Readonly<Record<string, string | number>>
  readonly button: string
  /** More inputs, after the file. */
  readonly more?: Html
}

/** A file with its button that belong to a form elsewhere on the page, which has its token and its revision. */
type FilePart = FileInput &
  Pick<FileForm, 'language' | 'button' | 'more'> & {
    readonly within: string
    /** What the button does. */
    readonly act: string
  }

/** A form that uploads files; the token is its first field, and the input its field `file`. */
export const renderFileForm = (form: FileForm): Html => {
  const { action, token, language, fields, button, more } = form
  return html`<form method="post" action="${action}" enctype="multipart/form-data">
${hidden({ token, ...fields })}${renderFileInput({ ...form, isRequired: true }, language)}${more}<div class="buttons row"><button type="submit">${button}</button>${renderLibraryButton(form, language)}</div>
</form>`
}

/** The same as a part of a form with a text, which the button sends too, so that what was typed stays. */
export const renderFilePart = (part: FilePart): Html => {
  const { within, act, language, button, more } = part
  return html`<div class="file-part">
${renderFileInput(part, language)}${more}<div class="buttons row"><button type="submit" form="${within}" name="act" value="${act}">${button}</button>${renderLibraryButton(part, language)}</div>
</div>`
}
