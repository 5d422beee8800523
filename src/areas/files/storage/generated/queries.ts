import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { GeneratedPurpose } from '../uploads/schema.ts'

/** A generated file and where its bytes are stored. */
export type GeneratedFile = {
  readonly id: string
  readonly objectKey: string
  readonly byteSize: number
  readonly sha256: Buffer
}

/** A generated file with its owner, and as it is shown. */
export type NewGeneratedFile = GeneratedFile & {
  readonly memberId: string
  readonly purpose: GeneratedPurpose
  readonly filename: string
  readonly contentType: string
}

/**
 * Stores a file that is ready from the first and that something refers to; it counts towards the quota and may exceed
 * it.
 */
export const insertGenerated = (db: Db, schoolId: string, file: NewGeneratedFile) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now), total as (
      insert into storage_totals as t (school_id, bytes) values (${schoolId}, ${file.byteSize}::bigint)
      on conflict (school_id) do update set bytes = t.bytes + excluded.bytes
    )
    insert into uploads (school_id, id, member_id, purpose, status, filename, declared_type, byte_size, received_bytes,
      object_key, content_type, sha256, created_at, updated_at)
    select ${schoolId}, ${file.id}, ${file.memberId}, ${file.purpose}, 'ready', ${file.filename}, ${file.contentType},
      ${file.byteSize}::bigint, ${file.byteSize}::bigint, ${file.objectKey}, ${file.contentType}, ${file.sha256}, now, now
    from clock`)
