import type { Access } from '#src/areas/learning/access/index.ts'

const WHY: Readonly<Record<Access['state'], string>> = {
  active: 'There is access to the course.',
  held: 'The access to the course is on hold.',
  upcoming: 'The access to the course has not begun yet.',
  ended: 'The access to the course has ended.',
  none: 'There is no access to the course.',
}

/** Why somebody may not use a course now, in words. */
export const whyNot = ({ state }: Pick<Access, 'state'>): string => WHY[state]

// An enrollment as far as it says when somebody was last in the course, by instants as they are encoded.
type Continued = {
  readonly completed_at: string | null
  readonly last_activity_at: string | null
  readonly created_at: string
}

// When somebody was last in a course, or got it.
const lastIn = ({ last_activity_at: at, created_at: since }: Continued): string => at ?? since

const isCompleted = ({ completed_at: at }: Continued): number => Number(at !== null)

/** Enrollments in the order in which somebody goes on: what is not completed first, the latest before the others. */
export const sortToContinue = <Enrollment extends Continued>(enrollments: readonly Enrollment[]): Enrollment[] =>
  enrollments.toSorted(
    (one, other) => isCompleted(one) - isCompleted(other) || lastIn(other).localeCompare(lastIn(one)),
  )
