import { createReadStream } from 'node:fs'
import { FormReceipt, FormUpload } from '#src/areas/publishing/index.ts'
import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { SignedInPerson, Visitor } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody, notFound, rateLimited, signInRequired } from '#src/contract/problems.ts'
import type { Session } from '#src/identity/index.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { browserBindingOf } from '#src/web/account/index.ts'
import {
  atPage,
  type FormFile,
  type FormWithFiles,
  languageAt,
  redirect,
  sessionOf,
  withFormFiles,
} from '#src/web/page/index.ts'
import { answersIn, describeReadings, errorsByField, fileNameOf, inputOf } from '#src/web/questions/index.ts'
import { signInPage, stateMessage, TRAP } from './pages/form.ts'
import type { FormPagesParts } from './parts.ts'
import { type FormView, readFormOf, shownVersion } from './reads.ts'
import { answerReply } from './show.ts'
import { formsText as text } from './text.ts'

// Ten files of 25 MB, and the fields.
const MAX_BYTES = 252_000_000

type Submitting = {
  readonly request: EndpointRequest
  readonly parts: FormPagesParts
  readonly form: FormView
  readonly session: Session | undefined
  readonly by: SignedInPerson | Visitor
}

type Sent = { readonly ids: ReadonlyMap<string, string>; readonly pairs: Pairs; readonly refusal: Refusal | undefined }

const isField = (file: FormFile, fieldId: string): boolean => file.field === inputOf(fieldId)

const upload = async ({ parts, form, by }: Submitting, fieldId: string, file: FormFile, version: string) => {
  if (file.bytes === 0)
    throw new Refusal(invalidBody, 'The file is empty.', {
      errors: [{ pointer: '', code: 'empty_file', message: 'has 0 bytes' }],
    })
  const query = [
    ['version', version],
    ['field_id', fieldId],
    ['filename', file.name === '' ? 'file' : file.name],
    ['content_type', file.type],
  ] as const
  const content = { length: file.bytes, range: undefined, read: () => createReadStream(file.path) }
  return parts.performAs(by, {
    operation: 'createFormUpload',
    params: { form_id: form.id },
    query,
    content,
    returns: FormUpload,
  })
}

const isShown = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.problem !== notFound && error.problem.status < 500

// What was uploaded stays with the form, so that nothing has to be chosen again when it is refused.
const uploadAll = async (
  submitting: Submitting,
  fieldIds: readonly string[],
  { form, files }: FormWithFiles,
): Promise<Sent> => {
  const ids = new Map<string, string>()
  const pairs: (readonly [string, string])[] = []
  for (const fieldId of fieldIds) {
    const file = files.find(one => isField(one, fieldId))
    if (file === undefined) continue
    try {
      const { file_id: id, name } = await upload(submitting, fieldId, file, formField(form, 'version'))
      ids.set(fieldId, id)
      pairs.push([inputOf(fieldId), id], [fileNameOf(fieldId), name])
    } catch (error) {
      if (!isShown(error)) throw error
      const errors = [{ pointer: `/answers/${fieldId}`, code: error.extras.errors?.[0]?.code ?? 'other', message: '' }]
      return { ids, pairs, refusal: new Refusal(error.problem, error.message, { errors }) }
    }
  }
  return { ids, pairs, refusal: undefined }
}

const wordsFor = ({ problem: { code } }: Refusal, language: Language): string => {
  const phrases: Readonly<Record<string, (typeof text.refusals)[keyof typeof text.refusals]>> = text.refusals
  return fill((Object.hasOwn(phrases, code) ? phrases[code] : undefined) ?? text.refusals.other, language)
}

// Two seconds after the page was shown is not long; people wait for it once.
const noticeOf = (refusal: Refusal, language: Language) => ({
  kind: 'refused' as const,
  text: wordsFor(refusal, language),
  ...(refusal.problem === rateLimited ? { wait: Number(refusal.extras.headers?.['retry-after'] ?? '60') } : {}),
})

const submitAs = async (submitting: Submitting, sent: FormWithFiles): Promise<Reply> => {
  const { request, parts, form, session, by } = submitting
  const language = languageAt(request, session)
  const version = Number(formField(sent.form, 'version'))
  const shown = Number.isSafeInteger(version) && version > 0 ? await shownVersion(request, form, version) : undefined
  const fields = shown?.fields ?? form.fields.map(({ id, type }) => ({ id, type }))
  const files = await uploadAll(
    submitting,
    fields.filter(({ type }) => type === 'file').map(({ id }) => id),
    sent,
  )
  const typed = [...files.pairs, ...sent.form]
  const answers = answersIn(sent.form, shown?.fields ?? [], { language, files: files.ids })
  const readings = describeReadings(sent.form, shown?.fields ?? [], language)
  // A form is sent once, so a number that may mean two is shown as it is read before that.
  if (files.refusal === undefined && readings.length > 0 && formField(sent.form, 'sure') !== '1')
    return answerReply(
      request,
      parts,
      { form, session },
      {
        ...{ typed, errors: new Map(), isSure: true, status: 422 },
        notice: { kind: 'refused', text: readings.join(' ') },
        formToken: formField(sent.form, 'form_token').slice(0, 100),
      },
    )
  try {
    if (files.refusal !== undefined) throw files.refusal
    const campaign = formField(sent.form, 'campaign').slice(0, 100)
    const receipt = await parts.performAs(by, {
      operation: 'submitForm',
      params: { form_id: form.id },
      body: {
        ...{ version: Number.isSafeInteger(version) && version > 0 ? version : 1, answers },
        token: formField(sent.form, 'form_token').slice(0, 100),
        trap: formField(sent.form, TRAP).slice(0, 1000),
        source: { page: request.path, campaign },
      },
      returns: FormReceipt,
    })
    return redirect(receipt.redirect_path ?? `/forms/${form.slug}?done=1`)
  } catch (error) {
    if (!isShown(error)) throw error
    const view = { school: request.school, language, form }
    if (error.problem === signInRequired) return signInPage(view)
    if (error.problem.code === 'form_not_open')
      return stateMessage({ ...view, form: await readFormOf(request, parts), status: 409 })
    return answerReply(
      request,
      parts,
      { form, session },
      {
        typed,
        errors: errorsByField(error.extras.errors ?? [], answers),
        notice: noticeOf(error, language),
        status: error.problem.status,
        ...(error.extras.errors?.some(({ pointer }) => pointer === '/token') === true
          ? {}
          : { formToken: formField(sent.form, 'form_token').slice(0, 100) }),
      },
    )
  }
}

/** POST /forms/:slug: submits a form, with its files; what was typed is shown again where it is refused. */
export const submitForm = async (request: EndpointRequest, parts: FormPagesParts): Promise<Reply> => {
  const form = await readFormOf(request, parts)
  const session = await sessionOf(request)
  const bound = session === undefined ? { browserBinding: browserBindingOf(request) ?? '' } : { session }
  const { school, requestId, network } = request
  const by = session === undefined ? { school, requestId, network } : atPage(request, session)
  return withFormFiles({ request, secret: parts.secret, maxBytes: MAX_BYTES, ...bound }, sent =>
    submitAs({ request, parts, form, session, by }, sent),
  )
}
