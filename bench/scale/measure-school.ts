import type { Operation } from '#src/contract/operation.ts'
import { lookUp } from '#testing/examples.ts'
import { buildRequest, type Instead, operations } from '#testing/matrix.ts'
import { type Case, casesOfList, casesOfReport, casesOfSeries, isList } from './cases.ts'
import { deepChanges, deepPage } from './deep.ts'
import { type Latency, measureLatency, type Sent, send, type Timed, type Times } from './latency.ts'
import type { ServedSchool } from './serving.ts'
import { type Ids, readIds } from './values.ts'

/** The examples of the operations that read, with the ids of the demo data. */
export type Examples = ReadonlyMap<string, Instead>

/** What was measured of a case at one size; a case that was refused has the reason instead of a latency. */
export type Figure = {
  readonly name: string
  readonly kind: Case['kind']
  readonly latency?: Latency
  readonly refused?: string
  /** Of a CSV: the milliseconds until the first byte, the lines that were read, and whether it was cut off. */
  readonly csv?: { readonly firstByte: number; readonly lines: number; readonly isCutOff: boolean }
}

const reading = operations.filter(({ method, mode }) => method === 'GET' && mode === 'read')

// The ends of the ten years, in the numbers of transactions that the fill gives.
const LATE_TRANSACTION = 790

// An export that takes longer is cut off: rows per second are known by then.
const EXPORT_MS = 20_000

// Values that requests of these paths take from the filled school, where much belongs to them.
const PATH_IDS: Readonly<Record<string, string>> = {
  member_id: 'mem',
  course_id: 'crs',
  order_id: 'ord',
  subscription_id: 'sub',
  enrollment_id: 'enr',
}

/** Looks up the examples of all operations that read, before the school is filled: later they are on no first page. */
export const readExamples = async (school: ServedSchool): Promise<Examples> => {
  const examples = new Map<string, Instead>()
  const ask = async ({ path }: { readonly path: string }) => {
    const { status, text } = await send({ port: school.port, path, headers: school.headers() })
    return { status, text, headers: {}, json: text === '' ? undefined : JSON.parse(text) }
  }
  for (const operation of reading) examples.set(operation.id, await lookUp(operation, undefined, ask).catch(() => ({})))
  return examples
}

const sorted = (query: Readonly<Record<string, string>>): string =>
  Object.entries(query)
    .map(([name, value]) => `${name}=${value.replace(/^\d{4}-\d\d-\d\dT.*$/, at => at.slice(0, 10))}`)
    .join(' ')

const formatName = ({ operation, kind, query }: Case): string =>
  [operation.id, ...(kind === 'page' || kind === 'other' ? [] : [kind]), sorted(query)].filter(Boolean).join(' ')

const listCases = (ids: Ids, metrics: readonly string[]): readonly Case[] =>
  reading.flatMap(operation => {
    if (isList(operation)) return casesOfList(operation, ids)
    if (operation.id === 'getMetricSeries') return casesOfSeries(operation, metrics)
    if (operation.path.startsWith('/analytics/reports/')) return casesOfReport(operation)
    return [{ operation, kind: 'other' as const, query: {} }]
  })

type Measuring = {
  readonly school: ServedSchool
  readonly examples: Examples
  readonly ids: Ids
  readonly times: Times
}

// Of a path with several ids the others belong to the first one, and what is below the account is the owner's.
const readParams = (
  { ids, examples }: Measuring,
  { id, path, example }: Operation,
): Readonly<Record<string, unknown>> => {
  const params = { ...(example.params as object | undefined), ...examples.get(id)?.params }
  if (Object.keys(params).length > 1 || path.startsWith('/account')) return params
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, ids.get(PATH_IDS[name] ?? '') ?? value]),
  )
}

const buildSent = (measuring: Measuring, { operation, kind, query: asked }: Case, query = asked): Sent => {
  const { school, examples } = measuring
  const example = Object.keys(asked).length === 0 && !isList(operation) ? examples.get(operation.id)?.query : undefined
  const bare = { ...operation, example: { ...operation.example, query: undefined } }
  const { path } = buildRequest(bare, { params: readParams(measuring, operation), query: { ...example, ...query } })
  const accept = kind === 'csv' ? 'text/csv' : 'application/json'
  return { port: school.port, path, headers: { ...school.headers(), accept } }
}

const parseJson = ({ status, text }: Timed) => {
  if (status !== 200) throw new Error(`${status}: ${text.slice(0, 200)}`)
  return JSON.parse(text)
}

// Deep positions are found by requests; undefined where the list is too short.
const queryOfCase = async (measuring: Measuring, one: Case) => {
  const { operation, kind, query } = one
  const ask = async (asked: Readonly<Record<string, string>>) => parseJson(await send(buildSent(measuring, one, asked)))
  const { schoolId } = measuring.school
  if (kind === 'deep') return deepPage(schoolId, operation, query, ask)
  if (kind === 'deep changes') return deepChanges({ schoolId, changedIn: LATE_TRANSACTION }, operation, ask)
  return query
}

const measureCsv = async (sent: Sent): Promise<Pick<Figure, 'latency' | 'csv'>> => {
  const { status, text, first, whole, lines, isCutOff } = await send({ ...sent, longestMs: EXPORT_MS })
  if (status !== 200) throw new Error(`${status}: ${text.slice(-200)}`)
  return { latency: { median: whole, worst: whole, requests: 1 }, csv: { firstByte: first, lines, isCutOff } }
}

const measureFigure = async (measuring: Measuring, one: Case): Promise<Figure | undefined> => {
  const about = { name: formatName(one), kind: one.kind }
  try {
    const query = await queryOfCase(measuring, one)
    if (query === undefined) return undefined
    if (one.kind === 'csv') return { ...about, ...(await measureCsv(buildSent(measuring, one, query))) }
    return { ...about, latency: await measureLatency(() => buildSent(measuring, one, query), measuring.times) }
  } catch (error) {
    return { ...about, refused: error instanceof Error ? error.message : String(error) }
  }
}

/** How often, which operations, until when by `performance.now()`, and what is told of each case. */
export type Measures = {
  readonly times: Times
  readonly only: readonly string[]
  readonly until: number
  measured?(figure: Figure): void
}

/** Measures every case of a filled school, one after the other; `only` names the operations that are measured. */
export const measureSchool = async (
  school: ServedSchool,
  examples: Examples,
  { times, only, until, measured }: Measures,
): Promise<readonly Figure[]> => {
  const measuring = { school, examples, ids: await readIds(school), times }
  const { data } = parseJson(
    await send({ port: school.port, path: '/api/v1/analytics/metrics?limit=100', headers: school.headers() }),
  )
  const metrics = data.map(({ name }: { name: string }) => name)
  const figures: Figure[] = []
  for (const one of listCases(measuring.ids, metrics)) {
    if (only.length > 0 && !only.includes(one.operation.id)) continue
    if (performance.now() > until) break
    const figure = await measureFigure(measuring, one)
    if (figure === undefined) continue
    figures.push(figure)
    measured?.(figure)
  }
  return figures
}
