import { AttachmentPage } from '#src/areas/courses/index.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type FormFile, type FormWithFiles, readLine, revisionIn } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { storeCaptions, storeFile } from '../../files/uploads/index.ts'
import { buildBinned } from '../../pages/binned.ts'
import { buildPath } from '../courses/frame.ts'
import { dripBody, lessonBody } from './lesson-fields.ts'
import { lessonPath, type Place } from './place.ts'

/** What a form on the page of a lesson does; returns the address that follows. */
type Act = (context: StaffContext, place: Place, sent: FormWithFiles) => Promise<string>

const fileIn = ({ files }: FormWithFiles): FormFile | undefined => files.find(({ field }) => field === 'file')

const upload = ({ parts, person }: StaffContext, sent: FormWithFiles, keepOriginal = false): Promise<string> =>
  storeFile(parts, person, fileIn(sent), 'course', keepOriginal)

const change = (context: StaffContext, { lesson }: Place, form: Pairs, body: object): Promise<undefined> =>
  context.call({ operation: 'updateLesson', params: { lesson_id: lesson.id }, body, revision: revisionIn(form) })

const save: Act = async (context, place, { form }) => {
  await change(context, place, form, lessonBody(context, form, place.lesson))
  return `${lessonPath(place)}?done=saved`
}

const setFile: Act = async (context, place, sent) => {
  await change(context, place, sent.form, { file_id: await upload(context, sent, place.lesson.type === 'download') })
  return `${lessonPath(place)}?done=uploaded#file`
}

const removeFile: Act = async (context, place, { form }) => {
  await change(context, place, form, { file_id: null })
  return `${lessonPath(place)}?done=removed#file`
}

type Captions = { readonly language: string; readonly label: string; readonly file_id: string }

const listCaptions = ({ lesson }: Place): Captions[] =>
  lesson.captions.map(({ language, label, file }) => ({ language, label, file_id: file.file_id }))

const addCaptions: Act = async (context, place, sent) => {
  const { form } = sent
  const [language, label] = [readLine(form, 'language'), readLine(form, 'label')]
  const others = listCaptions(place).filter(one => one.language !== language)
  const { fileId, isConverted } = await storeCaptions(context.parts, context.person, fileIn(sent))
  await change(context, place, form, { captions: [...others, { language, label, file_id: fileId }] })
  return `${lessonPath(place)}?done=${isConverted ? 'converted' : 'uploaded'}#file`
}

const removeCaptions: Act = async (context, place, { form }) => {
  const captions = listCaptions(place).filter(({ language }) => language !== formField(form, 'language'))
  await change(context, place, form, { captions })
  return `${lessonPath(place)}?done=removed#file`
}

const attach: Act = async (context, place, sent) => {
  const name = readLine(sent.form, 'name')
  const body = { file_id: await upload(context, sent, true), ...(name === '' ? {} : { name }) }
  await context.call({ operation: 'createAttachment', params: { lesson_id: place.lesson.id }, body })
  return `${lessonPath(place)}?done=uploaded#files`
}

const attachment = (form: Pairs) => ({
  params: { attachment_id: formField(form, 'attachment') },
  revision: revisionIn(form),
})

const renameAttachment: Act = async (context, place, { form }) => {
  const body = { name: readLine(form, 'name') }
  await context.call({ operation: 'updateAttachment', ...attachment(form), body })
  return `${lessonPath(place)}?done=saved#files`
}

const detach: Act = async (context, place, { form }) => {
  await context.call({ operation: 'deleteAttachment', ...attachment(form) })
  return `${lessonPath(place)}?done=removed#files`
}

const raiseAttachment: Act = async (context, place, { form }) => {
  const params = { lesson_id: place.lesson.id }
  const query = [['limit', '50']] as const
  const call = { operation: 'listLessonAttachments', params, query, returns: AttachmentPage }
  const ids = (await context.call(call)).data.map(({ id }) => id)
  const id = formField(form, 'attachment')
  const at = ids.indexOf(id)
  if (at > 0) {
    const order = ids.toSpliced(at, 1).toSpliced(at - 1, 0, id)
    await context.call({ operation: 'reorderAttachments', params, body: { attachment_ids: order } })
  }
  return `${lessonPath(place)}?done=moved#files`
}

const setDrip: Act = async (context, place, { form }) => {
  const params = { lesson_id: place.lesson.id }
  await context.call({ operation: 'setLessonDrip', params, body: dripBody(context, form), revision: revisionIn(form) })
  return `${lessonPath(place)}?done=saved#release`
}

const move: Act = async (context, place, { form }) => {
  const body = { section_id: formField(form, 'section') }
  const params = { lesson_id: place.lesson.id }
  await context.call({ operation: 'moveLesson', params, body, revision: revisionIn(form) })
  return `${buildPath(place.course)}?done=moved#${place.lesson.id}`
}

const remove: Act = async (context, place, { form }) => {
  const params = { lesson_id: place.lesson.id }
  await context.call({ operation: 'archiveLesson', params, revision: revisionIn(form) })
  return buildBinned(buildPath(place.course), place.lesson.id)
}

const restore: Act = async (context, place, { form }) => {
  const params = { lesson_id: place.lesson.id, version_id: formField(form, 'version') }
  await context.call({ operation: 'restoreLessonVersion', params, revision: revisionIn(form) })
  return `${lessonPath(place)}?done=restored`
}

const acts: Readonly<Record<string, Act>> = {
  save,
  set_file: setFile,
  remove_file: removeFile,
  add_captions: addCaptions,
  remove_captions: removeCaptions,
  attach,
  rename_attachment: renameAttachment,
  raise_attachment: raiseAttachment,
  detach,
  drip: setDrip,
  move,
  remove,
  restore,
}

/** What the form of a lesson says to do. Refuses a form that says nothing. */
export const readAct = (form: Pairs): Act => {
  const name = formField(form, 'act')
  const act = Object.hasOwn(acts, name) ? acts[name] : undefined
  if (act === undefined) throw new Refusal(formRefused, 'The form has no valid action.')
  return act
}
