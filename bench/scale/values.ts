import { createHash } from 'node:crypto'
import { firstUuidAt, type IdPrefix, toId } from '#src/kit/ids.ts'
import type { ServedSchool } from './serving.ts'
import { YEARS } from './spine.ts'

const DAY = 86_400_000

// The tables of ids that filters and paths take.
const TABLES: Readonly<Partial<Record<IdPrefix, string>>> = {
  mem: 'members',
  crs: 'courses',
  les: 'lessons',
  sec: 'sections',
  grp: 'groups',
  cat: 'categories',
  lec: 'lecturers',
  ord: 'orders',
  cpn: 'coupons',
  cod: 'coupon_codes',
  sub: 'subscriptions',
  mpl: 'membership_plans',
  dpr: 'digital_products',
  dpf: 'product_files',
  prc: 'course_prices',
  occ: 'occurrences',
  tkt: 'ticket_types',
  pst: 'posts',
  pcg: 'post_categories',
  cmt: 'comments',
  evt: 'events',
  frm: 'forms',
  pag: 'pages',
  enr: 'enrollments',
  inv: 'invoices',
  crt: 'certificates',
  rev: 'reviews',
  sbm: 'submissions',
  qat: 'quiz_attempts',
  reg: 'registrations',
}

/** An id of each kind, on the wire: one of those from the middle of the ten years where there are such. */
export type Ids = ReadonlyMap<string, string>

/** Looks up an id of each kind in a filled school. */
export const readIds = async ({ database, schoolId }: ServedSchool): Promise<Ids> => {
  const ids = new Map<string, string>()
  const middle = firstUuidAt(Date.now() - (YEARS / 3) * 365 * DAY)
  for (const [prefix, table] of Object.entries(TABLES)) {
    const [row] = await database.query<{ id: string }>(
      `select id from ${table} where school_id = $1 and id > $2 order by id limit 1`,
      [schoolId, middle],
    )
    if (row !== undefined) ids.set(prefix, toId(prefix as IdPrefix, row.id))
  }
  return ids
}

// The last word of the name of a member, which no other has.
const rareWord = (n: number): string => createHash('md5').update(String(n)).digest('hex').slice(23, 29)

const texts: Readonly<Record<string, readonly string[]>> = {
  q: ['ana', 'ana alves', rareWord(500), 'nobodysname'],
  tag: ['everyday', 'rare', 'nobodystag'],
  email: ['nobody@people1.example'],
  number: ['ORD-1500', 'SCALE-500'],
  provider_reference: ['pi_500'],
  operation: ['updateMember', 'tagMember', 'deleteCourse'],
  external_id: ['crm-500'],
}

const instants = (name: string): readonly string[] => {
  const at = (days: number): string => new Date(Date.now() - days * DAY).toISOString()
  return name.endsWith('[gte]') ? [at(7), at(YEARS * 300)] : [at(YEARS * 365 - 7), at(YEARS * 60)]
}

const integers = (name: string): readonly string[] => {
  if (name.startsWith('total')) return name.endsWith('[gte]') ? ['9700'] : ['5000']
  return name === 'rating' ? ['1', '5'] : ['1']
}

/** A property of the query of an operation, as its schema has it. */
export type Property = {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly items?: Property
}

const prefixesIn = (property: Property): readonly string[] => {
  const text = JSON.stringify(property)
  const several = /\^?\(\?:((?:[a-z]{3}\|?)+)\)_/.exec(text)?.[1]?.split('|') ?? []
  return [...new Set([...several, ...[...text.matchAll(/([a-z]{3})_\[0-7\]/g)].map(([, prefix = '']) => prefix)])]
}

/** The values with which a filter is measured: each of a few, or some that find much, little and nothing. */
export const listValues = (name: string, property: Property, ids: Ids): readonly string[] => {
  if (property.enum !== undefined) return property.enum
  if (property.type === 'boolean') return ['true', 'false']
  if (property.format === 'date-time') return instants(name)
  if (property.format === 'date') return instants(name).map(at => at.slice(0, 10))
  if (property.type === 'integer') return integers(name)
  const found = prefixesIn(property).flatMap(prefix => ids.get(prefix) ?? [])
  if (found.length > 0) return name === 'subject' ? listSubjects(ids) : found
  if (property.items !== undefined) return listValues(name, property.items, ids)
  return texts[name] ?? []
}

const listSubjects = (ids: Ids): readonly string[] => ['crs', 'les', 'pst'].flatMap(prefix => ids.get(prefix) ?? [])
