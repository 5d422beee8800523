import { describeNotes } from '#src/contract/body.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { preconditionFailed } from '#src/contract/problems.ts'
import { formField } from '#src/kit/form.ts'
import {
  type FormWithFiles,
  fileForm,
  isShown,
  noticeFor,
  page,
  readLine,
  redirect,
  TAKE_THEIRS,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { fileRefusals } from '../../files/uploads/index.ts'
import { staffText } from '../../pages/text.ts'
import type { StaffSection } from '../../section.ts'
import { actAlone, afterSaving, isSavingAct, readPage, save } from './acts.ts'
import { blockErrorsIn } from './block-errors.ts'
import { rearranged, typedTexts } from './blocks.rules.ts'
import { conflictPart } from './conflict.ts'
import { editPage } from './edit-page.ts'
import type { EditView } from './edit-view.ts'
import { errorsIn, type FieldErrors } from './errors.ts'
import { optionsFor } from './options.ts'
import { type Edited, editedIn, editedPage } from './page-form.ts'
import { editorErrors, editorText as text } from './text.ts'
import { type FieldRefusal, uploadedIn } from './uploads.ts'

type Shown = Partial<Omit<EditView, 'page' | 'options' | 'errors' | 'conflict'>> & {
  readonly files?: readonly FieldRefusal[]
  /** What was typed where somebody took what is stored. */
  readonly given?: Edited
}

// The detail begins with the path that is taken: that of the page, or one that should lead to it.
const takenPath = ({ message }: Refusal, form: Edited['form']): 'path' | 'redirects' =>
  message.startsWith(`${readLine(form, 'path')} `) ? 'path' : 'redirects'

// What is wrong with each field: by the refusal of a write, or of a file.
const listErrors = (
  { t, language }: StaffContext,
  { form, blocks }: Edited,
  { refusal, files = [] }: Pick<Shown, 'refusal' | 'files'>,
): FieldErrors =>
  new Map([
    ...(refusal?.problem.code === 'path_taken' ? [[takenPath(refusal, form), t(text.pathTaken)] as const] : []),
    ...[...errorsIn(refusal, language, editorErrors)].filter(([name]) => !name.startsWith('blocks')),
    ...blockErrorsIn(refusal?.extras.errors ?? [], blocks, language),
    ...files.map(
      ({ name, refusal: one }) =>
        [
          name,
          noticeFor(one, language, { said: { ...staffText.refusals, ...fileRefusals } }).notice?.text ?? '',
        ] as const,
    ),
  ])

const notesOn = ({ blocks }: Edited, { language }: StaffContext): string[] =>
  describeNotes('page', typedTexts(blocks), language)

const editor = async (context: StaffContext, shown: Shown = {}): Promise<Reply> => {
  const page = await readPage(context)
  const { refusal = shown.files?.[0]?.refusal, isUnsaved = false, isSaved = false, current, done, preview } = shown
  const stored = editedPage(page, context)
  const edited = shown.edited ?? stored
  const options = await optionsFor(context, page, [...edited.blocks, ...stored.blocks, ...(shown.given?.blocks ?? [])])
  return editPage(context, {
    page,
    conflict: conflictPart(context, {
      stored,
      typed: shown.given ?? edited,
      isTaken: shown.given !== undefined,
      refusal,
      options,
    }),
    edited,
    refusal,
    isUnsaved,
    isSaved,
    current,
    done,
    preview,
    notes: shown.notes ?? notesOn(edited, context),
    options,
    revision: shown.revision ?? String(page.revision),
    errors: listErrors(context, edited, shown),
  })
}

// The form goes on to be about the revision that it showed, unless it shows what somebody else has stored.
const refused = async (context: StaffContext, edited: Edited, error: unknown, saved?: number): Promise<Reply> => {
  if (!isShown(error)) throw error
  const isStale = error.problem === preconditionFailed
  const revision = saved === undefined ? formField(edited.form, 'revision') : String(saved)
  const [isSaved, isUnsaved] = [saved !== undefined, saved === undefined]
  return editor(context, { edited, refusal: error, isSaved, isUnsaved, ...(isStale ? {} : { revision }) })
}

const alone = async (context: StaffContext, edited: Edited): Promise<Reply> => {
  try {
    return redirect(await actAlone(context, edited))
  } catch (error) {
    if (!isShown(error)) throw error
    // These forms have no fields of the page, so it is shown as it is stored.
    return showAgain(context, edited, error)
  }
}

const showAgain = async (context: StaffContext, { form }: Edited, refusal: Refusal): Promise<Reply> => {
  const stored = editedPage(await readPage(context), context)
  const typed = form.filter(([name]) => ['act', 'form_key', 'copy_title', 'confirm'].includes(name))
  return editor(context, { edited: { ...stored, form: [...stored.form, ...typed] }, refusal })
}

// What was removed is not stored, so it is said at once, and not on the page to which the browser would be led.
const answerSaved = async (context: StaffContext, edited: Edited, address: string): Promise<Reply> => {
  const notes = notesOn(edited, context)
  if (notes.join() === notesOn(editedPage(await readPage(context), context), context).join()) return redirect(address)
  const [path = '', query = ''] = address.split('?')
  const done = new URLSearchParams(query).get('done')
  return editor(context, done === null ? { notes, done: 'saved', preview: path } : { notes, done })
}

const submit = async (context: StaffContext, sent: FormWithFiles): Promise<Reply> => {
  if (formField(sent.form, 'act') === TAKE_THEIRS) return editor(context, { given: editedIn(sent.form) })
  const { form, refusals: files } = await uploadedIn(context, sent)
  const edited = editedIn(form)
  const act = formField(form, 'act')
  const revision = formField(form, 'revision')
  const moved = rearranged(edited.blocks, act, formField(form, 'add_type'))
  if (files.length > 0) return editor(context, { edited, revision, files, isUnsaved: true })
  if (moved !== undefined) {
    const { blocks, at: current } = moved
    return editor(context, { edited: { ...edited, blocks }, revision, isUnsaved: true, current })
  }
  if (!isSavingAct(act)) return alone(context, edited)
  let saved: number | undefined
  try {
    saved = await save(context, edited)
    return await answerSaved(context, edited, await afterSaving(context, act, { edited, revision: saved }))
  } catch (error) {
    return refused(context, edited, error, saved)
  }
}

/** GET and POST /staff/pages/:id. */
export const pageEdit: StaffSection = {
  // The list leads to each page.
  pages: [
    page('GET /staff/pages/:id', staff, context => editor(context)),
    fileForm('POST /staff/pages/:id', staff, submit),
  ],
}
