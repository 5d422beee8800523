import type { Static } from 'typebox'
import { quotaExceeded, receiveFormFile } from '#src/areas/files/index.ts'
import {
  type AnswerableVersion as Answerable,
  addPending,
  enquiry,
  type Field,
  FormRef,
  findForm,
  getForm,
  lockForm,
  MAX_FILE_MB,
  noForm,
} from '#src/areas/publishing/forms/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import { multiStepOperation } from '#src/contract/multi-step-operation.ts'
import { operation, type WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody, invalidParameter, rateLimited, signInRequired } from '#src/contract/problems.ts'
import { ensureJob, putJob } from '#src/db/jobs.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { cleanLine } from '#src/kit/text.ts'
import { listFiles } from '../answers/rules.ts'
import { findByToken, insertFiles, insertSubmission } from './queries.ts'
import { alreadySubmitted, DIGEST_SECONDS, formChanged, formNotOpen, UNUSED_SECONDS } from './rules.ts'
import { FormReceipt, FormUpload, FormUploadQuery, NewFormSubmission } from './schema.ts'
import { FORM_TOKENS, issuedAt, LEAST_MS } from './token.rules.ts'
import { applyOnSubmit, checkOpen, getAnswerable, getAnswers } from './writes.ts'

type Submitting = WriteContext<Caller> & { readonly body: Static<typeof NewFormSubmission> }

type Token = { readonly hash: Buffer; readonly issued: Date } | undefined

const readToken = ({ school, body, keyFor }: Submitting, formId: string): Token => {
  const { token } = body
  if (token === undefined) return undefined
  const issued = issuedAt({ key: keyFor(FORM_TOKENS), schoolId: school.id, formId }, token)
  if (issued !== undefined) return { hash: sha256(token), issued }
  throw new Refusal(invalidBody, 'Read the form again.', {
    errors: [{ pointer: '/token', code: 'unknown', message: 'is not a token of this form' }],
  })
}

const buildReceipt = (
  { id, submitted_at }: { readonly id: string; readonly submitted_at: Date },
  formId: string,
  { done_text, redirect_path }: Pick<Answerable, 'done_text' | 'redirect_path'>,
): Static<typeof FormReceipt> => ({ id, form_id: formId, done_text, redirect_path, submitted_at })

const readLine = (text: string | null | undefined, length: number): string | null =>
  cleanLine(text ?? '', length) || null

const store = async (context: Submitting, formId: string, version: Answerable, token: Token): Promise<string> => {
  const { db, school, caller, body, now } = context
  const answers = await getAnswers(context, { id: formId }, version, body.answers)
  const id = newUuid(now.getTime())
  await insertSubmission(db, school.id, {
    id,
    answers,
    now,
    form_id: formId,
    form_version: version.number,
    tokenHash: token?.hash,
    member_id: caller.member?.id ?? null,
    status: (body.trap ?? '') === '' ? 'received' : 'suspected',
    source_page: readLine(body.source?.page, 500),
    source_campaign: readLine(body.source?.campaign, 100),
  })
  await addPending(db, school.id, formId, (body.trap ?? '') !== '')
  const files = listFiles(answers)
  if (files.length > 0) await insertFiles(db, school.id, id, files)
  if (caller.member !== undefined) await applyOnSubmit(context, caller.member.id, version, answers)
  await ensureJob(db, school.id, { kind: 'form_digest', id: formId, seconds: DIGEST_SECONDS })
  return id
}

