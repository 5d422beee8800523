import Type, { type Static, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { hmac, purposeKey, sameBytes, sha256 } from '#src/kit/crypto.ts'
import { BackupRefused, damaged } from './errors.ts'

/** The version of the format; files of other versions are refused. */
export const FORMAT = 1

const hash = Type.String({ pattern: '^[0-9a-f]{64}$' })
const tableName = Type.String({ pattern: '^(?:public|stoa)\\.[a-z][a-z0-9_]*$' })
const columnName = Type.String({ pattern: '^[a-z][a-z0-9_]*$' })
const count = Type.Integer({ minimum: 0 })

const Manifest = Type.Object({
  format: Type.Literal(FORMAT),
  made_at: Type.String(),
  postgresql: Type.String(),
  migrations: Type.Array(Type.Object({ name: Type.String(), sha256: hash }), { minItems: 1 }),
  secret: Type.Object({ included: Type.Literal(false), fingerprint: Type.String() }),
  tables: Type.Array(Type.Object({ name: tableName, columns: Type.Array(columnName, { minItems: 1 }) })),
  left_out: Type.Array(tableName),
})

const Checksums = Type.Object({
  manifest: hash,
  tables: Type.Array(Type.Object({ name: tableName, rows: count, bytes: count, pieces: count, sha256: hash })),
  objects: Type.Union([Type.Null(), Type.Object({ files: count, bytes: count, sha256: hash })]),
})

/** The first entry of a backup, written before its data. */
export type Manifest = Static<typeof Manifest>

/** The checksums of the tables and objects; the last entry before the seal. */
export type Checksums = Static<typeof Checksums>

/** The row count and checksum of a table. */
export type TableSum = Checksums['tables'][number]

/** The names of the entries that are not tables or objects. */
export const entryNames = { manifest: 'manifest.json', checksums: 'checksums.json', seal: 'checksums.hmac' }

/** The name of a piece of a table; its pieces concatenated are the output of COPY. */
export const pieceName = (table: string, piece: number): string => `tables/${table}/${String(piece).padStart(6, '0')}`

/** A fingerprint that identifies an installation's secret without revealing it. */
export const computeFingerprint = (secret: string): string =>
  purposeKey(secret, 'backup-fingerprint').toString('hex').slice(0, 16)

/** The seal of the checksums of a backup, computed with the installation's secret. */
export const computeSeal = (secret: string, checksums: Buffer): Buffer => hmac(purposeKey(secret, 'backup'), checksums)

const parse = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw damaged('its manifest is not JSON')
  }
}

const read = <Shape extends TSchema>(shape: Shape, value: unknown): Static<Shape> => {
  const checked = Compile(shape)
  if (!checked.Check(value)) throw damaged('its manifest is not valid')
  return value as Static<Shape>
}

/** Reads the manifest; checks the format first. */
export const readManifest = (bytes: Buffer): Manifest => {
  const value = parse(bytes)
  const format = typeof value === 'object' && value !== null && 'format' in value ? value.format : undefined
  if (format === undefined) throw new BackupRefused('the file is not a backup of Stoa')
  if (format !== FORMAT)
    throw new BackupRefused(`the backup has format ${String(format)} and this Stoa reads format ${FORMAT}`)
  return read(Manifest, value)
}

/** Reads the checksums, which must be those of this manifest and, where the secret is known, sealed with it. */
export const readChecksums = (bytes: Buffer, manifest: Buffer, seal: Buffer, secret: string | undefined): Checksums => {
  if (secret !== undefined && !sameBytes(seal, computeSeal(secret, bytes)))
    throw damaged('its seal does not match its checksums')
  const checksums = read(Checksums, parse(bytes))
  if (checksums.manifest !== sha256(manifest).toString('hex')) throw damaged('its checksums belong to another manifest')
  return checksums
}
