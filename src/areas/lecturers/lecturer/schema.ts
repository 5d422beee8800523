import Type, { type Static } from 'typebox'
import { FileView } from '#src/areas/storage/index.ts'
import { PageOf, PageQuery, SortQuery } from '#src/contract/pagination.ts'
import { MergePatch } from '#src/kit/patch.ts'
import {
  AllowedActions,
  Id,
  Instant,
  Line,
  Markdown,
  Nullable,
  OneOf,
  Personal,
  Ref,
  Revision,
  Slug,
} from '#src/kit/shapes.ts'

/** Who sees a profile: everybody, or the staff and the person it is of. */
export const visibilities = ['visible', 'hidden'] as const

/** An address elsewhere that a lecturer wants to be found at. */
export const LecturerLink = Type.Object(
  {
    label: Line(60, 'What the address is'),
    url: Type.String({
      minLength: 8,
      maxLength: 500,
      pattern: '^https?://[^\\s]+$',
      description: 'An http(s) address',
    }),
  },
  { additionalProperties: false, title: 'LecturerLink' },
)

/** What can be written about a lecturer. */
export const LecturerSettings = Type.Object({
  member_id: Nullable(Personal(Id('mem'))),
  display_name: Line(120, 'What the lecturer is called'),
  slug: Slug,
  bio: Markdown(10_000, 'Who they are'),
  avatar_file_id: Nullable(Id('fil')),
  links: Type.Array(LecturerLink, { maxItems: 10 }),
  visibility: OneOf(visibilities, 'Who sees the profile: everybody, or the staff and the person alone'),
})

const { member_id, ...open } = LecturerSettings.properties

/** The public profile of somebody who teaches. */
export const Lecturer = Type.Object(
  {
    id: Id('lec'),
    ...open,
    member_id: Type.Optional(member_id),
    avatar: Nullable(FileView),
    position: Type.Integer({ minimum: 0, description: 'The place among the lecturers; changed by /lecturers/order' }),
    course_count: Type.Integer({ minimum: 0, description: 'In how many published and listed courses they teach' }),
    revision: Revision,
    allowed_actions: Type.Optional(AllowedActions),
    created_at: Instant,
    updated_at: Instant,
  },
  { additionalProperties: false, title: 'Lecturer' },
)

/** A new profile; only the name must be there. */
export const NewLecturer = Type.Object(
  { ...Type.Partial(LecturerSettings).properties, display_name: open.display_name },
  { additionalProperties: false, title: 'NewLecturer' },
)

/** A change of a profile. */
export const LecturerChanges = MergePatch(LecturerSettings, 'LecturerChanges')

/** What a lecturer can be named by in a path. */
export const LecturerRef = Type.Object({ lecturer_id: Ref('lec', ['slug']) })

/** The keys a list of lecturers can be sorted by. */
export const sortKeys = ['position', 'display_name', 'created_at'] as const

/** The query parameters of the list of lecturers. */
export const LecturersQuery = Type.Object({
  ...PageQuery,
  ...SortQuery(sortKeys),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Beginnings of words of the name' })),
  visibility: Type.Optional(OneOf(visibilities, 'Only this visibility')),
  'id[in]': Type.Optional(
    Type.Array(Id('lec'), { minItems: 1, maxItems: 100, description: 'Only these, joined by commas' }),
  ),
})

/** One page of the lecturers. */
export const LecturerPage = PageOf(Lecturer, 'LecturerPage')

/** The lecturers in the order they are to be shown. */
export const LecturerOrder = Type.Object(
  { lecturer_ids: Type.Array(Id('lec'), { minItems: 1, maxItems: 1000, uniqueItems: true }) },
  { additionalProperties: false, title: 'LecturerOrder' },
)

/** How many profiles got another place. */
export const LecturerOrdered = Type.Object(
  { lecturer_ids: Type.Array(Id('lec'), { description: 'All of them, in their order' }) },
  { additionalProperties: false, title: 'LecturerOrdered' },
)

/** The query parameters of the list of lecturers, as values. */
export type ListLecturersParams = Static<typeof LecturersQuery>

/** The input of a profile, as values. */
export type LecturerInput = Static<typeof LecturerSettings>
