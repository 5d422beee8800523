import Type, { type Static } from 'typebox'
import { FileView } from '#src/areas/files/index.ts'
import { PageOf, PageQuery, SortQuery } from '#src/contract/pagination.ts'
import { MergePatch } from '#src/kit/patch.ts'
import { Closed, Id, Line, Markdown, Nullable, OneOf, Personal, Recorded, Ref, Slug } from '#src/kit/shapes.ts'

/** The visibility of a profile: to everybody, or only to staff and the person. */
const visibilities = ['visible', 'hidden'] as const

/** A link to another site of a lecturer. */
const LecturerLink = Closed('LecturerLink', {
  label: Line(60, 'The label of the link'),
  url: Type.String({
    minLength: 8,
    maxLength: 500,
    pattern: '^https?://[^\\s]+$',
    description: 'An http(s) address',
  }),
})

/** The writable fields of a lecturer. */
const LecturerSettings = Type.Object({
  member_id: Nullable(Personal(Id('mem'))),
  display_name: Line(120, 'The displayed name'),
  slug: Slug,
  bio: Markdown(10_000, 'The biography'),
  avatar_file_id: Nullable(Id('fil')),
  links: Type.Array(LecturerLink, { maxItems: 10 }),
  visibility: OneOf(visibilities, 'Who sees the profile: everybody, or the staff and the person alone'),
})

const { member_id, ...open } = LecturerSettings.properties

/** The public profile of a lecturer. */
export const Lecturer = Closed('Lecturer', {
  id: Id('lec'),
  ...open,
  member_id: Type.Optional(member_id),
  avatar: Nullable(FileView),
  position: Type.Integer({
    minimum: 0,
    description: 'The position among the lecturers; changed by /lecturers/order',
  }),
  course_count: Type.Integer({
    minimum: 0,
    description: 'The number of published and listed courses that they teach',
  }),
  ...Recorded,
})

/** A new profile; only the name is required. */
export const NewLecturer = Closed('NewLecturer', {
  ...Type.Partial(LecturerSettings).properties,
  display_name: open.display_name,
})

/** A change of a profile. */
export const LecturerChanges = MergePatch(LecturerSettings, 'LecturerChanges')

/** The lecturer in a path. */
export const LecturerRef = Type.Object({ lecturer_id: Ref('lec', ['slug']) })

/** The keys a list of lecturers can be sorted by. */
const sortKeys = ['position', 'display_name', 'created_at'] as const

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

/** The lecturers in the order in which they are shown. */
export const LecturerOrder = Closed('LecturerOrder', {
  lecturer_ids: Type.Array(Id('lec'), { minItems: 1, maxItems: 1000, uniqueItems: true }),
})

/** The new order of the profiles. */
export const LecturerOrdered = Closed('LecturerOrdered', {
  lecturer_ids: Type.Array(Id('lec'), { description: 'All of them, in the new order' }),
})

/** The input of a profile, as values. */
export type LecturerInput = Static<typeof LecturerSettings>
