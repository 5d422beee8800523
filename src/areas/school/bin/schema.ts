import Type from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { AllowedActions, Closed, Id, Instant, Nullable, OneOf, Person } from '#src/kit/shapes.ts'
import { type BinKind, binKinds } from './rules.ts'

const kinds = Object.keys(binKinds) as readonly BinKind[]

const BinId = Type.String({
  pattern: `^(${Object.values(binKinds)
    .map(({ prefix }) => prefix)
    .join('|')})_[0-7][0-9a-hjkmnp-tv-z]{25}$`,
  description: 'The id of a course, lesson, post, page or digital product',
})

/** Something that was deleted and can be restored. */
const BinItem = Closed('BinItem', {
  id: { ...BinId, description: 'The id of the thing, which it keeps' },
  kind: OneOf(kinds, 'What it is'),
  name: Type.String({ description: 'Its name or title' }),
  course_id: Nullable(Id('crs')),
  deleted_at: Instant,
  until: { ...Instant, description: 'Until when it can be restored' },
  deleted_by: Nullable(Person),
  allowed_actions: AllowedActions,
})

/** One page of the bin, newest first. */
export const BinPage = PageOf(BinItem, 'BinPage')

/** The query parameters of the bin. */
export const BinQuery = Type.Object({
  ...PageQuery,
  kind: Type.Optional(OneOf(kinds, 'Only things of this kind')),
  id: Type.Optional(BinId),
})
