import { courseDimension, lessonDimension } from '#src/areas/courses/index.ts'
import type { Dimension, Metric } from '#src/contract/metric.ts'
import { texts } from '#src/texts/index.ts'
import { gradedRows, startedRows } from './metrics.queries.ts'

const words = texts.learning.attempts.metrics

const outcome: Dimension = {
  name: 'outcome',
  title: words.outcome.title,
  labels: words.outcome.labels,
}

/** The metrics of attempts at quizzes. */
export const attemptMetrics: readonly Metric[] = [
  {
    name: 'quiz_attempts',
    title: words.attemptMetrics.title,
    about: words.attemptMetrics.about,
    unit: 'count',
    kind: 'count',
    who: 'lecturer_of',
    breakdowns: [courseDimension, lessonDimension],
    sources: ['quiz_attempts.started_at'],
    changes: ['quiz_attempt.started', 'member.erased', 'member.merged'],
    rows: startedRows,
  },
  {
    name: 'graded_attempts',
    title: words.attemptMetrics.gradedAttempts,
    about: words.attemptMetrics.attemptsAtQuizzesThatWere,
    unit: 'count',
    kind: 'count',
    who: 'lecturer_of',
    breakdowns: [courseDimension, lessonDimension, outcome],
    sources: ['quiz_attempts.graded_at'],
    changes: ['quiz_attempt.passed', 'quiz_attempt.graded', 'quiz_attempt.submitted', 'member.erased', 'member.merged'],
    rows: gradedRows,
  },
]
