import Type, { type Static } from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { MergePatch } from '#src/kit/patch.ts'
import { AllowedActions, Id, Instant, Line, Nullable, Revision } from '#src/kit/shapes.ts'
import { MAX_LESSONS, MAX_SECTIONS } from '../outline/schema.ts'

const name = Line(200, 'What it is called')

/** Where something is put: 0 is the first place. */
export const position = (most: number) =>
  Type.Integer({ minimum: 0, maximum: most, description: 'Its place, from 0; the last one when left out' })

/** A part of a course, with its lessons in their order. */
export const Section = Type.Object(
  {
    id: Id('sec'),
    course_id: Id('crs'),
    name,
    lesson_ids: Type.Array(Id('les'), {
      description: 'Its lessons in their order; others see those that are published',
    }),
    archived_at: Type.Optional(Nullable(Instant)),
    revision: Revision,
    allowed_actions: Type.Optional(AllowedActions),
    created_at: Instant,
    updated_at: Instant,
  },
  { additionalProperties: false, title: 'Section' },
)

/** A new section. */
export const NewSection = Type.Object(
  { name, position: Type.Optional(position(MAX_SECTIONS)) },
  { additionalProperties: false, title: 'NewSection' },
)

/** A change of a section. */
export const SectionChanges = MergePatch(Type.Object({ name }), 'SectionChanges')

/** Where a section is put. */
export const SectionPlacement = Type.Object(
  { position: Type.Optional(position(MAX_SECTIONS)) },
  { additionalProperties: false, title: 'SectionPlacement' },
)

/** The order of the lessons of a section: each once. */
export const SectionOrder = Type.Object(
  { lesson_ids: Type.Array(Id('les'), { maxItems: MAX_LESSONS }) },
  { additionalProperties: false, title: 'SectionOrder' },
)

/** What a section is named by in a path. */
export const SectionRef = Type.Object({ section_id: Id('sec') })

/** The query member that asks for what is archived instead. */
export const archivedAsked = Type.Optional(
  Type.Boolean({ description: 'Only what is archived, for those who run the course; else only what is not' }),
)

/** What a list of sections can be asked. */
export const SectionsQuery = Type.Object({ ...PageQuery, archived: archivedAsked })

/** One page of sections. */
export const SectionPage = PageOf(Section, 'SectionPage')

/** A section as it is shown, as values. */
export type SectionView = Static<typeof Section>
