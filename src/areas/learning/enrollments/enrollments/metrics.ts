import { courseDimension } from '#src/areas/courses/index.ts'
import type { Dimension, Metric } from '#src/contract/metric.ts'
import { texts } from '#src/texts/index.ts'
import { completedRows, enrolledRows } from './metrics.queries.ts'

const words = texts.learning.enrollments.metrics

const source: Dimension = {
  name: 'source',
  title: words.source.title,
  labels: words.source.labels,
}

/** The metrics of enrollments. */
export const enrollmentMetrics: readonly Metric[] = [
  {
    name: 'enrollments',
    title: words.enrollmentMetrics.title,
    about: words.enrollmentMetrics.about,
    unit: 'count',
    kind: 'count',
    who: 'lecturer_of',
    breakdowns: [courseDimension, source],
    sources: ['enrollments.created_at'],
    changes: ['student.enrolled', 'student.imported', 'entitlement.granted', 'member.merged'],
    rows: enrolledRows,
  },
  {
    name: 'completions',
    title: words.enrollmentMetrics.completedCourses,
    about: words.enrollmentMetrics.studentsWhoCompletedACourse,
    unit: 'count',
    kind: 'count',
    who: 'lecturer_of',
    breakdowns: [courseDimension],
    sources: ['enrollments.completed_at'],
    changes: [
      'enrollment.completed',
      'lesson.completed',
      'lesson.completion_undone',
      'outline.updated',
      'member.merged',
      'import.completed',
      'import.undone',
      'import.stopped',
    ],
    rows: completedRows,
  },
]
