import { randomBytes } from 'node:crypto'
import { base32OfUuid, fromBase32 } from './base.ts'

const PREFIXES = [
  'scl',
  'mem',
  'grt',
  'ses',
  'aud',
  'app',
  'cnf',
  'nte',
  'cfd',
  'grp',
  'gri',
  'fil',
  'lec',
  'crs',
  'prc',
  'cat',
  'sec',
  'les',
  'sev',
  'dpr',
  'mpl',
  'evt',
  'upl',
  'ent',
  'hld',
  'enr',
  'lev',
  'atc',
  'quz',
  'qst',
  'cho',
  'qat',
  'asg',
  'sbm',
  'ctp',
  'crt',
  'rev',
  'exp',
  'ord',
  'lin',
  'pay',
  'pym',
  'rfd',
  'dsp',
  'inv',
  'chk',
  'evn',
  'cpn',
  'cod',
  'red',
  'dpf',
  'dlk',
  'bit',
  'sub',
  'sbc',
  'per',
  'occ',
  'tkt',
  'eml',
  'reg',
  'pst',
  'pcg',
  'cmt',
  'rpt',
  'frm',
  'fsb',
  'pag',
  'dep',
  'apv',
  'sce',
  'sgm',
  'fct',
  'whk',
  'whd',
  'imp',
] as const

/** The prefixes of ids on the wire, one for each type of resource. */
export type IdPrefix = (typeof PREFIXES)[number]

const LENGTH = 26
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** A new UUIDv7 (RFC 9562 §5.7) for an instant in milliseconds; `random` gives the bytes that make it unique. */
export const newUuid = (at: number, random: (size: number) => Uint8Array = randomBytes): string => {
  const bytes = Buffer.alloc(16)
  bytes.writeUIntBE(at, 0, 6)
  bytes.set(random(10), 6)
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  const text = hex(bytes)
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-')
}

/** The lowest UUIDv7 of an instant in milliseconds, above all earlier ones. */
export const firstUuidAt = (at: number): string => newUuid(Math.max(0, at), size => new Uint8Array(size))

/** The id on the wire of a row's UUID: prefix, underscore, 26 characters of base32. */
export const toId = (prefix: IdPrefix, uuid: string): string => `${prefix}_${base32OfUuid(uuid)}`

/** The row's UUID of an id on the wire; undefined when it has another prefix or is no id. */
export const fromId = (prefix: IdPrefix, id: string): string | undefined => {
  if (!id.startsWith(`${prefix}_`) || id.length !== prefix.length + 1 + LENGTH) return undefined
  const bytes = fromBase32(id.slice(prefix.length + 1), 16)
  if (bytes === undefined) return undefined
  const text = bytes.toString('hex')
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-')
}

/** The regular expression of the ids of one kind, as OpenAPI shows it. */
export const idPattern = (prefix: IdPrefix): string => `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`

const prefixes = new Map(PREFIXES.map(prefix => [idPattern(prefix), prefix]))

/** The prefix of the ids that a regular expression of `idPattern` describes. */
export const prefixOfPattern = (pattern: string): IdPrefix | undefined => prefixes.get(pattern)

/** Whether a text is a UUID as PostgreSQL writes it. */
export const isUuid = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text)

/** Whether a text is the prefix of ids of one kind. */
export const isPrefix = (text: string): text is IdPrefix => PREFIXES.some(prefix => prefix === text)
