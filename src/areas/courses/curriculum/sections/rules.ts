import { problem, Refusal } from '#src/contract/problem.ts'

/** The section is archived. */
export const sectionArchived = problem(
  409,
  'section_archived',
  'The section is archived',
  'Nothing can be put into an archived section. Restore it with PUT /sections/{section_id}/placement first.',
)

/** Refuses a change of an archived section. */
export const checkNotArchived = (section: { readonly archived_at: Date | null }): void => {
  if (section.archived_at !== null) throw new Refusal(sectionArchived, 'The section is archived.')
}
