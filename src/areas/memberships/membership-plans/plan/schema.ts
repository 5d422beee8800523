import Type, { type Static } from 'typebox'
import { FileView } from '#src/areas/files/index.ts'
import { visibilities } from '#src/contract/listing.ts'
import { PageOf, PageQuery, SortQuery } from '#src/contract/pagination.ts'
import { Price } from '#src/contract/price.ts'
import { MergePatch } from '#src/kit/patch.ts'
import {
  Closed,
  Day,
  ExternalId,
  Id,
  Instant,
  Line,
  Markdown,
  Nullable,
  OneOf,
  Recorded,
  Ref,
  Seo,
  Slug,
} from '#src/kit/shapes.ts'
import { PlanItemName } from '../items/schema.ts'

/** For how long a plan gives access: while it is paid, until a day, for a time, or without an end. */
const planTypes = ['recurring', 'fixed_date', 'fixed_length', 'lifetime'] as const

const statuses = ['draft', 'active', 'archived'] as const

const closed = { additionalProperties: false } as const

const Length = Type.Union(
  [
    Type.Object({ days: Type.Integer({ minimum: 1, maximum: 36_500 }) }, closed),
    Type.Object({ months: Type.Integer({ minimum: 1, maximum: 1200 }) }, closed),
  ],
  { description: 'For how long a plan of the type fixed_length gives access, from the purchase' },
)

/** The writable fields of a plan. */
export const PlanSettings = Type.Object({
  name: Line(200, 'What the plan is called'),
  slug: Slug,
  description: Markdown(10_000, 'The description of the plan'),
  plan_type: OneOf(
    planTypes,
    'For how long it gives access: while it is paid, until a day, for a time, or without an end',
  ),
  ends_on: Nullable({ ...Day, description: 'The last day of access in the zone of the school, for fixed_date' }),
  length: Nullable(Length),
  benefits: Type.Array(Line(200, 'Something that the plan gives'), { maxItems: 20 }),
  opens_posts: Type.Boolean({ default: false, description: 'Whether it opens the paid posts that name no plan' }),
  visibility: OneOf(visibilities, 'While active: in lists, or found by its address alone'),
  image_file_id: Nullable(Id('fil')),
  welcome_page_id: Nullable({ ...Id('pag'), description: 'The page to which new holders are led: pag_…' }),
  seo: Seo,
  external_id: Nullable(ExternalId),
})

const { external_id, ...open } = PlanSettings.properties
const { seo: _seo, length: _length, ...columns } = PlanSettings.properties
const { seo: _object, length: _object2, ...shown } = open

/** The settings of a plan that are columns of its row, with those of `seo` and `length`. */
export const storedColumns = [
  ...(Object.keys(columns) as (keyof typeof columns)[]),
  'length_days',
  'length_months',
  'seo_title',
  'seo_description',
] as const

/** The settings that everybody reads as they are stored. */
export const shownSettings = Object.keys(shown) as (keyof typeof shown)[]

const Count = (description: string) => Type.Integer({ minimum: 0, description })

/** A membership plan of a school. */
export const MembershipPlan = Closed('MembershipPlan', {
  id: Id('mpl'),
  ...open,
  external_id: Type.Optional(external_id),
  status: OneOf(statuses, 'How far it has got; only an active plan is public and on sale'),
  position: Count('Its place in the order of the plans'),
  image: Nullable(FileView),
  ends_at: Nullable({ ...Instant, description: 'When the access of a plan of the type fixed_date ends' }),
  published_at: Nullable(Instant),
  primary_price: Nullable(Price),
  prices: Type.Array(Price, { description: 'The prices on sale' }),
  items: Type.Array(PlanItemName, {
    description: 'What it opens, in the order in which it was added; at most the first 100',
  }),
  item_count: Count('How many items it opens'),
  has_access: Type.Optional(Type.Boolean({ description: 'For a signed-in caller: whether they hold the plan' })),
  holder_count: Type.Optional(Count('How many members hold it now; for staff')),
  mrr: Type.Optional(Count('What it earns in a month, in minor units of the currency of the school; for staff')),
  ...Recorded,
})

/** A new plan; the name and the type are required. */
export const NewMembershipPlan = Closed('NewMembershipPlan', {
  ...Type.Partial(PlanSettings).properties,
  name: PlanSettings.properties.name,
  plan_type: PlanSettings.properties.plan_type,
})

/** A change of a plan. */
export const MembershipPlanChanges = MergePatch(PlanSettings, 'MembershipPlanChanges')

/** The plan in a path. */
export const PlanRef = Type.Object({ plan_id: Ref('mpl', ['external', 'slug']) })

/** A price of a plan in a path. */
export const PlanPriceRef = Type.Object({ ...PlanRef.properties, price_id: Ref('prc') })

/** The query parameters of the list of plans. */
export const PlansQuery = Type.Object({
  ...PageQuery,
  ...SortQuery(['position', 'created_at', 'name'] as const),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Beginnings of words of the name' })),
  status: Type.Optional(OneOf(statuses, 'Only this status')),
  plan_type: Type.Optional(OneOf(planTypes, 'Only this type')),
  'id[in]': Type.Optional(
    Type.Array(Id('mpl'), { minItems: 1, maxItems: 100, description: 'Only these, joined by commas' }),
  ),
})

/** One page of the plans. */
export const MembershipPlanPage = PageOf(MembershipPlan, 'MembershipPlanPage')

/** The plans in the order in which they are shown. */
export const PlanOrder = Closed('PlanOrder', {
  plan_ids: Type.Array(Id('mpl'), { minItems: 1, maxItems: 1000, uniqueItems: true }),
})

/** The new order of the plans. */
export const PlansOrdered = Closed('PlansOrdered', {
  plan_ids: Type.Array(Id('mpl'), { description: 'All of them, in the new order' }),
})

/** The input of a plan, as values. */
export type PlanInput = Static<typeof PlanSettings>
/** A plan of the demo data that members hold, for the examples. */
export const goldExample = { plan_id: 'slug:bakers-club' }

/** A plan of the demo data that is a draft. */
export const draftExample = { plan_id: 'slug:summer-school' }

/** A plan of the demo data that is on sale, and that nobody holds. */
export const lifetimeExample = { plan_id: 'slug:baking-basics' }
