import type { Static } from 'typebox'
import { Assignment, OwnSubmission, OwnSubmissionPage } from '#src/areas/learning/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Phrase } from '#src/contract/language.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { idPattern } from '#src/kit/ids.ts'
import { fileReasons } from '#src/web/file-reasons.ts'
import { type FormFile, orNothing, uploadFormFile } from '#src/web/page/index.ts'
import { typedText } from './answers.rules.ts'
import type { Act, Again } from './lesson-acts.ts'
import type { LearnContext } from './parts.ts'
import { workText as text } from './work-text.ts'

/** The assignment of a lesson. */
export type AssignmentView = Encoded<Static<typeof Assignment>>
/** Work that the person handed in. */
export type SubmissionView = Encoded<Static<typeof OwnSubmission>>
/** Work that the person handed in, in a list. */
export type SubmissionEntry = Encoded<Static<typeof OwnSubmissionPage>>['data'][number]

/** An assignment with the work of the person; `latest` is the newest. */
export type OwnWork = {
  readonly assignment: AssignmentView | undefined
  readonly latest: SubmissionView | undefined
  readonly earlier: readonly SubmissionEntry[]
}

const SUBMISSION_ID = new RegExp(idPattern('sbm'))
const FILE_ID = new RegExp(idPattern('fil'))

/** The assignment of a lesson with what the person handed in. */
export const readOwnWork = async ({ call }: LearnContext, lessonId: string): Promise<OwnWork> => {
  const query = [
    ['lesson_id', lessonId],
    ['limit', '100'],
  ] as const
  const [assignment, { data }] = await Promise.all([
    // The lesson may be there before its assignment.
    orNothing(call({ operation: 'getAssignment', params: { lesson_id: lessonId }, returns: Assignment })),
    call({ operation: 'listAccountSubmissions', query, returns: OwnSubmissionPage }),
  ])
  const [latest, ...earlier] = data
  const params = latest && { submission_id: latest.id }
  return {
    assignment,
    latest: params && (await call({ operation: 'getAccountSubmission', params, returns: OwnSubmission })),
    earlier,
  }
}

type SentFile = { readonly id: string; readonly name: string }
type Rejected = { readonly name: string; readonly reason: string }
type Sent = { readonly sent: readonly SentFile[]; readonly rejected: Rejected | undefined }

/** The field with the name of a file that was sent before. */
export const nameField = (fileId: string): string => `name_of_${fileId}`

const upload = async (context: LearnContext, files: readonly FormFile[]): Promise<Sent> => {
  const sent: SentFile[] = []
  for (const file of files) {
    const { name } = file
    const stored = await uploadFormFile(context.parts.performAs, context.person, file, {
      purpose: 'submission',
    })
    if ('rejectedFor' in stored) return { sent, rejected: { name, reason: stored.rejectedFor } }
    sent.push({ id: stored.fileId, name })
  }
  return { sent, rejected: undefined }
}

const keptIn = (form: Pairs): string[] =>
  form.filter(([name, value]) => name === 'file' && FILE_ID.test(value)).map(([, value]) => value)

const workIn = (form: Pairs, fileIds: readonly string[]) => {
  const words = typedText(formField(form, 'text'))
  const link = formField(form, 'link').trim()
  return { text: words.trim() === '' ? null : words, link: link === '' ? null : link, file_ids: fileIds }
}

const refusedAgain = (words: string, form: Pairs, sent: readonly SentFile[]): Again => {
  const fields = sent.flatMap(({ id, name }) => [['file', id] as const, [nameField(id), name] as const])
  return {
    notice: { kind: 'refused', text: words },
    again: { form: [...form, ...fields], errors: new Map(), isSure: false },
  }
}

const rejectionIn = ({ name, reason }: Rejected, { t }: LearnContext): string => {
  const reasons: Readonly<Record<string, Phrase>> = fileReasons
  const why = reasons[reason]
  return `${t(text.rejected, { name })}${why === undefined ? '' : ` ${t(why)}`}`
}

const wordsFor = ({ extras }: Refusal, { t }: LearnContext): string | undefined => {
  const codes = extras.errors?.map(({ code, pointer }) => `${pointer} ${code}`) ?? []
  if (codes.some(code => code.endsWith(' empty'))) return t(text.empty)
  if (codes.some(code => code.startsWith('/link'))) return t(text.badLink)
  return codes.some(code => code.startsWith('/file_ids')) ? t(text.tooMany) : undefined
}

type Send = (work: ReturnType<typeof workIn>) => Promise<void>

// What was uploaded stays with the form, so that nothing has to be chosen again.
const send = async (
  context: LearnContext,
  { form, files }: { readonly form: Pairs; readonly files: readonly FormFile[] },
  store: Send,
): Promise<Again | undefined> => {
  const { sent, rejected } = await upload(context, files)
  if (rejected !== undefined) return refusedAgain(rejectionIn(rejected, context), form, sent)
  try {
    await store(workIn(form, [...keptIn(form), ...sent.map(({ id }) => id)]))
    return undefined
  } catch (error) {
    const words = error instanceof Refusal ? wordsFor(error, context) : undefined
    if (words === undefined) throw error
    return refusedAgain(words, form, sent)
  }
}

/** Hands in work, the first time or again. */
export const handIn: Act = async (context, { course, listed }, form, files) => {
  const again = await send(context, { form, files }, work =>
    context.call({ operation: 'createAccountSubmission', body: { lesson_id: listed.id, ...work } }),
  )
  return again ?? `${course.path}/${listed.id}?done=handed_in`
}

const ownId = (form: Pairs): string => {
  const id = formField(form, 'submission')
  if (!SUBMISSION_ID.test(id)) throw new Refusal(notFound, 'You have no such submission.')
  return id
}

/** Changes work that waits for grading. */
export const changeWork: Act = async (context, { course, listed }, form, files) => {
  const params = { submission_id: ownId(form) }
  const again = await send(context, { form, files }, work =>
    context.call({ operation: 'updateAccountSubmission', params, body: work }),
  )
  return again ?? `${course.path}/${listed.id}?done=handed_in`
}

/** Withdraws work that waits for grading. */
export const withdrawWork: Act = async (context, { course, listed }, form) => {
  await context.call({ operation: 'withdrawAccountSubmission', params: { submission_id: ownId(form) } })
  return `${course.path}/${listed.id}?done=withdrawn`
}
