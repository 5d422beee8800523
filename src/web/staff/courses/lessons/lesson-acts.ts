import { AttachmentPage, LessonDrip } from '#src/areas/courses/index.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type FormFile, type FormWithFiles, formKeyIn, readLine, revisionIn } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { storeCaptions, storeFile } from '../../files/uploads/index.ts'
import type { coursesText } from '../courses/text.ts'
import { assignmentBody } from './assignment.ts'
import { dripBody, lessonBody } from './lesson-fields.ts'
import type { OpenLesson } from './open-lesson.ts'
import { lessonPath } from './place.ts'
import { moveQuestion, quizFields, quizPairs, saveQuiz } from './quiz.ts'

/** What an act is about: the words behind its name in the value of its button. */
type Target = readonly string[]

/** What is said of an act after which the page is shown with what was typed. */
export type Said = keyof typeof coursesText.done

/** What a form on the page of a lesson does; returns the address that follows, or what is said on the same page. */
type Act = (
  context: StaffContext,
  open: OpenLesson,
  sent: FormWithFiles,
  target: Target,
) => Promise<string | { readonly said: Said }>

const listFiles = ({ files }: FormWithFiles, field: string): FormFile[] => files.filter(one => one.field === field)

const readNumber = (text: string | undefined): number => (/^\d{1,9}$/.test(text ?? '') ? Number(text) : 0)

const upload = ({ parts, person }: StaffContext, file: FormFile | undefined, keepOriginal = false): Promise<string> =>
  storeFile(parts, person, file, 'course', keepOriginal)

const change = (context: StaffContext, { lesson }: OpenLesson, revision: number, body: object): Promise<undefined> =>
  context.call({ operation: 'updateLesson', params: { lesson_id: lesson.id }, body, revision })

const uploadMain = (context: StaffContext, { lesson }: OpenLesson, sent: FormWithFiles): Promise<string> =>
  upload(context, listFiles(sent, 'file')[0], lesson.type === 'download')

const attachFile = async (context: StaffContext, { lesson }: OpenLesson, file: FormFile | undefined, key: object) => {
  const body = { file_id: await upload(context, file, true) }
  await context.call({ operation: 'createAttachment', params: { lesson_id: lesson.id }, body, ...key })
}

const attachAll = async (context: StaffContext, open: OpenLesson, sent: FormWithFiles): Promise<void> => {
  const { formKey } = formKeyIn(sent.form)
  for (const [index, file] of listFiles(sent, 'attachment_file').entries()) {
    await attachFile(context, open, file, formKey === undefined ? {} : { formKey: `${formKey}-${index}` })
    // What is attached need not come back with the form.
    delete file.stored
  }
}

type Captions = { readonly language: string; readonly label: string; readonly file_id: string }

const listCaptions = ({ lesson }: OpenLesson): Captions[] =>
  lesson.captions.map(({ language, label, file }) => ({ language, label, file_id: file.file_id }))

const uploadCaptions = async (context: StaffContext, open: OpenLesson, sent: FormWithFiles) => {
  const { form } = sent
  const [language, label] = [readLine(form, 'language'), readLine(form, 'label')]
  const others = listCaptions(open).filter(one => one.language !== language)
  const { fileId, isConverted } = await storeCaptions(
    context.parts,
    context.person,
    listFiles(sent, 'captions_file')[0],
  )
  return { captions: [...others, { language, label, file_id: fileId }], isConverted }
}

// A quiz that nobody has set up yet stays so while its settings are those that it would have.
const chooseQuizBody = (context: StaffContext, { quiz }: OpenLesson, form: Pairs): object | undefined => {
  const body = quizFields.body(form, context)
  const isUsual = JSON.stringify(body) === JSON.stringify(quizFields.body(quizPairs(context, undefined), context))
  return quiz === undefined && isUsual ? undefined : body
}

const saveWork = async (context: StaffContext, open: OpenLesson, form: Pairs): Promise<void> => {
  const { lesson, quiz, assignment } = open
  const revision = readNumber(formField(form, 'work_revision'))
  if (lesson.type === 'quiz') {
    const body = chooseQuizBody(context, open, form)
    if (body !== undefined) await saveQuiz(context, open, { quiz, body, revision })
  }
  if (lesson.type !== 'assignment') return
  if (assignment === undefined && readLine(form, 'instructions') === '') return
  const body = assignmentBody(context, form)
  await context.call({ operation: 'setAssignment', params: { lesson_id: lesson.id }, body, revision })
}

