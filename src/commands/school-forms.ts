import { readFile } from 'node:fs/promises'
import { Form, FormExport } from '#src/areas/publishing/index.ts'
import { areas } from '#src/areas.ts'
import type { CallAsOperator, OperatorAtSchool } from '#src/contract/page-call.ts'
import { asOperator } from './as-operator.ts'
import { chooseSchool } from './choose-school.ts'
import { Failed, type Run } from './command.ts'
import { withInstallation } from './installation.ts'

const MAX_BYTES = 20_000_000

type Input = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Input =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

// What `export` writes, a list of forms, or one form.
const formsIn = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value
  if (isRecord(value) && Array.isArray(value.forms)) return value.forms
  return [value]
}

const readForms = async (path: string): Promise<Input[]> => {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new Failed(`${path} cannot be read: ${error.message}`)
  })
  if (text.length > MAX_BYTES) throw new Failed(`${path} has more than 20 MB`)
  const forms = formsIn(parsed(path, text))
  return forms.map((form, index) => {
    if (isRecord(form)) return form
    throw new Failed(`form ${index + 1} of ${path} is not an object`)
  })
}

const parsed = (path: string, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new Failed(`${path} is not JSON`)
  }
}

// A file has no group, and a form needs to say that it has none.
const buildBody = ({ on_submit, ...form }: Input): Input => ({
  ...form,
  ...(isRecord(on_submit) ? { on_submit: { group_id: null, ...on_submit } } : {}),
})

type Verb = (run: Run, performAs: CallAsOperator, at: OperatorAtSchool) => Promise<void>

const store = async (performAs: CallAsOperator, at: OperatorAtSchool, form: Input, slugs: ReadonlySet<string>) => {
  const { slug } = form
  if (typeof slug !== 'string' || !slugs.has(slug))
    return performAs(at, { operation: 'createForm', body: buildBody(form), returns: Form })
  const params = { form_id: `slug:${slug}` }
  return performAs(at, { operation: 'changeForm', params, body: buildBody(form), returns: Form })
}

const importForms: Verb = async (run, performAs, at) => {
  const [, path, ...more] = run.positionals
  if (path === undefined || more.length > 0) throw new Failed(`name one file; usage: ${run.usage}`)
  const inputs = await readForms(path)
  const { forms: before } = await performAs(at, { operation: 'exportForms', returns: FormExport })
  const slugs = new Set(before.map(({ slug }) => slug))
  const stored: { id: string; slug: string; status: string | undefined }[] = []
  for (const input of inputs) {
    const form = await store(performAs, at, input, slugs)
    const call = { operation: 'publishForm', params: { form_id: form.id }, returns: Form }
    const { id, slug, status } = run.options.publish === true ? await performAs(at, call) : form
    slugs.add(slug)
    stored.push({ id, slug, status })
  }
  run.tell(stored, stored.map(({ slug, status }) => `${slug}: ${status}`).join('\n') || 'The file has no form.')
}

const exportForms: Verb = async (run, performAs, at) => {
  const forms = await performAs(at, { operation: 'exportForms', returns: FormExport })
  run.tell(forms, JSON.stringify(forms, null, 2))
}

const verbs: Readonly<Record<string, Verb>> = { import: importForms, export: exportForms }

/** Imports or exports forms, as the arguments say. Each form is one transaction; those before a refused one stay. */
export const runForms = async (run: Run): Promise<void> => {
  const [name = ''] = run.positionals
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
  if (verb === undefined) throw new Failed(`usage: ${run.usage}`)
  await withInstallation(run.config, run.progress, async installation => {
    const { database, secret } = installation
    const school = await chooseSchool(run, installation)
    const parts = { database, secret, storage: run.config.storage, school, areas }
    await asOperator(parts, (performAs, at) => verb(run, performAs, at))
  })
}
