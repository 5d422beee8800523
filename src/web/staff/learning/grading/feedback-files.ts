import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { hidden } from '#src/web/page/index.ts'
import type { TeacherContext } from '../../audience.ts'
import { checkbox } from '../../pages/fields.ts'
import { workText as text } from './work-text.ts'

/** A file of the feedback, by its id. */
export type KeptFile = { readonly id: string; readonly name: string }

const nameField = (id: string): string => `name_of_${id}`

/** The files that a form keeps, with their names as the page showed them. */
export const keptIn = (form: Pairs): KeptFile[] =>
  form.filter(([name]) => name === 'file').map(([, id]) => ({ id, name: formField(form, nameField(id)) || id }))

/** The files of the feedback so far, each of which can be left out, and an input for more. */
export const feedbackFiles = (files: readonly KeptFile[], { t }: TeacherContext): Html => {
  const kept = ({ id, name }: KeptFile): Html =>
    html`${checkbox('file', name, { isChecked: true, id: `file-${id}`, value: id })}${hidden({ [nameField(id)]: name })}`
  return html`${
    files.length > 0 &&
    html`<fieldset class="below"><legend>${t(text.feedbackFiles)}</legend>
${files.map(kept)}</fieldset>`
  }
<label for="files">${t(text.addFiles)}</label>
<input id="files" name="files" type="file" multiple>`
}
