import type { FactHandler } from '#src/contract/fact.ts'
import {
  OPENINGS_CHANGED,
  onLessonOpened,
  onNoticesWanted,
  onOpeningsChanged,
  onSchoolMoved,
} from './notices/actions.ts'
import { LESSONS_CHANGED, onLessonsChanged } from './refresh/actions.ts'

const onBoth: FactHandler = async (fact, place) => {
  await onLessonsChanged(fact, place)
  await onOpeningsChanged(fact, place)
}

/** What this area does after facts. */
export const subscribers: Readonly<Record<string, FactHandler>> = {
  ...Object.fromEntries(OPENINGS_CHANGED.map(type => [type, onOpeningsChanged])),
  ...Object.fromEntries(LESSONS_CHANGED.map(type => [type, onBoth])),
  'lesson.unlocked': onLessonOpened,
  'school.updated': onSchoolMoved,
  'member.updated': onNoticesWanted,
}
