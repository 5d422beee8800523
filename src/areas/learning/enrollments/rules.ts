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