// Whatever was chosen or typed is stored. What cannot be read is refused before anything is written.
const save =
  (status?: 'published'): Act =>
  async (context, open, sent) => {
    const { form } = sent
    const { lesson } = open
    const params = { lesson_id: lesson.id }
    const [body, drip, revision] = [lessonBody(context, form, lesson), dripBody(context, form), revisionIn(form)]
    const hasFile = listFiles(sent, 'file').length > 0
    const hasCaptions = listFiles(sent, 'captions_file').length > 0
    const stored = {
      ...body,
      ...(status === undefined ? {} : { status }),
      ...(hasFile ? { file_id: await uploadMain(context, open, sent) } : {}),
      ...(hasCaptions ? { captions: (await uploadCaptions(context, open, sent)).captions } : {}),
    }
    const call = { operation: 'setLessonDrip', params, body: drip, revision, returns: LessonDrip } as const
    const { revision: next } = await context.call(call)
    await saveWork(context, open, form)
    await change(context, open, next, stored)
    await attachAll(context, open, sent)
    return `${lessonPath(open)}?done=${status === 'published' && lesson.status === 'draft' ? 'shown' : 'saved'}`
  }

const setFile: Act = async (context, open, sent) => {
  await change(context, open, revisionIn(sent.form), { file_id: await uploadMain(context, open, sent) })
  for (const file of listFiles(sent, 'file')) delete file.stored
  return { said: 'uploaded' }
}

const removeFile: Act = async (context, open, { form }) => {
  await change(context, open, revisionIn(form), { file_id: null })
  return { said: 'removed' }
}

const addCaptions: Act = async (context, open, sent) => {
  const { captions, isConverted } = await uploadCaptions(context, open, sent)
  await change(context, open, revisionIn(sent.form), { captions })
  return { said: isConverted ? 'converted' : 'uploaded' }
}

const removeCaptions: Act = async (context, open, { form }, [language]) => {
  const captions = listCaptions(open).filter(one => one.language !== language)
  await change(context, open, revisionIn(form), { captions })
  return { said: 'removed' }
}

const attach: Act = async (context, open, sent) => {
  // Without a file it is refused where the file is chosen.
  if (listFiles(sent, 'attachment_file').length === 0) await attachFile(context, open, undefined, {})
  await attachAll(context, open, sent)
  return { said: 'uploaded' }
}

const renameAttachment: Act = async (context, _open, { form }, [id = '', revision]) => {
  const body = { name: readLine(form, `name_${id}`) }
  const params = { attachment_id: id }
  await context.call({ operation: 'updateAttachment', params, body, revision: readNumber(revision) })
  return { said: 'saved' }
}

const detach: Act = async (context, _open, _sent, [id = '', revision]) => {
  const params = { attachment_id: id }
  await context.call({ operation: 'deleteAttachment', params, revision: readNumber(revision) })
  return { said: 'removed' }
}

const raiseAttachment: Act = async (context, { lesson }, _sent, [id = '']) => {
  const params = { lesson_id: lesson.id }
  const query = [['limit', '50']] as const
  const call = { operation: 'listLessonAttachments', params, query, returns: AttachmentPage }
  const ids = (await context.call(call)).data.map(one => one.id)
  const at = ids.indexOf(id)
  if (at > 0) {
    const order = ids.toSpliced(at, 1).toSpliced(at - 1, 0, id)
    await context.call({ operation: 'reorderAttachments', params, body: { attachment_ids: order } })
  }
  return { said: 'moved' }
}

const stepQuestion =
  (step: 1 | -1): Act =>
  async (context, open, _sent, [id = '', revision]) => {
    await moveQuestion(context, open, open.quiz, { id, revision: readNumber(revision), step })
    return { said: 'moved' }
  }

const restore: Act = async (context, open, { form }, [version = '']) => {
  const params = { lesson_id: open.lesson.id, version_id: version }
  await context.call({ operation: 'restoreLessonVersion', params, revision: revisionIn(form) })
  return `${lessonPath(open)}?done=restored`
}

const acts: Readonly<Record<string, Act>> = {
  save: save(),
  publish: save('published'),
  set_file: setFile,
  remove_file: removeFile,
  add_captions: addCaptions,
  remove_captions: removeCaptions,
  attach,
  rename_attachment: renameAttachment,
  raise_attachment: raiseAttachment,
  detach,
  question_up: stepQuestion(-1),
  question_down: stepQuestion(1),
  restore,
}

/** The name of the act that a form asks for, and what it is about. */
export const readActName = (form: Pairs): readonly [name: string, ...target: string[]] => {
  const [name = '', ...target] = formField(form, 'act').split(' ')
  return [name, ...target]
}

/** What the form of a lesson says to do. Refuses a form that says nothing. */
export const readAct = (form: Pairs): Act => {
  const [name] = readActName(form)
  const act = Object.hasOwn(acts, name) ? acts[name] : undefined
  if (act === undefined) throw new Refusal(formRefused, 'The form has no valid action.')
  return act
}
