import { createReadStream } from 'node:fs'
import { FormReceipt, FormUpload } from '#src/areas/publishing/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody, notFound, rateLimited, signInRequired } from '#src/contract/problems.ts'
import { formField } from '#src/kit/form.ts'
import { texts } from '#src/texts/index.ts'
import { type FormFile, type FormWithFiles, noticeFor, redirect } from '#src/web/page/index.ts'
import { answersIn, describeReadings, errorsByField, nameFileInput, nameInput } from '#src/web/questions/index.ts'
import { showAnswering, showSignIn, showState, TRAP } from './page.ts'
import { type FormContext, findVersion, readView } from './parts.ts'

const { refusals } = texts.forms.common

type Pair = readonly [string, string]

type Sent = {
  readonly ids: ReadonlyMap<string, string>
  readonly pairs: readonly Pair[]
  readonly refusal?: Refusal
}

const upload = async ({ view, call }: FormContext, fieldId: string, file: FormFile, version: string) => {
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
  return call({ operation: 'createFormUpload', params: { form_id: view.id }, query, content, returns: FormUpload })
}

const isShown = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.problem !== notFound && error.problem.status < 500

// What was uploaded stays with the form, so that nothing has to be chosen again when it is refused.
const uploadAll = async (
  context: FormContext,
  fieldIds: readonly string[],
  { form, files }: FormWithFiles,
): Promise<Sent> => {
  const ids = new Map<string, string>()
  const pairs: Pair[] = []
  for (const fieldId of fieldIds) {
    const file = files.find(({ field }) => field === nameInput(fieldId))
    if (file === undefined) continue
    try {
      const { file_id: id, name } = await upload(context, fieldId, file, formField(form, 'version'))
      ids.set(fieldId, id)
      pairs.push([nameInput(fieldId), id], [nameFileInput(fieldId), name])
    } catch (error) {
      if (!isShown(error)) throw error
      const errors = [{ pointer: `/answers/${fieldId}`, code: error.extras.errors?.[0]?.code ?? 'other', message: '' }]
      return { ids, pairs, refusal: new Refusal(error.problem, error.message, { errors }) }
    }
  }
  return { ids, pairs }
}

// Two seconds after the page was shown is not long; people wait for it once.
const waitFor = ({ problem, extras }: Refusal): { readonly wait?: number } =>
  problem === rateLimited ? { wait: Number(extras.headers?.['retry-after'] ?? '60') } : {}

/** Submits a form with its files; what was typed is shown again where it is refused. */
export const submitForm = async (context: FormContext, { form, files }: FormWithFiles): Promise<Reply> => {
  const { view, request, language, call } = context
  const number = Number(formField(form, 'version'))
  const version = Number.isSafeInteger(number) && number > 0 ? number : undefined
  const shown = version === undefined ? undefined : await findVersion(context, version)
  const fields = shown?.fields ?? []
  const withFile = (shown?.fields ?? view.fields).filter(({ type }) => type === 'file').map(({ id }) => id)
  const sent = await uploadAll(context, withFile, { form, files })
  const typed = [...sent.pairs, ...form]
  const formToken = formField(form, 'form_token').slice(0, 100)
  const readings = describeReadings(form, fields, language)
  // A form is sent once, so a number that may mean two is shown as it is read before that.
  if (sent.refusal === undefined && readings.length > 0 && formField(form, 'sure') !== '1') {
    const notice = { kind: 'refused', text: readings.join(' ') } as const
    return showAnswering({ typed, errors: new Map(), isSure: true, status: 422, notice, formToken }, context)
  }
  const answers = answersIn(form, fields, { language, files: sent.ids })
  try {
    if (sent.refusal !== undefined) throw sent.refusal
    const receipt = await call({
      operation: 'submitForm',
      params: { form_id: view.id },
      body: {
        version: version ?? 1,
        answers,
        token: formToken,
        trap: formField(form, TRAP).slice(0, 1000),
        source: { page: request.path, campaign: formField(form, 'campaign').slice(0, 100) },
      },
      returns: FormReceipt,
    })
    return redirect(receipt.redirect_path ?? `/forms/${view.slug}?done=1`)
  } catch (error) {
    if (!isShown(error)) throw error
    if (error.problem === signInRequired) return showSignIn(context)
    if (error.problem.code === 'form_not_open') return showState({ ...context, view: await readView(context) }, 409)
    const { status, notice } = noticeFor(error, language, { said: refusals })
    const errors = errorsByField(error.extras.errors ?? [], answers)
    const isNew = error.extras.errors?.some(({ pointer }) => pointer === '/token') === true
    const again = { typed, errors, ...(isNew ? {} : { formToken }) }
    return showAnswering({ ...again, status, notice: notice && { ...notice, ...waitFor(error) } }, context)
  }
}
