import { courseDimension } from '#src/areas/courses/index.ts'
import { lessonDimension } from '#src/areas/curriculum/index.ts'
import type { Metric } from '#src/contract/metric.ts'
import { completedLessonRows } from './metrics.queries.ts'

/** The metrics of progress. */
export const progressMetrics: readonly Metric[] = [
  {
    name: 'lesson_completions',
    title: { en: 'Completed lessons', pt: 'Aulas concluídas' },
    about: { en: 'Lessons that students completed', pt: 'Aulas que os alunos concluíram' },
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
    ],
    rows: completedLessonRows,
  },
]
