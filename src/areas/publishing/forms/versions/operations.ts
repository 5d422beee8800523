import Type, { type Static } from 'typebox'
import { operation } from '#src/contract/operation.ts'
import { PageOf, PageQuery, SortQuery } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { readList } from '#src/db/list.ts'
import { Instant, Nullable } from '#src/kit/shapes.ts'
import { getForm } from '../form/access.ts'
import { enquiry } from '../form/operations.ts'
import { FormRef, formContent } from '../form/schema.ts'
import { findVersion, type VersionLine, versionList } from './queries.ts'

const closed = { additionalProperties: false } as const

const line = {
  number: Type.Integer({ minimum: 1 }),
  title: formContent.title,
  is_newest: Type.Boolean({ description: 'Whether it is the one that staff edit' }),
  is_published: Type.Boolean({ description: 'Whether it is the one that people answer' }),
  published_at: Nullable(Instant),
  created_at: Instant,
}

const FormVersionLine = Type.Object(line, { ...closed, title: 'FormVersionLine' })
const FormVersion = Type.Object({ ...line, ...formContent }, { ...closed, title: 'FormVersion' })
const FormVersionList = PageOf(FormVersionLine, 'FormVersionList')
const FormVersionRef = Type.Object({
  ...FormRef.properties,
  number: Type.String({ pattern: '^[1-9][0-9]{0,8}$', description: 'The number of the version' }),
})
const VersionsQuery = Type.Object({ ...PageQuery, ...SortQuery(['number', 'created_at'] as const) })

const lineOf = ({ number, title, is_newest, is_published, published_at, created_at }: VersionLine) => ({
  number,
  title,
  is_newest,
  is_published,
  published_at,
  created_at,
})

const listFormVersions = operation({
  id: 'listFormVersions',
  route: 'GET /forms/:form_id/versions',
  summary: 'List versions of a form',
  description:
    'Lists the versions of a form, the newest first. A version that was published never changes; a change after that makes the next one.',
  scope: 'forms:read',
  who: 'staff',
  mode: 'read',
  params: FormRef,
  query: VersionsQuery,
  returns: FormVersionList,
  example: { params: enquiry },
  async handle(context) {
    const form = await getForm(context, context.params.form_id)
    return readList(context, versionList(context.school.id, form.id), rows => rows.map(lineOf))
  },
})

const getFormVersion = operation({
  id: 'getFormVersion',
  route: 'GET /forms/:form_id/versions/:number',
  summary: 'Get a version of a form',
  description: 'Returns what one version of a form asks.',
  scope: 'forms:read',
  who: 'staff',
  mode: 'read',
  params: FormVersionRef,
  returns: FormVersion,
  example: { params: { ...enquiry, number: '1' } },
  async handle(context): Promise<Static<typeof FormVersion>> {
    const { db, school, params } = context
    const form = await getForm(context, params.form_id)
    const version = await findVersion(db, school.id, form.id, Number(params.number))
    if (version === undefined) throw new Refusal(notFound, 'There is no such version.')
    const { fields, on_submit, intro, submit_label, done_text, redirect_path } = version
    return {
      ...lineOf(version),
      ...{ intro, submit_label, done_text, redirect_path, on_submit: { ...on_submit } },
      fields: fields.map(field => ({ ...field, options: field.options.map(option => ({ ...option })) })),
    }
  },
})

/** The operations of versions, in the order of the documentation. */
export const versionOperations = [listFormVersions, getFormVersion]
