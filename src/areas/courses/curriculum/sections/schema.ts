import Type, { type Static } from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Warnings } from '#src/contract/warning.ts'
import { MergePatch } from '#src/kit/patch.ts'
import { Closed, Id, Instant, Line, Nullable, Recorded } from '#src/kit/shapes.ts'
import { MAX_LESSONS, MAX_SECTIONS } from '../nodes/schema.ts'

const name = Line(200, 'The name')

/** A position; 0 is the first. */
export const position = (maximum: number) =>
  Type.Integer({ minimum: 0, maximum, description: 'The position, from 0; the last one by default' })

/** A part of a course, with its lessons in their order. */
export const Section = Closed('Section', {
  id: Id('sec'),
  course_id: Id('crs'),
  name,
  lesson_ids: Type.Array(Id('les'), {
    description: 'Its lessons in their order; others see those that are published',
  }),
  archived_at: Type.Optional(Nullable(Instant)),
  ...Recorded,
})

/** A section that was just archived, with warnings about what that does. */
export const ArchivedSection = Closed('ArchivedSection', { ...Section.properties, warnings: Warnings })

/** A new section. */
export const NewSection = Closed('NewSection', { name, position: Type.Optional(position(MAX_SECTIONS)) })

/** A change of a section. */
export const SectionChanges = MergePatch(Type.Object({ name }), 'SectionChanges')

/** The new position of a section. */
export const SectionPlacement = Closed('SectionPlacement', { position: Type.Optional(position(MAX_SECTIONS)) })

/** The order of the lessons of a section: each once. */
export const SectionOrder = Closed('SectionOrder', { lesson_ids: Type.Array(Id('les'), { maxItems: MAX_LESSONS }) })

/** A section in a path. */
export const SectionRef = Type.Object({ section_id: Id('sec') })

/** The query parameter that selects archived resources instead. */
export const archivedOnly = Type.Optional(
  Type.Boolean({
    description: 'Only archived ones, for those who manage the course; otherwise only those that are not archived',
  }),
)

/** The parameters of a list of sections. */
export const SectionsQuery = Type.Object({ ...PageQuery, archived: archivedOnly })

/** One page of sections. */
export const SectionPage = PageOf(Section, 'SectionPage')

/** The values of a section. */
export type SectionView = Static<typeof Section>
