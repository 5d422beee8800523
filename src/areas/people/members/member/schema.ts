import Type, { type Static } from 'typebox'
import { roles } from '#src/contract/caller.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { AfterQuery, PageOf, PageQuery, SortQuery } from '#src/contract/pagination.ts'
import type { FieldError } from '#src/contract/problem.ts'
import { MergePatch } from '#src/kit/patch.ts'
import {
  AllowedActions,
  Closed,
  Email,
  ExternalId,
  Id,
  Instant,
  Line,
  Nullable,
  OneOf,
  Personal,
  Ref,
  Revision,
} from '#src/kit/shapes.ts'

/** A member of the demo data, for the examples. */
export const memberExample = {
  member_id: exampleFrom('mem', 'listMembers', { having: { email: 'eli@crumb.example' } }),
}

/** The status of a membership. */
export const statuses = ['invited', 'active', 'suspended', 'deleted'] as const

const CustomValue = Type.Union([Type.String({ maxLength: 1000 }), Type.Number(), Type.Boolean(), Type.Null()])

/** Values of the school's own fields, by their keys. */
const CustomFields = Personal(
  Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$' }), CustomValue, {
    maxProperties: 100,
    description: "Values of the school's custom fields by their keys; null takes a value away",
  }),
)

/** Whether a person wants news of the school, since when, and where they said so. */
export const MarketingConsent = Personal(
  Closed('MarketingConsent', { granted: Type.Boolean(), at: Nullable(Instant), source: Nullable(Type.String()) }),
)

const SignInEmail = Personal(Email('The address the person signs in with'))

/** What staff may write about a member. */
export const MemberSettings = Type.Object({
  email: SignInEmail,
  name: Line(120, 'The name of the person'),
  phone: Nullable(
    Personal(Type.String({ format: 'phone', pattern: '^\\+?[0-9 ()./-]{3,40}$', description: 'A telephone number' })),
  ),
  locale: Nullable(Type.String({ pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$', description: 'A language tag' })),
  time_zone: Nullable(Type.String({ minLength: 1, maxLength: 64, description: 'An IANA time zone' })),
  external_id: Nullable(Personal(ExternalId)),
  joined_at: Nullable({ ...Instant, description: 'When the person joined, if that was before they were added here' }),
  marketing_consent: Type.Object(
    { granted: Type.Boolean(), source: Line(100, 'Where the person said so') },
    { additionalProperties: false },
  ),
  custom_fields: CustomFields,
})

const Days = (description: string) => Type.Integer({ minimum: 1, maximum: 3650, description })

/** Conditions on members, all of which must hold. */
export const memberConditions = {
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Beginnings of words of name, address, phone or external_id',
    }),
  ),
  status: Type.Optional(
    OneOf(statuses, 'Only this status; deleted members are listed only when asked for, or by `email`'),
  ),
  role: Type.Optional(OneOf(roles, 'Only this role')),
  tag: Type.Optional(Type.String({ minLength: 1, maxLength: 50, description: 'Only members with this tag' })),
  group_id: Type.Optional(Id('grp')),
  course_id: Type.Optional({ ...Id('crs'), description: 'Only members who are or were enrolled in this course' }),
  seen_within_days: Type.Optional(Days('Only members who were seen in the last so many days')),
  not_seen_for_days: Type.Optional(Days('Only members who were not seen in the last so many days, or never')),
}

/** The same, as the body of a request has them. */
export const MemberFilterBody = Type.Object(
  {
    ...memberConditions,
    tag: Type.Optional(Line(50, 'Only members with this tag')),
    id_in: Type.Optional(Type.Array(Id('mem'), { minItems: 1, maxItems: 1000 })),
  },
  { additionalProperties: false, minProperties: 1, description: 'At least one condition; all must hold' },
)

/** What a member learned last. */
const LatestCourse = Closed('MemberLatestCourse', {
  id: Id('crs'),
  name: Type.String(),
  percent_complete: Type.Integer({ minimum: 0, maximum: 100 }),
  completed_at: Nullable(Instant),
})

