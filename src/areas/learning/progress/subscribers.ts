import type { AreaSubscribers, FactHandler } from '#src/contract/fact.ts'
import {
  AVAILABILITY_CHANGED,
  onAvailabilityChanged,
  onLessonUnlocked,
  onNoticesEnabled,
  onTimeZoneChanged,
} from './notices/subscribers.ts'
import { LESSONS_CHANGED, onLessonsChanged } from './progress/subscribers.ts'

const onBoth: FactHandler<(typeof LESSONS_CHANGED)[number]> = async (fact, place) => {
  await onLessonsChanged(fact, place)
  await onAvailabilityChanged(fact, place)
}

/** What this area does after facts. */
export const subscribers: AreaSubscribers = {
  ...Object.fromEntries(AVAILABILITY_CHANGED.map(type => [type, onAvailabilityChanged])),
  ...Object.fromEntries(LESSONS_CHANGED.map(type => [type, onBoth])),
  'lesson.unlocked': onLessonUnlocked,
  'school.updated': onTimeZoneChanged,
  'member.updated': onNoticesEnabled,
}
