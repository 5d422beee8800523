import type { Phrase } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { Notice } from '#src/web/page/index.ts'
import { readDone } from '#src/web/page/index.ts'
import { listLessons } from './lessons.rules.ts'
import type { OwnCourse } from './own-course.ts'
import type { LearnContext } from './parts.ts'
import { quizText } from './quiz-text.ts'
import { learnText } from './text.ts'
import { workText } from './work-text.ts'

const { done: text } = learnText

const isAllDone = ({ enrollment, progress }: OwnCourse): boolean =>
  typeof enrollment?.completed_at === 'string' && progress?.percent_complete === 100

// What a page says about an action, by the value of `done`.
const DONE: Readonly<Record<string, Phrase>> = {
  enrolled: text.enrolled,
  finished: text.finished,
  undone: text.undone,
  saved: quizText.saved,
  ended: quizText.timeUp,
  closed: quizText.ended,
  handed_in: workText.handedIn,
  withdrawn: workText.withdrawn,
}

/** What was just done, from the query: one of a few words, or the id of a lesson of the course that was completed. */
export const buildNotice = (context: LearnContext, course: OwnCourse): Notice | undefined => {
  const { t } = context
  const done = readDone(context.request)
  const phrase = Object.hasOwn(DONE, done) ? DONE[done] : undefined
  if (phrase !== undefined) return { kind: 'done', text: t(phrase) }
  const lesson = listLessons(course).find(({ id }) => id === done)
  return (
    lesson && {
      kind: 'done',
      text: t(text[isAllDone(course) ? 'course' : 'lesson'], { lesson: lesson.name }),
    }
  )
}

// What the person can do about it, by the code of the refusal.
const REFUSED: Readonly<Record<string, Phrase>> = {
  attempt_exists: learnText.refused.attemptExists,
  too_many_attempts: quizText.noneLeft,
  quiz_empty: quizText.empty,
  attempt_closed: quizText.ended,
  invalid_state: workText.changed,
  submission_late: workText.over,
  resubmission_not_allowed: workText.noneLeft,
  quota_exceeded: workText.full,
  completed_by_work: learnText.refused.byWork,
  not_complete: learnText.refused.notComplete,
}

/** Why an action was refused. */
export const refusalNotice = ({ problem }: Refusal, { t }: LearnContext): Notice => ({
  kind: 'refused',
  text: t(REFUSED[problem.code] ?? learnText.refused.other),
})
