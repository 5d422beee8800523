import type { Static } from 'typebox'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import type { School } from '#src/contract/school.ts'
import { type SubmissionCounts, submissionCounts } from '../hooks.ts'
import type { FormLineRow, FormRow } from './queries.ts'
import { computeState } from './rules.ts'
import type { Form, FormLine, PortableForm } from './schema.ts'

type Counts = Omit<SubmissionCounts, 'formId'>

const NONE: Counts = { received: 0, suspected: 0, spam: 0 }

/** The numbers of submissions of forms, by the ids of their rows. */
export const readCounts = async (
  { db, school }: Pick<AsCaller<Caller>, 'db' | 'school'>,
  formIds: readonly string[],
): Promise<ReadonlyMap<string, Counts>> => {
  if (formIds.length === 0) return new Map()
  const found = (await submissionCounts.call({ formIds }, { school, db })).flat()
  return new Map(found.map(({ formId, ...counts }) => [formId, counts]))
}

const staffLine = (row: FormLineRow, counts: Counts) => ({
  status: row.status,
  published_version: row.published_version,
  has_changes: row.published_version !== null && row.version !== row.published_version,
  max_submissions: row.max_submissions,
  notify: [...row.notify],
  retention_days: row.retention_days,
  submission_counts: counts,
  published_at: row.published_at,
  deleted_at: row.deleted_at,
})

/** A form without its fields. */
export const formLine = (
  school: Pick<School, 'siteOrigin'>,
  caller: Caller,
  row: FormLineRow,
  counts: Counts = NONE,
): Static<typeof FormLine> => ({
  id: row.id,
  title: row.title,
  submit_label: row.submit_label,
  done_text: row.done_text,
  redirect_path: row.redirect_path,
  slug: row.slug,
  url: `${school.siteOrigin}/forms/${row.slug}`,
  version: row.shown_version,
  state: computeState(row, counts.received + counts.suspected, row.asked_at),
  opens_at: row.opens_at,
  closes_at: row.closes_at,
  one_per_member: row.one_per_member,
  needs_sign_in: row.needs_sign_in,
  ...(isStaff(caller) ? staffLine(row, counts) : {}),
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

const renderFields = ({ fields }: Pick<FormRow, 'fields'>): Static<typeof Form>['fields'] =>
  fields.map(field => ({ ...field, options: field.options.map(option => ({ ...option })) }))

/** A form as a file has it. */
export const portableView = (row: FormRow): Static<typeof PortableForm> => ({
  title: row.title,
  intro: row.intro,
  fields: renderFields(row),
  submit_label: row.submit_label,
  done_text: row.done_text,
  redirect_path: row.redirect_path,
  on_submit: { tag: row.on_submit.tag, marketing_consent_field: row.on_submit.marketing_consent_field },
  slug: row.slug,
  opens_at: row.opens_at,
  closes_at: row.closes_at,
  max_submissions: row.max_submissions,
  one_per_member: row.one_per_member,
  needs_sign_in: row.needs_sign_in,
  retention_days: row.retention_days,
})

/** A form as the caller reads it. */
export const formView = async (context: AsCaller<Caller>, row: FormRow): Promise<Static<typeof Form>> => {
  const { school, caller } = context
  const counts = (await readCounts(context, [row.id])).get(row.id)
  return {
    ...formLine(school, caller, row, counts),
    intro: row.intro,
    fields: renderFields(row),
    ...(isStaff(caller) ? { on_submit: { ...row.on_submit } } : {}),
  }
}