/** What a member paid in one currency. */
const Spent = Closed('MemberSpent', {
  currency: Type.String({ description: 'ISO 4217' }),
  amount: Type.Integer({ description: 'What was paid and not refunded, in the smallest unit of the currency' }),
})

/** A group that a member is in. */
const GroupRef = Closed('GroupRef', { id: Id('grp'), name: Type.String() })

/** What a change by staff left as it was, and why. */
export const Notices = Type.Unsafe<readonly FieldError[]>(
  Type.Array(Closed('MemberNotice', { pointer: Type.String(), code: Type.String(), message: Type.String() }), {
    description: 'What was not stored, such as `consent_withdrawn`: a consent that the person withdrew themselves',
  }),
)

/** A person with an account in the school. */
export const Member = Closed('Member', {
  id: Id('mem'),
  email: SignInEmail,
  email_verified: Type.Boolean({ description: 'Whether the address was verified' }),
  name: MemberSettings.properties.name,
  phone: MemberSettings.properties.phone,
  locale: MemberSettings.properties.locale,
  time_zone: MemberSettings.properties.time_zone,
  status: OneOf(statuses, 'How far the membership has got'),
  role: OneOf(roles, 'What the person may do in the school; changed under /school/staff alone'),
  tags: Personal(Type.Array(Type.String(), { description: 'The tags of the person' })),
  custom_fields: CustomFields,
  marketing_consent: MarketingConsent,
  external_id: MemberSettings.properties.external_id,
  joined_at: MemberSettings.properties.joined_at,
  last_seen_at: Nullable(Instant),
  suspended_at: Nullable(Instant),
  suspension_reason: Nullable(Personal(Type.String())),
  groups: Type.Optional(Type.Array(GroupRef, { description: 'With expand=groups' })),
  latest_course: Type.Optional(Nullable({ ...LatestCourse, description: 'With expand=latest_course' })),
  spent: Type.Optional(Type.Array(Spent, { description: 'With expand=spent; one for each currency' })),
  revision: Revision,
  notices: Type.Optional(Notices),
  allowed_actions: Type.Optional(AllowedActions),
  created_at: Instant,
  updated_at: Instant,
})

/** A new member, who is invited by mail unless the request says otherwise. */
export const NewMember = Closed('NewMember', {
  ...Type.Partial(MemberSettings).properties,
  email: SignInEmail,
  name: MemberSettings.properties.name,
  tags: Type.Optional(Type.Array(Line(50, 'A word or two; kept in lower case'), { maxItems: 50 })),
  send_invitation: Type.Optional(Type.Boolean({ default: true, description: 'Whether an invitation is mailed now' })),
})

/** A change of a member. */
export const MemberChanges = MergePatch(MemberSettings, 'MemberChanges')

/** What a member can be named by in a path. */
export const MemberRef = Type.Object({ member_id: Ref('mem', ['external']) })

/** The keys a list of members can be sorted by. */
const sortKeys = ['created_at', 'name', 'email'] as const

/** The query parameters of the list of members. */
export const MembersQuery = Type.Object({
  ...PageQuery,
  ...AfterQuery,
  ...SortQuery(sortKeys),
  ...memberConditions,
  email: Type.Optional(Email('The whole address, in any case; a deleted member has it too')),
  'id[in]': Type.Optional(
    Type.Array(Id('mem'), { minItems: 1, maxItems: 100, description: 'Only these, joined by commas' }),
  ),
  'created_at[gte]': Type.Optional(Instant),
  'created_at[lt]': Type.Optional(Instant),
  'updated_at[gte]': Type.Optional(Instant),
  'last_seen_at[gte]': Type.Optional(Instant),
  'last_seen_at[lt]': Type.Optional(Instant),
})

/** One page of the members. */
export const MemberPage = PageOf(Member, 'MemberPage')

/** The query parameters of the list of members, as values. */
export type ListMembersParams = Static<typeof MembersQuery>
