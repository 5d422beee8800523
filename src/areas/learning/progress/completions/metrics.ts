import { courseDimension, lessonDimension } from '#src/areas/courses/index.ts'
import type { Metric } from '#src/contract/metric.ts'
import { texts } from '#src/texts/index.ts'
import { completedLessonRows } from './metrics.queries.ts'

/** The metrics of progress. */
export const progressMetrics: readonly Metric[] = [
  {
    name: 'lesson_completions',
    title: texts.learning.progress.completions.metrics.progressMetrics.title,
    about: texts.learning.progress.completions.metrics.progressMetrics.about,
    unit: 'count',
    kind: 'count',
    who: 'lecturer_of',
    breakdowns: [courseDimension, lessonDimension],
    sources: ['lesson_completions.completed_at'],
    changes: [
      'lesson.completed',
      'lesson.completion_undone',
      'quiz_attempt.passed',
      'submission.accepted',
      'member.merged',
      'import.completed',
      'import.undone',
      'import.stopped',
    ],
    rows: completedLessonRows,
  },
]
