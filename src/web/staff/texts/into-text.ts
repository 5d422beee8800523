import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { type FileUse, type FormWithFiles, field } from '#src/web/page/index.ts'
import type { StaffContext } from '../audience.ts'
import { storeFile } from '../files/uploads/index.ts'

const { intoText: text } = texts.staff

type TextFile = { readonly name: string; readonly file_id: string; readonly content_type: string }

const escapeMarkdown = (words: string): string => words.replace(/[\\[\]]/g, '\\$&')

/** The line of Markdown that shows a picture, or leads to another file. */
const writeLine = ({ name, file_id: id, content_type: type }: TextFile): string =>
  type.startsWith('image/') ? `![${escapeMarkdown(name)}](${id})` : `[${escapeMarkdown(name)}](${id})`

/**
 * The files that a text can name, each with the line that does, and a field for a new picture. It stands in the form of the text
 * behind its main button, and sends the acts `put` and `put_picture`.
 */
export const intoTextPart = ({ t }: StaffContext, files: readonly TextFile[]): Html => {
  const items = files.map(
    file =>
      html`<li class="act"><code>${writeLine(file)}</code><button type="submit" name="put" value="${file.file_id}" aria-label="${t(text.put)}: ${file.name}">${t(text.put)}</button></li>\n`,
  )
  return html`<details class="filters" data-without-scripts><summary>${t(text.title)}</summary>
${items.length > 0 && html`<ul class="list">\n${items}</ul>`}
<label for="text_picture">${t(text.picture)}</label>
<input id="text_picture" name="text_picture" type="file" accept="image/png,image/jpeg,image/webp,image/gif">
${field({ name: 'text_picture_alt', label: t(text.alt), hint: t(text.altHint), value: '', attributes: html`type="text" maxlength="500"` })}
<button type="submit" formenctype="multipart/form-data" name="put" value="picture">${t(text.putPicture)}</button></details>`
}

/** Whether a form asks to put something into its text. */
export const isIntoText = (typed: Pairs): boolean => formField(typed, 'put') !== ''

/**
 * What was typed, with a file of the thing at the end of the text, or the picture that was chosen, which is stored.
 * Refuses a picture that cannot be stored as an invalid body at `/file`.
 */
export const putIntoText = async (
  { parts, person }: Pick<StaffContext, 'parts' | 'person'>,
  { form: typed, files }: FormWithFiles,
  known: readonly TextFile[],
  purpose: FileUse['purpose'],
): Promise<Pairs> => {
  const put = formField(typed, 'put')
  const file = known.find(({ file_id: id }) => id === put)
  const name = formField(typed, 'text_picture_alt').trim()
  const chosen = files.find(one => one.field === 'text_picture')
  const line =
    put === 'picture'
      ? writeLine({ name, file_id: await storeFile(parts, person, chosen, purpose), content_type: 'image/' })
      : file && writeLine(file)
  if (line === undefined) return typed
  const body = formField(typed, 'body').replace(/\s+$/, '')
  const others = typed.filter(([key]) => !['body', 'put', 'text_picture_alt'].includes(key))
  return [...others, ['body', body === '' ? line : `${body}\n\n${line}`]]
}
