import type { Static } from 'typebox'
import { Assignment, OwnSubmission, OwnSubmissionPage } from '#src/areas/learning/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { fill, type Phrase } from '#src/contract/language.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { idPattern } from '#src/kit/ids.ts'
import { fileReasons } from '#src/web/file-reasons.ts'
import { atPage, type FormFile, uploadFormFile } from '#src/web/page/index.ts'
import { typedText } from './answers.rules.ts'
import type { Act, Again } from './lesson-acts.ts'
import type { LearnPagesParts } from './parts.ts'
import { perform, read, type Visit } from './visit.ts'
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

const findAssignment = async (
  visit: Visit,
  parts: LearnPagesParts,
  id: string,
): Promise<AssignmentView | undefined> => {
  try {
    return await read(visit, parts, { operation: 'getAssignment', params: { lesson_id: id }, returns: Assignment })
  } catch (error) {
    // The lesson may be there before its assignment.
    if (error instanceof Refusal && error.problem === notFound) return undefined
    throw error
  }
}

const getSubmission = (visit: Visit, parts: LearnPagesParts, id: string): Promise<SubmissionView> =>
  read(visit, parts, { operation: 'getAccountSubmission', params: { submission_id: id }, returns: OwnSubmission })

/** The assignment of a lesson with what the person handed in. */
export const getOwnWork = async (visit: Visit, parts: LearnPagesParts, lessonId: string): Promise<OwnWork> => {
  const query = [
    ['lesson_id', lessonId],
    ['limit', '100'],
  ] as const
  const [assignment, { data }] = await Promise.all([
    findAssignment(visit, parts, lessonId),
    read(visit, parts, { operation: 'listAccountSubmissions', query, returns: OwnSubmissionPage }),
  ])
  const [latest, ...earlier] = data
  return { assignment, latest: latest && (await getSubmission(visit, parts, latest.id)), earlier }
}

type SentFile = { readonly id: string; readonly name: string }
type Rejected = { readonly name: string; readonly reason: string }
type Sent = { readonly sent: readonly SentFile[]; readonly rejected: Rejected | undefined }

/** The field with the name of a file that was sent before. */
export const nameField = (fileId: string): string => `name_of_${fileId}`

const upload = async (visit: Visit, parts: LearnPagesParts, files: readonly FormFile[]): Promise<Sent> => {
  const sent: SentFile[] = []
  for (const file of files) {
    const { name } = file
    const stored = await uploadFormFile(parts.performAs, atPage(visit.request, visit.session), file, {
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

const rejectionIn = ({ name, reason }: Rejected, { language }: Visit): string => {
  const reasons: Readonly<Record<string, Phrase>> = fileReasons
  const why = reasons[reason]
  return `${fill(text.rejected, language, { name })}${why === undefined ? '' : ` ${fill(why, language)}`}`
}

const wordsFor = ({ extras }: Refusal, { language }: Visit): string | undefined => {
  const codes = extras.errors?.map(({ code, pointer }) => `${pointer} ${code}`) ?? []
  if (codes.some(code => code.endsWith(' empty'))) return fill(text.empty, language)
  if (codes.some(code => code.startsWith('/link'))) return fill(text.badLink, language)
  return codes.some(code => code.startsWith('/file_ids')) ? fill(text.tooMany, language) : undefined
}

type Send = (work: ReturnType<typeof workIn>) => Promise<void>

// What was uploaded stays with the form, so that nothing has to be chosen again.
const send = async (
  visit: Visit,
  parts: LearnPagesParts,
  { form, files }: { readonly form: Pairs; readonly files: readonly FormFile[] },
  store: Send,
): Promise<Again | undefined> => {
  const { sent, rejected } = await upload(visit, parts, files)
  if (rejected !== undefined) return refusedAgain(rejectionIn(rejected, visit), form, sent)
  try {
    await store(workIn(form, [...keptIn(form), ...sent.map(({ id }) => id)]))
    return undefined
  } catch (error) {
    const words = error instanceof Refusal ? wordsFor(error, visit) : undefined
    if (words === undefined) throw error
    return refusedAgain(words, form, sent)
  }
}

/** Hands in work, the first time or again. */
export const handIn: Act = async (visit, parts, { course, listed }, form, files) => {
  const again = await send(visit, parts, { form, files }, work =>
    perform(visit, parts, { operation: 'createAccountSubmission', body: { lesson_id: listed.id, ...work } }),
  )
  return again ?? `${course.path}/${listed.id}?done=handed_in`
}

const ownId = (form: Pairs): string => {
  const id = formField(form, 'submission')
  if (!SUBMISSION_ID.test(id)) throw new Refusal(notFound, 'You have no such submission.')
  return id
}

/** Changes work that waits for grading. */
export const changeWork: Act = async (visit, parts, { course, listed }, form, files) => {
  const params = { submission_id: ownId(form) }
  const again = await send(visit, parts, { form, files }, work =>
    perform(visit, parts, { operation: 'updateAccountSubmission', params, body: work }),
  )
  return again ?? `${course.path}/${listed.id}?done=handed_in`
}

/** Withdraws work that waits for grading. */
export const withdrawWork: Act = async (visit, parts, { course, listed }, form) => {
  await perform(visit, parts, { operation: 'withdrawAccountSubmission', params: { submission_id: ownId(form) } })
  return `${course.path}/${listed.id}?done=withdrawn`
}
