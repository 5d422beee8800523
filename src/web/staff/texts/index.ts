import type { Reply } from '#src/contract/endpoint.ts'
import { formField } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { markdown } from '#src/web/markdown.ts'
import { answerJson, type FormWithFiles, fileForm, isShown, noticeFor, uploadFormFile } from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../audience.ts'
import { fileRefusals } from '../files/uploads/index.ts'
import { staffText } from '../pages/text.ts'
import type { StaffSection } from '../section.ts'
import { PICTURES, PREVIEW } from './attributes.ts'

export { blockEditor, lessonEditor, plainEditor, postEditor } from './attributes.ts'
export { intoTextPart, isIntoText, putIntoText } from './into-text.ts'

const { intoText: text } = texts.staff

/** A button that shows the text of a field in another window, and leaves its form as it is; behind the main button. */
export const previewButton = (t: StaffContext['t'], name: string): Html =>
  html`<div class="buttons" data-without-scripts><button type="submit" formaction="${PREVIEW}" formtarget="_blank" formnovalidate name="preview" value="plain:${name}">${t(texts.words.previewText)}</button></div>`

const showPreview = async (context: StaffContext, { form: typed }: FormWithFiles): Promise<Reply> => {
  const { t } = context
  const [, kind, name = ''] = /^(plain|page):([\w.]{1,60})$/.exec(formField(typed, 'preview')) ?? []
  const source = formField(typed, name)
  return context.frame({
    title: t(texts.words.previewNotSaved),
    body: html`<section class="card preview" id="text-preview">
<div class="prose" dir="auto">${source.trim() === '' ? html`<p class="quiet">${t(texts.words.noText)}</p>` : markdown(2, source, kind === 'page' ? 'page' : 'lesson')}</div></section>`,
  })
}

const PURPOSES = ['course', 'post', 'page'] as const

const storePicture = async (context: StaffContext, { form: typed, files: [file] }: FormWithFiles): Promise<Reply> => {
  const { t, language, parts, person } = context
  const purpose = PURPOSES.find(one => one === formField(typed, 'purpose'))
  if (file === undefined || purpose === undefined || !file.type.startsWith('image/'))
    return answerJson({ reason: t(text.noPicture) }, 422)
  try {
    const stored = await uploadFormFile(parts.performAs, person, file, { purpose })
    if ('rejectedFor' in stored) return answerJson({ reason: t(text.noPicture) }, 422)
    return answerJson({ id: stored.fileId, url: stored.url })
  } catch (refusal) {
    if (!isShown(refusal)) throw refusal
    const { notice } = noticeFor(refusal, language, { said: { ...staffText.refusals, ...fileRefusals } })
    return answerJson({ reason: notice?.text ?? '' }, refusal.problem.status)
  }
}

/** What the editor of texts asks the server for: a rendered text, and the address of a picture that it stores. */
export const textPages: StaffSection = {
  pages: [
    fileForm(`POST ${PREVIEW}`, courseTeachers, showPreview),
    fileForm(`POST ${PICTURES}`, courseTeachers, storePicture),
  ],
}
