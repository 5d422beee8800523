import Type from 'typebox'
import { PageQuery, SortQuery } from '#src/contract/pagination.ts'
import { versioned } from '#src/contract/versioned.ts'
import { Instant, Nullable } from '#src/kit/shapes.ts'
import { getForm } from '../form/access.ts'
import { enquiry } from '../form/operations.ts'
import { FormRef, formContent } from '../form/schema.ts'
import { formVersions } from './queries.ts'

const { title, ...content } = formContent

/** The operations of the versions of a form. */
export const { operations: versionOperations } = versioned(formVersions, {
  id: 'Form',
  path: '/forms/:form_id',
  params: FormRef,
  who: 'staff',
  scope: 'forms:read',
  line: {
    number: Type.Integer({ minimum: 1 }),
    title,
    is_newest: Type.Boolean({ description: 'Whether it is the one that staff edit' }),
    is_published: Type.Boolean({ description: 'Whether it is the one that people answer' }),
    published_at: Nullable(Instant),
    created_at: Instant,
  },
  content,
  page: 'FormVersionList',
  query: Type.Object({ ...PageQuery, ...SortQuery(['number', 'created_at'] as const) }),
  get: getForm,
  list: {
    summary: 'List versions of a form',
    description:
      'Lists the versions of a form, the newest first. A version that was published never changes; a change after that makes the next one.',
    example: { params: enquiry },
  },
  read: {
    summary: 'Get a version of a form',
    description: 'Returns what one version of a form asks.',
    example: { params: { ...enquiry, number: '1' } },
  },
})
