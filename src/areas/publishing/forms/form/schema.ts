import Type, { type Static } from 'typebox'
import { Tag } from '#src/contract/listing.ts'
import { PageOf, PageQuery, SortQuery } from '#src/contract/pagination.ts'
import { MergePatch } from '#src/kit/patch.ts'
import {
  AllowedActions,
  Closed,
  Id,
  Instant,
  Line,
  Markdown,
  Nullable,
  OneOf,
  OptionalLine,
  Ref,
  Revision,
  Slug,
} from '#src/kit/shapes.ts'
import { FieldId, FormFields } from '../fields/schema.ts'

/** The status of a form. */
const formStatuses = ['draft', 'published', 'closed'] as const

const formStates = ['draft', 'not_open_yet', 'open', 'full', 'closed'] as const

const OnSubmit = Closed(
  'FormOnSubmit',
  {
    tag: Nullable(Tag),
    group_id: Nullable(Id('grp')),
    marketing_consent_field: Nullable(FieldId),
  },
  'What happens to a member who submits the form while signed in: a tag, a group, and the consent that stands for marketing mails',
)

const RedirectPath = Type.String({
  maxLength: 500,
  pattern: '^/(?![/\\\\])[!-~]*$',
  description: 'A path on the site, such as /welcome',
})

/** What a version of a form has. */
export const formContent = {
  title: Line(200, 'The title of the form'),
  intro: Markdown(10_000, 'A text above the fields'),
  fields: FormFields,
  submit_label: OptionalLine(60, 'What the button says; empty for the usual word'),
  done_text: Markdown(5000, 'What people read once they submitted it; empty for the usual sentence'),
  redirect_path: Nullable(RedirectPath),
  on_submit: OnSubmit,
}

const settings = {
  slug: Slug,
  opens_at: Nullable(Instant),
  closes_at: Nullable(Instant),
  max_submissions: Nullable(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'How many it takes at most' })),
  one_per_member: Type.Boolean({ description: 'Whether a member submits it once; it needs a sign-in then' }),
  needs_sign_in: Type.Boolean({ description: 'Whether only people who are signed in can submit it' }),
  notify: Type.Array(Id('mem'), {
    maxItems: 20,
    uniqueItems: true,
    description: 'The admins and owners who are told of submissions by mail, at most once an hour',
  }),
  retention_days: Type.Integer({
    minimum: 1,
    maximum: 3650,
    description: 'After how many days a submission is deleted with its files',
  }),
}

const FormSettings = Type.Object({ ...formContent, ...settings })

/** How many submissions a form has, by their status. */
const SubmissionCounts = Closed('FormSubmissionCounts', {
  received: Type.Integer({ minimum: 0 }),
  suspected: Type.Integer({ minimum: 0 }),
  spam: Type.Integer({ minimum: 0 }),
})

const { notify, retention_days, max_submissions } = settings
const { on_submit, fields, intro, ...contentLine } = formContent

const shared = {
  id: Id('frm'),
  ...contentLine,
  slug: settings.slug,
  url: Type.String({ description: 'The address of its page' }),
  version: Type.Integer({
    minimum: 1,
    description: 'The number of the version that this is: for staff the newest one, else the published one',
  }),
  state: OneOf(formStates, 'Whether it takes answers now'),
  opens_at: settings.opens_at,
  closes_at: settings.closes_at,
  one_per_member: settings.one_per_member,
  needs_sign_in: settings.needs_sign_in,
  status: Type.Optional(OneOf(formStatuses, 'How far it has got; for staff')),
  published_version: Type.Optional(
    Nullable(Type.Integer({ description: 'The number of the version that people answer; for staff' })),
  ),
  has_changes: Type.Optional(
    Type.Boolean({ description: 'Whether the newest version is not the published one; for staff' }),
  ),
  max_submissions: Type.Optional(max_submissions),
  notify: Type.Optional(notify),
  retention_days: Type.Optional(retention_days),
  submission_counts: Type.Optional(SubmissionCounts),
  published_at: Type.Optional(Nullable(Instant)),
  deleted_at: Type.Optional(Nullable(Instant)),
  revision: Revision,
  created_at: Instant,
  updated_at: Instant,
}

/** A form in a list, without its fields. */
export const FormLine = Closed('FormLine', shared)

/** A form. */
export const Form = Closed('Form', {
  ...shared,
  intro,
  fields,
  on_submit: Type.Optional(on_submit),
  allowed_actions: Type.Optional(AllowedActions),
})

/** A new form. */
export const NewForm = Closed('NewForm', {
  ...MergePatch(FormSettings, 'FormSettings').properties,
  title: formContent.title,
  retention_days,
})

/** A change of a form. */
export const FormChanges = MergePatch(FormSettings, 'FormChanges')

/** The form in a path. */
export const FormRef = Type.Object({ form_id: Ref('frm', ['slug']) })

/** The query parameters of the list of forms. */
export const FormsQuery = Type.Object({
  ...PageQuery,
  ...SortQuery(['created_at', 'title'] as const),
  status: Type.Optional(OneOf(formStatuses, 'Only this status')),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'A part of the title' })),
  deleted: Type.Optional(
    Type.Boolean({ description: 'Deleted forms that still have submissions, instead of the others' }),
  ),
})

/** One page of the list of forms. */
export const FormPage = PageOf(FormLine, 'FormPage')

const PortableOnSubmit = Closed('PortableFormOnSubmit', {
  tag: OnSubmit.properties.tag,
  marketing_consent_field: OnSubmit.properties.marketing_consent_field,
})

const { notify: _notify, ...portable } = settings

/** A form as a file has it: without the ids of members and groups, which another school has not. */
export const PortableForm = Closed('PortableForm', { ...formContent, ...portable, on_submit: PortableOnSubmit })

/** Every form of a school. */
export const FormExport = Closed('FormExport', { forms: Type.Array(PortableForm) })

/** What becomes of the submissions of a form that is deleted. */
export const FormDeletion = Closed('FormDeletion', {
  submissions: OneOf(['keep', 'delete'], 'keep: until their retention ends; delete: at once, with their files'),
})

/** The input of a form, as values. */
export type FormInput = Partial<Static<typeof FormSettings>>