const submitForm = operation({
  id: 'submitForm',
  route: 'POST /forms/:form_id/submissions',
  summary: 'Submit a form',
  description:
    'Submits answers to a published form; anybody may, without an account. Answers to fields that `show_if` hides are left out. With a token the submission belongs to the member; files are sent before, to the uploads of the form. A form takes 300 submissions an hour.',
  scope: 'none',
  section: 'forms',
  who: 'anyone',
  mode: 'write',
  // A room of people behind one address, and half of what the form takes.
  rateLimit: { times: 150, seconds: 3600, by: 'network', timesOfMember: 60 },
  params: FormRef,
  body: NewFormSubmission,
  returns: FormReceipt,
  status: 201,
  fails: [formNotOpen, formChanged, alreadySubmitted, signInRequired],
  example: {
    params: enquiry,
    body: {
      version: 2,
      answers: [
        { field_id: 'email', value: 'ines@example.com' },
        { field_id: 'topic', value: 'visit' },
      ],
    },
  },
  async handle(context) {
    const { db, school, params, body, now, changed, record } = context
    const form = await lockForm(context, params.form_id)
    if (form.published_version === null) throw noForm()
    const token = readToken(context, form.id)
    const earlier = token && (await findByToken(db, school.id, form.id, token.hash))
    // The texts are those of the published version, which anybody reads.
    if (earlier !== undefined)
      return buildReceipt(earlier, form.id, (await findForm(db, school.id, 'anyone', form.id)) ?? form)
    if (token !== undefined && now.getTime() - token.issued.getTime() < LEAST_MS)
      throw new Refusal(rateLimited, 'The form was answered too fast.', { headers: { 'retry-after': '2' } })
    await checkOpen(context, form)
    const version = await getAnswerable(context, form, body.version)
    const id = await store(context, form.id, version, token)
    const ids = { form_id: toId('frm', form.id), submission_id: toId('fsb', id) }
    changed({ ids: Object.values(ids), fields: [] })
    record({ type: 'form.submitted', payload: { ...ids, version: version.number } })
    return buildReceipt({ id, submitted_at: now }, form.id, version)
  },
})

const acceptedBy = ({ pattern }: Field): 'images' | 'pdf' | 'images_and_pdf' | undefined =>
  pattern === 'images' || pattern === 'pdf' || pattern === 'images_and_pdf' ? pattern : undefined

const createFormUpload = multiStepOperation({
  id: 'createFormUpload',
  route: 'POST /forms/:form_id/uploads',
  summary: 'Send a file to a form',
  description:
    'Sends the bytes of a file that answers a field of a form, as the body. The submission names the file by its `file_id`, within 50 minutes; otherwise it is deleted. A form keeps at most 500 MB that no submission names. Only staff get an address of the file.',
  scope: 'none',
  section: 'forms',
  who: 'anyone',
  mode: 'stream',
  rateLimit: { times: 300, seconds: 3600, by: 'network', timesOfMember: 100 },
  params: FormRef,
  query: FormUploadQuery,
  returns: FormUpload,
  status: 201,
  fails: [formNotOpen, formChanged, signInRequired, quotaExceeded],
  example: { params: enquiry, query: { field_id: 'photo', filename: 'loaf.txt', version: 2 }, content: 'Rye' },
  async runSteps(context) {
    const { school, caller, params, query, read } = context
    const { form, field } = await read(async db => {
      const found = await getForm({ db, school, caller }, params.form_id)
      if (found.published_version === null || found.deleted_at !== null) throw noForm()
      const version = await getAnswerable({ db, school }, found, query.version ?? found.published_version)
      return { form: found, field: version.fields.find(({ id }) => id === query.field_id) }
    })
    if (form.status !== 'published')
      throw new Refusal(formNotOpen, `The form is ${form.status}.`, { members: { state: form.status } })
    if (form.needs_sign_in && caller.member === undefined)
      throw new Refusal(signInRequired, 'Only people who are signed in can submit this form.')
    if (field?.type !== 'file')
      throw new Refusal(invalidParameter, 'field_id is not a field for files of this version.')
    return receiveFormFile(
      context,
      {
        formId: form.id,
        filename: query.filename ?? 'file',
        contentType: query.content_type ?? 'application/octet-stream',
        maxBytes: (field.max ?? MAX_FILE_MB) * 1_000_000,
        now: form.asked_at,
        accepts: acceptedBy(field),
      },
      (db, id) =>
        putJob(db, school.id, {
          kind: 'form_upload',
          id,
          dueAt: new Date(form.asked_at.getTime() + UNUSED_SECONDS * 1000),
        }),
    )
  },
})

/** The operations that anybody may call. */
export const receivingOperations = [createFormUpload, submitForm]
