import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type { Static } from 'typebox'
import { Course } from '#src/areas/courses/index.ts'
import { Upload } from '#src/areas/files/index.ts'
import { Import } from '#src/areas/moving/index.ts'
import { areas } from '#src/areas.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { type AsMember, asMember } from './as-member.ts'
import { chooseSchool } from './choose-school.ts'
import { Failed, type Run } from './command.ts'
import { type Plan, readPlan } from './import-plan.ts'
import { withInstallation } from './installation.ts'

type ImportView = Encoded<Static<typeof Import>>

const POLL_MS = 500

// Longer than a server needs until it looks for work, and than a piece of another import takes.
const PATIENCE_MS = 120_000

/** An import that a command has begun. */
type Begun = { readonly as: AsMember; readonly run: Run; readonly plan: Plan; readonly id: string }

const nouns = { people: 'MemberImport', learning: 'EnrollmentImport' } as const

const perform = (
  { as: { person, performAs }, plan }: Omit<Begun, 'id'>,
  verb: string,
  call: Omit<PageCall<undefined>, 'operation' | 'returns'>,
): Promise<ImportView> => performAs(person, { ...call, operation: `${verb}${nouns[plan.kind]}`, returns: Import })

const measure = async (path: string): Promise<number> => {
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() !== true) throw new Failed(`there is no file ${path}`)
  return found.size
}

const storeFile = async ({ person, performAs }: AsMember, { path, type }: Plan): Promise<string> => {
  const length = await measure(path)
  const body = { filename: basename(path), content_type: type, byte_size: length, purpose: 'import' }
  const { id } = await performAs(person, { operation: 'createUpload', body, returns: Upload })
  const params = { upload_id: id }
  const content = { length, range: undefined, read: () => createReadStream(path) }
  await performAs(person, { operation: 'setUploadContent', params, content, returns: Upload })
  const { rejected_for: reason } = await performAs(person, { operation: 'completeUpload', params, returns: Upload })
  if (reason != null) throw new Failed(`the file cannot be stored: ${reason}`)
  return id
}

// The server works on it; this only looks how far it is.
const settle = async (begun: Begun, status: ImportView['status']): Promise<ImportView> => {
  const params = { import_id: begun.id }
  let seen = -1
  let since = Date.now()
  for (;;) {
    const item = await perform(begun, 'get', { params })
    if (item.status !== status) return item
    if (item.progress !== seen) [seen, since] = [item.progress, Date.now()]
    if (Date.now() - since > PATIENCE_MS)
      throw new Failed(`no server goes on with ${begun.id}; a running server does the work: stoa serve`)
    begun.run.progress(`${status}: ${item.progress} %`)
    await wait(POLL_MS)
  }
}

// `Joined=joined_at:day_month_year` says how its dates are written, too.
const splitFormat = (text: string): { readonly field: string; readonly format?: string } => {
  const [field = '', format] = text.startsWith('custom:') ? [text] : text.split(':')
  return format === undefined ? { field } : { field, format }
}

const buildMapping = ({ mapping, format }: ImportView, { columns }: Plan) => {
  const headings = format?.columns ?? []
  const named = columns.map(([heading, text]) => {
    const column = headings.find(one => one.heading === heading)
    if (column === undefined)
      throw new Failed(`the file has no column "${heading}"; it has ${headings.map(one => one.heading).join(', ')}`)
    return { column: column.index, ...splitFormat(text) }
  })
  return [...mapping.filter(({ column }) => !named.some(one => one.column === column)), ...named]
}

const readCourse = async ({ person, performAs }: AsMember, slug: string): Promise<string> => {
  const params = { course_id: `slug:${slug}` }
  return (await performAs(person, { operation: 'getCourse', params, returns: Course })).id
}

const check = async (begun: Begun): Promise<ImportView> => {
  const { as, plan, id } = begun
  const params = { import_id: id }
  const read = await settle(begun, 'reading')
  if (read.status === 'unreadable') throw new Failed(`the file cannot be read: ${read.problem?.message}`)
  const course = plan.course === undefined ? {} : { course_id: await readCourse(as, plan.course) }
  const body = { mapping: buildMapping(read, plan), options: { ...course, ...plan.options } }
  await perform(begun, 'update', { params, body, revision: read.revision })
  await perform(begun, 'check', { params })
  return settle(begun, 'checking')
}

const writeReport = async ({ as: { person, exportAs }, plan, id }: Begun, path: string): Promise<void> => {
  const operation = `list${nouns[plan.kind]}Rows`
  const { body = '' } = await exportAs(person, { operation, params: { import_id: id }, dialect: 'spreadsheet' })
  await pipeline(Readable.from(typeof body === 'string' ? [body] : body), createWriteStream(path))
}

const describe = ({ counts }: ImportView): string =>
  (['created', 'updated', 'unchanged', 'skipped', 'failed'] as const).map(name => `${counts[name]} ${name}`).join(', ')

const work = async (run: Run, plan: Plan, as: AsMember): Promise<void> => {
  const { id } = await perform({ as, run, plan }, 'create', { body: { upload_id: await storeFile(as, plan) } })
  const begun = { as, run, plan, id }
  let item = await check(begun)
  if (item.status !== 'checked') throw new Failed(`the check of ${id} ended early: the import is ${item.status}`)
  if (plan.isRun) {
    await perform(begun, 'run', { params: { import_id: id }, revision: item.revision })
    item = await settle(begun, 'running')
  }
  if (plan.report !== undefined) await writeReport(begun, plan.report)
  run.tell(item, `${plan.isRun ? 'Imported' : 'Checked'} ${id}: ${describe(item)}.`)
  if (item.status === 'stopped') throw new Failed(`the import stopped: ${item.problem?.message}`)
  if (item.counts.failed > 0) throw new Failed(`${item.counts.failed} rows failed; --report FILE says which, and why`)
}

/** Checks a file of people as a member of the staff, and imports it with --run; fails where a row does. */
export const importFile = (run: Run): Promise<void> => {
  const plan = readPlan(run)
  return withInstallation(run.config, run.progress, async installation => {
    const { database, secret } = installation
    const school = await chooseSchool(run, installation)
    const parts = { database, secret, storage: run.config.storage, school, areas, email: plan.email }
    await asMember(parts, as => work(run, plan, as))
  })
}
