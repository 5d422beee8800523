import Type from 'typebox'
import { FileView } from '#src/areas/files/index.ts'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Instant, Nullable, Seo } from '#src/kit/shapes.ts'
import { PageBlocks } from '../blocks/schema.ts'
import { PageRef } from '../page/schema.ts'

const line = {
  number: Type.Integer({ minimum: 1 }),
  title: Type.String(),
  is_newest: Type.Boolean({ description: 'Whether staff edit this one' }),
  is_published: Type.Boolean({ description: 'Whether visitors see this one' }),
  restores: Nullable(Type.Integer({ description: 'The number of the version of which it is a copy' })),
  created_at: Instant,
}

const closed = { additionalProperties: false } as const

/** A version of a page with its content. */
export const PageVersion = Type.Object(
  {
    ...line,
    blocks: PageBlocks,
    seo: Seo,
    files: Type.Array(FileView, { description: 'The files that the blocks name; one that was deleted is missing' }),
  },
  { ...closed, title: 'PageVersion' },
)

/** The versions of a page. */
export const PageVersionList = PageOf(Type.Object(line, { ...closed, title: 'PageVersionLine' }), 'PageVersionList')

/** The query parameters of the list of versions. */
export const VersionsQuery = Type.Object({ ...PageQuery })

/** The version of a page in a path. */
export const PageVersionRef = Type.Object({
  ...PageRef.properties,
  number: Type.String({ pattern: '^[1-9][0-9]{0,8}$', description: 'The number of the version' }),
})
